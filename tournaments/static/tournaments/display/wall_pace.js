// Timing of the big screen: duration of panels, their order, and scrolling.

/**
 * @typedef {{ scrollHeight: number, clientHeight: number, scrollTop: number }} Place scroll metrics of an element
 */

/**
 * @typedef {{ top: number, bottom: number }} Row position of a row in a list, in pixels
 */

export const STAYS = 12000; // a panel that fits
export const HOLDS = 4000; // at the top and bottom of a scrolling panel
export const LEAPS = 9000; // per page of rows
export const ASKS = 20000;
const SPEED = 45; // pixels a second
const OLD = 45000; // show the age of the data after this time without an answer
const ALIKE = 2; // rounding tolerance of browsers in pixels

/**
 * Whether the last answer is so old that its age must be shown.
 * @type {(heard: number, now: number) => boolean}
 */
export const isOld = (heard, now) => now - heard >= OLD;

/** @type {(since: string, now: number) => number} */
export const minutesSince = (since, now) => Math.max(0, Math.floor((now - Date.parse(since)) / 60000));

/**
 * Whole seconds until a moment, none once it is past.
 * @type {(until: string, now: number) => number}
 */
export const secondsLeft = (until, now) => Math.max(0, Math.ceil((Date.parse(until) - now) / 1000));

/**
 * Whether a moment fell between two looks at the clock.
 * @type {(until: string, before: number, now: number) => boolean}
 */
export const endedBetween = (until, before, now) => before < Date.parse(until) && Date.parse(until) <= now;

/**
 * The panel after the shown one, by default the first.
 * @type {<Panel>(panels: Panel[], shown: Panel | undefined) => Panel}
 */
export const following = (panels, shown) =>
  panels[(shown === undefined ? 0 : panels.indexOf(shown) + 1) % panels.length];

/**
 * Whether the content is longer than its element.
 * @type {(place: Place) => boolean}
 */
export const overflows = ({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + ALIKE;

/**
 * Pixels below the visible part.
 * @type {(place: Place) => number}
 */
export const below = ({ scrollHeight, clientHeight, scrollTop }) => scrollHeight - clientHeight - scrollTop;

/**
 * Pixels to scroll after `elapsed` milliseconds, at least 1 so that fast displays scroll.
 * @type {(elapsed: number) => number}
 */
export const step = (elapsed) => Math.max(1, Math.round((SPEED * elapsed) / 1000));

/**
 * Pages of whole rows as (start, end); a row longer than the room is a page.
 * @type {(rows: Row[], room: number) => [number, number][]}
 */
export const screenfuls = (rows, room) => {
  const begins = [0];
  for (const [number, row] of rows.entries()) {
    const first = begins[begins.length - 1];
    if (number > first && row.bottom - rows[first].top > room) begins.push(number);
  }
  return begins.map((first, n) => [first, begins[n + 1] ?? rows.length]);
};

/**
 * Number of rows that fit: all `waiting`, or as many as leave room for the line with the remaining number.
 * @type {(rows: Row[], waiting: number, room: number, line: number) => number}
 */
export const whole = (rows, waiting, room, line) => {
  const within = (/** @type {number} */ end) => rows.filter((row) => row.bottom <= end).length;
  return within(room) === waiting ? waiting : within(room - line);
};

/**
 * A screen's width in percent of its height, in steps of 5, so that a bar that comes and goes changes nothing.
 * @type {(width: number, height: number) => number}
 */
export const aspectOf = (width, height) => 5 * Math.round((20 * width) / Math.max(1, height));
