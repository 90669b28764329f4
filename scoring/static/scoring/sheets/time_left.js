// The figures of a match clock: the server's, counted on from the moment at which this device has seen them.

/** Milliseconds that a side has left at `now`; fewer than none after its flag fell. The delay is free. */
export const timeLeft = (clock, side, now) => {
  const ms = clock[`${side}_ms`];
  if (clock.running !== side || !clock.since) return ms;
  const running = Date.parse(clock.now) - Date.parse(clock.since) + (now - clock.seen);
  return ms - Math.max(running - clock.delay_ms, 0);
};

export const inMinutes = (ms) => {
  const seconds = Math.ceil(Math.abs(ms) / 1000);
  return `${ms < 0 ? "−" : ""}${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
};
