// The sheet as this device has it: what the server told with what waits on top of it, what may be entered, and entering it.

import { inWords } from "./log.js";
import { refusalWords } from "./checking.js";
import { DoubleTaps } from "./double_taps.js";
import { prefs } from "./prefs.js";
import { barred, playsOf, projected } from "./projection.js";

/**
 * @typedef {import("./play.js").Side} Side
 *
 * @typedef {object} Told what else the server tells of a sheet
 * @property {number} seq
 * @property {number} version
 * @property {boolean} may_write
 * @property {string} sign
 * @property {string[]} flags
 * @property {import("./log.js").Line[]} lines
 * @property {any} result
 * @property {any} clock
 *
 * @typedef {import("./game.js").SheetView & Told} View
 *
 * @typedef {object} Config what the page was made with
 * @property {string} match
 * @property {import("./play.js").Position} starting
 * @property {Side | ""} [side] the reader's own
 * @property {boolean} [watch] the page is there to look at
 * @property {string} [depth] how much is recorded until something else is chosen
 */

/** @type {(view: View, kind: string) => boolean} */
export const can = (view, kind) => view.actions.some((action) => action.kind === kind);

export class Sheet {
  /** @type {string | null} something to read that is not on the sheet: why a thing is not possible */
  aside = null;
  /** @type {object | null} the view whose plays were compared last */
  compared = null;
  /** @type {{ view: object, bodies: object[], ahead: View } | null} the sheet as it was shown last */
  last = null;
  taps = new DoubleTaps();

  /**
   * @param {object} parts
   * @param {Config} parts.config
   * @param {import("./sync.js").Sync} parts.sync
   * @param {() => void} parts.render
   */
  constructor({ config, sync, render }) {
    this.config = config;
    this.sync = sync;
    this.render = render;
  }

  /** The server has all that is shown. */
  get isKnown() {
    return this.sync.queue.length === 0;
  }

  get mayWrite() {
    return Boolean(this.sync.view.may_write && !this.config.watch && !this.sync.isStopped);
  }

  /** A suspended match has no plays: nothing on its board moves. */
  get mayTouch() {
    return this.mayWrite && this.shown().status === "playing";
  }

  /** How much is recorded. */
  get depth() {
    return prefs.depth[this.config.match] ?? this.config.depth ?? "full";
  }

  /** The side whose home is below. */
  get below() {
    return prefs.bottom[this.config.match] ?? (this.config.side || "white");
  }

  /** @returns {View} */
  shown() {
    const { view, queue } = this.sync;
    const { last } = this;
    const { starting } = this.config;
    const begins =
      last !== null && last.view === view && last.bodies.every((body, n) => body === queue[n]?.body);
    if (begins && last.bodies.length === queue.length) return last.ahead;
    const [from, rest] = begins ? [last.ahead, queue.slice(last.bodies.length)] : [view, queue];
    const ahead = projected(from, rest, starting, barred(view, starting));
    this.last = { view, bodies: queue.map(({ body }) => body), ahead };
    return ahead;
  }

  /** The server's plays are right. Where this page finds others, the server's log says so with the next entry. */
  compare() {
    const { view } = this.sync;
    if (view === this.compared || !this.mayWrite) return;
    this.compared = view;
    const found = playsOf(view.game);
    if (!found || !view.plays || String(found.sequences) === String(view.plays.sequences)) return;
    const { on_roll, roll, position } = view.game;
    this.sync.differs = JSON.stringify({ on_roll, roll, position });
  }

  /** @param {string} words */
  tellWhyNot(words) {
    this.aside = words;
    this.render();
  }

  /**
   * Record an entry, with more that follow it at once, also while the entry before it is on its way.
   * @param {string} kind
   * @param {object} body
   * @param {{ kind: string, body: object }[]} [more]
   * @returns {Promise<void> | undefined}
   */
  record(kind, body, more = []) {
    const { sync, config } = this;
    if (!this.mayWrite || this.taps.isRepeated(kind, body)) return undefined;
    this.aside = null;
    const { view, queue } = sync;
    const { starting } = config;
    const never = barred(view, starting);
    let ahead = this.shown();
    const entries = [];
    for (const entry of [{ kind, body }, ...more]) {
      const why = refusalWords(entry, ahead, starting);
      if (why) {
        this.tellWhyNot(why);
        return undefined;
      }
      entries.push({ ...entry, words: inWords(entry, ahead) });
      ahead = projected(ahead, [entry], starting, never);
    }
    // What is shown once they are in the queue is found already.
    const bodies = [...queue, ...entries].map((entry) => entry.body);
    this.last = { view, bodies, ahead };
    return sync.record(entries);
  }
}
