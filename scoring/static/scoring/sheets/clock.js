// The match clock: the server's figures, counted on here from the moment it gave them. A fallen flag is shown, never enforced.

import { hide } from "./part.js";
import { inMinutes, timeLeft } from "./time_left.js";
import { say } from "./words.js";

/**
 * @typedef {import("./play.js").Side} Side
 */

export class Clock {
  /** @param {{ root: HTMLElement, sync: import("./sync.js").Sync, writes(): boolean }} parts */
  constructor({ root, sync, writes }) {
    this.root = root;
    this.sync = sync;
    this.writes = writes;
    for (const button of root.querySelectorAll("[data-clock]")) {
      button.addEventListener("click", () => this.press(/** @type {Side} */ (button.dataset.clock)));
    }
    for (const button of document.querySelectorAll("[data-clock-action]")) {
      button.addEventListener("click", () => {
        button.closest("dialog")?.close();
        this.act(button.dataset.clockAction ?? "");
      });
    }
    setInterval(() => this.tick(), 500);
  }

  /** @param {string} action */
  act(action) {
    const body = action === "start" ? { action, side: this.view.game.to_act ?? "white" } : { action };
    return this.sync.send(this.sync.urls.clock, body);
  }

  /** @param {Side} side */
  press(side) {
    if (!this.writes() || !this.view?.clock) return;
    this.sync.send(
      this.sync.urls.clock,
      this.view.clock.running ? { action: "press", side } : { action: "start", side },
    );
  }

  /** @param {any} view */
  draw(view) {
    this.view = view;
    for (const button of this.root.querySelectorAll("[data-clock]")) hide(button, !view.clock);
    for (const button of document.querySelectorAll("[data-clock-action]")) {
      if (button.parentElement)
        hide(button.parentElement, (button.dataset.clockAction === "start") === Boolean(view.clock?.running));
    }
    this.tick();
  }

  tick() {
    if (!this.view?.clock) return;
    for (const button of this.root.querySelectorAll("[data-clock]")) {
      const side = /** @type {Side} */ (button.dataset.clock);
      const ms = timeLeft(this.view.clock, side, Date.now());
      const running = this.view.clock.running === side;
      const shown = ms < 0 ? `${inMinutes(ms)} ${say("flag")}` : inMinutes(ms);
      for (const place of button.querySelectorAll("[data-time]")) place.textContent = shown;
      button.toggleAttribute("data-running", running);
      button.toggleAttribute("data-flag", ms < 0);
      button.setAttribute(
        "aria-label",
        say(running ? "clock_runs" : "clock_stands", { name: this.view[side].name, time: inMinutes(ms) }),
      );
    }
  }
}
