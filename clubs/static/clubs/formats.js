// Dates, times and numbers as the server writes them (clubs/formats): its patterns, names and decimal mark come with
// the page (`{% script_formats zone %}`), so one moment reads the same wherever it is shown.

/**
 * @typedef {object} Formats
 * @property {string} zone whose clock is read
 * @property {Record<string, string>} patterns in the characters of Django's `date` filter, by name
 * @property {Record<string, string[]>} names what a character stands for: months, weekdays from Sunday, both halves of a day
 * @property {string} decimal
 *
 * @typedef {string | number | Date} Moment an ISO time, milliseconds or a date
 */

export const MINUS = "−";

/** @type {(value: number, digits?: number) => string} */
const padded = (value, digits = 2) => String(value).padStart(digits, "0");

/**
 * What a moment is on the clock of a zone.
 * @param {Date} at
 * @param {string} zone
 */
const onTheClock = (at, zone) => {
  const shape = new Intl.DateTimeFormat("en-u-ca-gregory-nu-latn", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  /** @type {Record<string, number>} */
  const found = {};
  for (const { type, value } of shape.formatToParts(at)) found[type] = Number(value);
  const weekday = new Date(Date.UTC(found.year, found.month - 1, found.day)).getUTCDay();
  return { ...found, weekday };
};

/** @typedef {Record<string, number>} Clock */

/** @type {Record<string, (clock: Clock) => string>} */
const NUMBERS = {
  d: ({ day }) => padded(day),
  j: ({ day }) => String(day),
  m: ({ month }) => padded(month),
  n: ({ month }) => String(month),
  y: ({ year }) => padded(year % 100),
  Y: ({ year }) => padded(year, 4),
  H: ({ hour }) => padded(hour),
  G: ({ hour }) => String(hour),
  h: ({ hour }) => padded(hour % 12 || 12),
  g: ({ hour }) => String(hour % 12 || 12),
  i: ({ minute }) => padded(minute),
  s: ({ second }) => padded(second),
};

/** @type {Record<string, (clock: Clock) => number>} */
const PLACES = {
  ...Object.fromEntries(["M", "F", "N", "E", "b"].map((mark) => [mark, ({ month }) => month - 1])),
  ...Object.fromEntries(["D", "l"].map((mark) => [mark, ({ weekday }) => weekday])),
  ...Object.fromEntries(["a", "A"].map((mark) => [mark, ({ hour }) => (hour < 12 ? 0 : 1)])),
};

/**
 * A number with so many decimals, rounded half away from zero, not grouped; the minus is a true one.
 * @param {number} value
 * @param {number} places
 * @param {string} decimal
 */
const size = (value, places, decimal) =>
  new Intl.NumberFormat("en", {
    minimumFractionDigits: places,
    maximumFractionDigits: places,
    useGrouping: false,
  })
    .format(Math.abs(value))
    .replace(".", decimal);

/**
 * The writers of a page.
 * @param {Formats} formats
 */
export const writers = ({ zone, patterns, names, decimal }) => {
  /** @type {(at: Moment, pattern: string) => string} */
  const write = (at, pattern) => {
    const moment = new Date(at);
    if (Number.isNaN(moment.valueOf())) return "";
    const clock = onTheClock(moment, zone);
    return pattern.replace(/\\(.)|[A-Za-z]/g, (mark, literal) => {
      if (literal) return literal;
      return NUMBERS[mark]?.(clock) ?? names[mark]?.[PLACES[mark](clock)] ?? mark;
    });
  };
  return {
    /** @type {(at: Moment) => string} "23 Nov 2026" */
    day: (at) => write(at, patterns.date),
    /** @type {(at: Moment) => string} "23 Nov" */
    monthDay: (at) => write(at, patterns.month_day),
    /** @type {(at: Moment) => string} "Nov 2026" */
    yearMonth: (at) => write(at, patterns.year_month),
    /** @type {(at: Moment) => string} "20:52" */
    timeOfDay: (at) => write(at, patterns.time),
    /** @type {(at: Moment) => string} "23 Nov 2026, 20:52" */
    moment: (at) => write(at, patterns.datetime),
    /** @type {(at: Moment) => string} "2026" */
    year: (at) => write(at, "Y"),
    /** @type {(value: number, places?: number) => string} "1523.4", "−0.5" */
    number: (value, places = 0) => {
      const shown = size(value, places, decimal);
      return value < 0 && /[1-9]/.test(shown) ? MINUS + shown : shown;
    },
    /** @type {(value: number, places?: number) => string} "+8.2", "−3", and zero without a sign */
    signed: (value, places = 0) => {
      const shown = size(value, places, decimal);
      return /[1-9]/.test(shown) ? (value < 0 ? MINUS : "+") + shown : shown;
    },
    write,
  };
};

/** @type {{ place?: Element, own?: ReturnType<typeof writers> }} */
const kept = {};

/** The writers of the page that is shown, by what its server has put into it. */
export const formats = () => {
  const place = /** @type {Element} */ (document.getElementById("formats"));
  if (place !== kept.place || !kept.own) {
    kept.own = writers(JSON.parse(place.textContent));
    kept.place = place;
  }
  return kept.own;
};

/**
 * What a match clock shows: minutes and seconds, with a minus once the time is over.
 * @param {number} seconds whole ones
 */
export const clockFace = (seconds) =>
  `${seconds < 0 ? MINUS : ""}${Math.floor(Math.abs(seconds) / 60)}:${padded(Math.abs(seconds) % 60)}`;
