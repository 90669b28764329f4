// How two clocks differ.

/** @type {(at: Date, zone: string) => string} */
const onTheClock = (at, zone) =>
  new Intl.DateTimeFormat("en-GB", { timeZone: zone, dateStyle: "short", timeStyle: "short" }).format(at);

/** @type {(at: Date, zone: string) => string} */
const onTheCalendar = (at, zone) =>
  new Intl.DateTimeFormat("en-GB", { timeZone: zone, dateStyle: "short" }).format(at);

/**
 * Whether a moment is on the same day in two time zones (IANA).
 * @type {(moment: string, zone: string, other: string) => boolean}
 */
export const sameDay = (moment, zone, other) =>
  onTheCalendar(new Date(moment), zone) === onTheCalendar(new Date(moment), other);

/**
 * Whether a moment reads differently on the clocks of two time zones (IANA).
 * @type {(moment: string, zone: string, other: string) => boolean}
 */
export const elsewhere = (moment, zone, other) => {
  const at = new Date(moment);
  return !Number.isNaN(at.valueOf()) && onTheClock(at, zone) !== onTheClock(at, other);
};
