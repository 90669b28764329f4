// The figures of a match clock: the server's, counted on from the moment at which this device has seen them.

import { clockFace } from "../../clubs/formats.js";

/**
 * @typedef {object} MatchClock
 * @property {number} white_ms what the sides had left when the clock was last touched
 * @property {number} black_ms
 * @property {number} delay_ms
 * @property {"white" | "black" | ""} running
 * @property {string | null} since when it was last touched, by the server's clock
 * @property {string} now the server's time when it told this
 * @property {number} seen this device's time when it heard it
 */

/**
 * Milliseconds that a side has left at `now`; fewer than none after its flag fell. The delay is free.
 * @param {MatchClock} clock
 * @param {"white" | "black"} side
 * @param {number} now
 */
export const timeLeft = (clock, side, now) => {
  const ms = clock[`${side}_ms`];
  if (clock.running !== side || !clock.since) return ms;
  const running = Date.parse(clock.now) - Date.parse(clock.since) + (now - clock.seen);
  return ms - Math.max(running - clock.delay_ms, 0);
};

/**
 * Milliseconds of the delay that the side on the clock still has at `now`; 0 for the other one.
 * @param {MatchClock} clock
 * @param {"white" | "black"} side
 * @param {number} now
 */
export const delayLeft = (clock, side, now) => {
  if (clock.running !== side || !clock.since) return 0;
  const running = Date.parse(clock.now) - Date.parse(clock.since) + (now - clock.seen);
  return Math.max(clock.delay_ms - Math.max(running, 0), 0);
};

const ALOUD = 10; // the last seconds, which are counted aloud

/**
 * Whose time runs, and how many seconds of it are left, a begun one as whole; null during the delay, and while the clock
 * stands.
 * @type {(clock: MatchClock | null, now: number) => { side: "white" | "black", seconds: number } | null}
 */
export const counting = (clock, now) => {
  const side = clock?.running;
  if (!clock || !side || delayLeft(clock, side, now)) return null;
  return { side, seconds: Math.ceil(timeLeft(clock, side, now) / 1000) };
};

/**
 * What is sounded as a count goes on: each of the last ten seconds, and once the end, also where a phone slept through it.
 * @param {ReturnType<typeof counting>} before
 * @param {ReturnType<typeof counting>} now
 * @returns {"second" | "flag" | null}
 */
export const sounded = (before, now) => {
  if (!before || !now || now.side !== before.side || now.seconds >= before.seconds) return null;
  if (now.seconds <= 0) return before.seconds > 0 ? "flag" : null;
  return now.seconds <= ALOUD ? "second" : null;
};

/**
 * The clock after a touch, as the server will have it.
 * @template {MatchClock} Shown
 * @param {Shown} clock
 * @param {{ action: string, side?: "white" | "black" }} touch
 * @param {number} at
 * @returns {Shown}
 */
export const touched = (clock, { action, side }, at) => {
  const other = side === "white" ? "black" : "white";
  const runs = action === "pause" ? "" : action === "start" ? side : other;
  if (runs === clock.running) return clock;
  const [white_ms, black_ms] = [timeLeft(clock, "white", at), timeLeft(clock, "black", at)];
  const moment = new Date(at).toISOString();
  const since = runs ? moment : null;
  return { ...clock, white_ms, black_ms, running: runs, since, now: moment, seen: at };
};

/** @param {number} ms */
export const inMinutes = (ms) => clockFace(Math.sign(ms) * Math.ceil(Math.abs(ms) / 1000));
