// The match clock: the server's figures, counted on here from the moment it gave them. A fallen flag is shown, never enforced.

import { ClockTouches } from "./clock_touches.js";
import { other } from "./game.js";
import { hide } from "./part.js";
import { inMinutes, timeLeft } from "./time_left.js";
import { say } from "./words.js";

/**
 * @typedef {import("./play.js").Side} Side
 */

const EVERY = 200; // milliseconds from figure to figure

export class Clock {
  /**
   * @param {object} parts
   * @param {HTMLElement} parts.root
   * @param {import("./sync.js").Sync} parts.sync
   * @param {() => boolean} parts.writes
   * @param {() => void} parts.ticked called with every new figure
   * @param {{ reserve_ms: number, delay_ms: number } | null} parts.terms of the rules; the reserve is for each point
   */
  constructor({ root, sync, writes, ticked, terms }) {
    this.terms = terms;
    this.root = root;
    this.sync = sync;
    this.writes = writes;
    this.ticked = ticked;
    this.touches = new ClockTouches(sync);
    for (const button of root.querySelectorAll("[data-clock]")) {
      button.addEventListener("click", () => this.press(/** @type {Side} */ (button.dataset.clock)));
    }
    for (const button of document.querySelectorAll("[data-clock-action]")) {
      button.addEventListener("click", () => {
        button.closest("dialog")?.close();
        this.act(button.dataset.clockAction ?? "");
      });
    }
    setInterval(() => this.tick(), EVERY);
  }

  /** The clock as it is shown: with what is not sent yet. */
  get shown() {
    return this.touches.ahead(this.view?.clock ?? this.first);
  }

  /**
   * The clock as the server will set it up with the first touch, which waits.
   * @returns {import("./time_left.js").MatchClock | null}
   */
  get first() {
    const { terms, touches, view } = this;
    if (!terms || !touches.waiting.length || !view) return null;
    const reserve = terms.reserve_ms * view.length;
    return {
      white_ms: reserve,
      black_ms: reserve,
      delay_ms: terms.delay_ms,
      running: "",
      since: null,
      now: new Date().toISOString(),
      seen: Date.now(),
    };
  }

  /** @param {string} action */
  act(action) {
    this.touch(action, action === "start" ? (this.view.game.to_act ?? "white") : undefined);
  }

  /**
   * A tap on a side's time: its turn is over, or before the first one the other begins. Whether that is so.
   * @param {Side} side
   */
  press(side) {
    const { running } = this.shown ?? {};
    if (!this.writes() || running === other(side)) return false;
    this.touch(running ? "press" : "start", running ? side : other(side));
    return true;
  }

  /**
   * @param {string} action
   * @param {Side} [side]
   */
  touch(action, side) {
    this.touches.touch(action, side);
    this.draw(this.view);
  }

  /** @param {any} view */
  draw(view) {
    this.view = view;
    const clock = this.shown;
    for (const button of this.root.querySelectorAll("[data-clock]")) hide(button, !clock);
    for (const button of document.querySelectorAll("[data-clock-action]")) {
      if (button.parentElement)
        hide(button.parentElement, (button.dataset.clockAction === "start") === Boolean(clock?.running));
    }
    this.tick();
  }

  tick() {
    if (this.sync.online) this.touches.flush();
    this.ticked();
    const clock = this.shown;
    if (!clock) return;
    for (const button of this.root.querySelectorAll("[data-clock]")) {
      const side = /** @type {Side} */ (button.dataset.clock);
      const ms = timeLeft(clock, side, Date.now());
      const running = clock.running === side;
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
