// Two wrote at once: what both entered alike, and where what others entered first parts from what waits here.

import { canonical } from "./views.js";

/**
 * @typedef {import("./views.js").Line} Line
 * @typedef {{ kind: string, body: any }} Entry
 *
 * @typedef {object} Differences
 * @property {Line[]} lines what they entered that stands
 * @property {number} alikes how many of these wait here as well, from the first on
 * @property {boolean} older whether they took back what stood before
 */

// The order in which two dice were tapped is no difference.
/** @type {(entry: Entry) => string} */
const plain = ({ kind, body }) =>
  canonical(kind === "roll" ? { ...body, dice: [...body.dice].sort() } : (body ?? null));

/** @type {(one: Entry, other: Entry) => boolean} */
const alike = (one, other) => one.kind === other.kind && plain(one) === plain(other);

/**
 * @param {Line[]} theirs what others entered meanwhile
 * @param {Line[]} shown the lines of the sheet with it
 * @param {Entry[]} queue what waits here
 * @returns {Differences}
 */
export const differences = (theirs, shown, queue) => {
  // What they entered and took back again is no difference, unless they took back what stood before.
  const undone = new Set(shown.filter((line) => line.undone).map((line) => line.seq));
  // That a seat was opened for a phone differs from nothing that is entered, and no undo takes it back.
  const lines = theirs.filter((line) => !line.replaces && !undone.has(line.seq) && line.kind !== "seat");
  let alikes = 0;
  while (lines[alikes] && queue[alikes] && alike(lines[alikes], queue[alikes])) alikes += 1;
  const older = theirs.some(
    (line) => line.replaces && !theirs.some((entered) => entered.seq === line.replaces),
  );
  return { lines, alikes, older };
};
