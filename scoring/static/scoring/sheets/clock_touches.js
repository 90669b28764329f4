// Touches of the match clock: shown at once, sent in order, and counted from when they were made, also without a line.

import { UnreachableError } from "./connection.js";
import { touched } from "./time_left.js";

/**
 * @typedef {import("./time_left.js").MatchClock} MatchClock
 * @typedef {{ action: string, side?: "white" | "black", at: number }} Touch
 */

export class ClockTouches {
  /** @type {Touch[]} */
  waiting = [];
  isSending = false;

  /** @param {import("./sync.js").Sync} sync */
  constructor(sync) {
    this.sync = sync;
  }

  /**
   * The clock with what is not sent yet.
   * @param {MatchClock | null | undefined} clock
   */
  ahead(clock) {
    return clock && this.waiting.reduce((shown, touch) => touched(shown, touch, touch.at), clock);
  }

  /**
   * @param {string} action
   * @param {"white" | "black"} [side]
   */
  async touch(action, side) {
    this.waiting.push({ action, side, at: Date.now() });
    await this.flush();
  }

  /** Send what waits, if there is a line. */
  async flush() {
    if (this.isSending || !this.waiting.length) return;
    this.isSending = true;
    try {
      while (this.waiting.length) await this.send(this.waiting[0]);
    } catch (error) {
      if (!(error instanceof UnreachableError)) throw error;
      this.sync.setOnline(false);
    } finally {
      this.isSending = false;
      this.sync.tell();
    }
  }

  /** @param {Touch} touch */
  async send({ action, side, at }) {
    const { sync } = this;
    const ago_ms = Math.max(Date.now() - at, 0);
    const { status, data } = await sync.connection.post(sync.urls.clock, { action, side, ago_ms });
    this.waiting.shift();
    sync.setOnline(true);
    if (status === 200) sync.take(data);
    else {
      this.waiting = []; // they follow one that has not happened
      sync.notice = { level: "error", words: data?.detail ?? String(status) };
    }
  }
}
