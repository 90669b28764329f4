// The line and what is unsent, always in sight: how many entries wait on this device, and since when.

import { tell } from "./part.js";
import { say } from "./words.js";

/** @typedef {Pick<import("./sync.js").Sync, "online" | "isStopped" | "queue">} Waiting */

const SOON = 5_000; // milliseconds; so long an entry that is on its way is not said to wait
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/**
 * What is said of the unsent entries; "" where there is nothing to say.
 * @type {(waiting: Waiting, now: number) => string}
 */
export const unsentWords = ({ online, isStopped, queue }, now) => {
  const count = queue.length;
  if (!count) return online ? "" : say("keep_recording");
  const age = now - (queue[0].at ?? now);
  if (online && !isStopped && age < SOON) return "";
  if (age >= HOUR) return say("unsent_hours", { count, hours: Math.floor(age / HOUR) });
  if (age >= MINUTE) return say("unsent_minutes", { count, minutes: Math.floor(age / MINUTE) });
  return say("unsent_now", { count });
};

export class Unsent {
  /**
   * @param {import("./part.js").Part} part
   * @param {Waiting} sync
   */
  constructor(part, sync) {
    this.part = part;
    this.sync = sync;
    setInterval(() => this.draw(), 1000);
  }

  draw() {
    tell(this.part("line"), this.sync.online ? "" : say("offline_now"));
    tell(this.part("unsent"), unsentWords(this.sync, Date.now()));
  }
}
