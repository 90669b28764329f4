// Touches of the match clock: shown at once, kept on this device, sent in order, and counted from when they were made.

import { UnreachableError } from "./connection.js";
import { dequeue, enqueueTouch, queuedTouches } from "./store.js";
import { touched } from "./time_left.js";

/**
 * @typedef {import("./store.js").Kept} Kept
 * @typedef {import("./store.js").Touch} Touch
 * @typedef {import("./time_left.js").MatchClock} MatchClock
 */

/** @type {(touches: (Touch & Kept)[]) => Promise<void>} what this device could not keep is not there */
const leave = (touches) => dequeue(touches.filter(({ order }) => order !== undefined));

export class ClockTouches {
  /** @type {(Touch & Kept)[]} */
  waiting = [];
  isSending = false;
  /** @type {Promise<unknown>} until what is shown here is on this device, too */
  writing = Promise.resolve();

  /** @param {import("./sync.js").Sync} sync */
  constructor(sync) {
    this.sync = sync;
  }

  /** Go on with what this device kept for who writes here. */
  async open() {
    this.writing = Promise.all([this.writing, this.read()]);
    await this.writing;
    this.sync.tell();
    await this.flush();
  }

  async read() {
    const { match, writer } = this.sync;
    if (!writer) return;
    try {
      const kept = await queuedTouches(match);
      const known = new Set(this.waiting.map(({ order }) => order));
      const own = kept.filter((touch) => touch.writer === writer.ref && !known.has(touch.order));
      this.waiting = [...own, ...this.waiting];
    } catch (error) {
      console.warn("touches of the clock cannot be read on this device", error);
    }
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
    const { sync } = this;
    const touch = { action, side, at: Date.now(), writer: sync.writer?.ref, page: location.pathname };
    this.waiting.push(touch);
    this.writing = this.writing.then(() => this.keep(touch));
    await this.flush();
  }

  /** @param {Touch & Kept} touch */
  async keep(touch) {
    try {
      Object.assign(touch, await enqueueTouch(this.sync.match, touch));
    } catch (error) {
      console.warn("a touch of the clock cannot be kept on this device; it is sent at once", error);
    }
  }

  /** Send what waits, if there is a line and who writes here still may. */
  async flush() {
    const { sync } = this;
    if (this.isSending || !this.waiting.length || sync.stranger || sync.blocked) return;
    this.isSending = true;
    try {
      await this.writing;
      while (this.waiting.length && !sync.stranger && !sync.blocked) await this.send(this.waiting[0]);
    } catch (error) {
      if (!(error instanceof UnreachableError)) throw error;
      sync.setOnline(false);
    } finally {
      this.isSending = false;
      sync.tell();
    }
  }

  /** @param {Touch & Kept} touch */
  async send(touch) {
    const { sync } = this;
    const { action, side, at } = touch;
    const ago_ms = Math.max(Date.now() - at, 0);
    const { status, data } = await sync.connection.post(sync.urls.clock, { action, side, ago_ms });
    sync.setOnline(true);
    if (status === 200) {
      this.waiting.shift();
      sync.take(data);
      await leave([touch]);
    } else if ([400, 409, 422].includes(status)) {
      const follow = this.waiting; // one that has not happened
      this.waiting = [];
      sync.notice = { level: "error", words: data?.detail ?? String(status) };
      await this.writing; // only then it is known where they are kept
      await leave(follow);
    } else sync.sender.bar(status, data);
  }
}
