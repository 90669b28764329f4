// Whether two clocks differ.

/** @type {(at: Date, zone: string) => string} */
const onTheClock = (at, zone) =>
  new Intl.DateTimeFormat("en-GB", { timeZone: zone, dateStyle: "short", timeStyle: "short" }).format(at);

/**
 * Whether a moment reads differently on the clocks of two time zones (IANA).
 * @type {(moment: string, zone: string, other: string) => boolean}
 */
export const elsewhere = (moment, zone, other) => {
  const at = new Date(moment);
  return !Number.isNaN(at.valueOf()) && onTheClock(at, zone) !== onTheClock(at, other);
};
