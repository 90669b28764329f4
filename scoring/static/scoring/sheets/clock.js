// The match clock: the server's figures, counted on here from the moment it gave them. A fallen flag is shown, never enforced.

import { inMinutes, timeLeft } from "./time_left.js";
import { say } from "./words.js";

export class Clock {
  constructor({ root, sync, writes }) {
    Object.assign(this, { root, sync, writes });
    for (const button of root.querySelectorAll("[data-clock]")) {
      button.addEventListener("click", () => this.press(button.dataset.clock));
    }
    for (const button of document.querySelectorAll("[data-clock-action]")) {
      button.addEventListener("click", () => {
        button.closest("dialog").close();
        this.act(button.dataset.clockAction);
      });
    }
    setInterval(() => this.tick(), 500);
  }

  act(action) {
    const body = action === "start" ? { action, side: this.view.game.to_act ?? "white" } : { action };
    return this.sync.send(this.sync.urls.clock, body);
  }

  press(side) {
    if (!this.writes() || !this.view?.clock) return;
    this.sync.send(this.sync.urls.clock, this.view.clock.running ? { action: "press", side } : { action: "start", side });
  }

  draw(view) {
    this.view = view;
    for (const button of this.root.querySelectorAll("[data-clock]")) button.hidden = !view.clock;
    for (const button of document.querySelectorAll("[data-clock-action]")) {
      button.parentElement.hidden = (button.dataset.clockAction === "start") === Boolean(view.clock?.running);
    }
    this.tick();
  }

  tick() {
    if (!this.view?.clock) return;
    for (const button of this.root.querySelectorAll("[data-clock]")) {
      const side = button.dataset.clock;
      const ms = timeLeft(this.view.clock, side, Date.now());
      const running = this.view.clock.running === side;
      button.querySelector("[data-time]").textContent = ms < 0 ? `${inMinutes(ms)} ${say("flag")}` : inMinutes(ms);
      button.toggleAttribute("data-running", running);
      button.toggleAttribute("data-flag", ms < 0);
      button.setAttribute("aria-label", say(running ? "clock_runs" : "clock_stands", { name: this.view[side].name, time: inMinutes(ms) }));
    }
  }
}
