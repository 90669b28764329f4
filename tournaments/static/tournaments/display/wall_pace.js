// How long things stay on the wall, which panel follows, and how far what is longer than its place rolls.

/**
 * @typedef {{ scrollHeight: number, clientHeight: number, scrollTop: number }} Place what is as high as it shows, and where it stands
 */

/**
 * @typedef {{ top: number, bottom: number }} Row where a row of a list stands, in pixels
 */

export const STAYS = 12000; // a panel that fits
export const HOLDS = 4000; // at the top and at the bottom of one that rolls
export const LEAPS = 9000; // a screenful at a time
export const ASKS = 20000;
const SPEED = 45; // pixels a second
const OLD = 45000; // after this long without an answer it says so
const ALIKE = 2; // pixels by which a browser may be off

/**
 * Whether what was heard last is so long ago that it has to be said.
 * @type {(heard: number, now: number) => boolean}
 */
export const isOld = (heard, now) => now - heard >= OLD;

/** @type {(since: string, now: number) => number} */
export const minutesSince = (since, now) => Math.max(0, Math.floor((now - Date.parse(since)) / 60000));

/**
 * The panel after the one that is shown, the first where none is.
 * @type {<Panel>(panels: Panel[], shown: Panel | undefined) => Panel}
 */
export const following = (panels, shown) =>
  panels[(shown === undefined ? 0 : panels.indexOf(shown) + 1) % panels.length];

/**
 * Whether there is more than the place shows.
 * @type {(place: Place) => boolean}
 */
export const overflows = ({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + ALIKE;

/**
 * Pixels below what is shown.
 * @type {(place: Place) => number}
 */
export const below = ({ scrollHeight, clientHeight, scrollTop }) => scrollHeight - clientHeight - scrollTop;

/**
 * Pixels to roll after so many milliseconds; always some, or a quick screen would stand still.
 * @type {(elapsed: number) => number}
 */
export const step = (elapsed) => Math.max(1, Math.round((SPEED * elapsed) / 1000));

/**
 * Screenfuls of whole rows, one after the other: where each begins and ends. Of rows longer than the room one each.
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
 * How many rows stand whole in the room: all that wait, or as many as leave room for the line that counts the others.
 * @type {(rows: Row[], waiting: number, room: number, line: number) => number}
 */
export const whole = (rows, waiting, room, line) => {
  const within = (/** @type {number} */ end) => rows.filter((row) => row.bottom <= end).length;
  return within(room) === waiting ? waiting : within(room - line);
};
