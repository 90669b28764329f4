// The figures of a match clock: the server's, counted on from the moment at which this device has seen them.

import { clockFace } from "../../clubs/formats.js";

/**
 * @typedef {object} MatchClock
 * @property {number} white_ms what the sides had left when the clock was last touched
 * @property {number} black_ms
 * @property {number} delay_ms
 * @property {"white" | "black" | null} running
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

/** @param {number} ms */
export const inMinutes = (ms) => clockFace(Math.sign(ms) * Math.ceil(Math.abs(ms) / 1000));
