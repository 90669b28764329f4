// How long things stay on the wall, which panel follows, and how far what is longer than its place rolls.

/**
 * @typedef {{ scrollHeight: number, clientHeight: number, scrollTop: number }} Place what is as high as it shows, and where it stands
 */

export const STAYS = 12000; // a panel that fits
export const HOLDS = 4000; // at the top and at the bottom of one that rolls
export const LEAPS = 9000; // a screenful at a time where motion is not wanted
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
 * Where a place stands after one leap: nearly a screenful on, at the top again after the end.
 * @type {(place: Place) => number}
 */
export const leapt = (place) => (below(place) <= ALIKE ? 0 : place.scrollTop + place.clientHeight * 0.9);
