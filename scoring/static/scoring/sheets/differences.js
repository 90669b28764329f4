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

// A player who joins a chouette with their own phone contradicts nothing that is recorded on another.
const ARRIVALS = new Set(["join", "agree", "come_back"]);
// Players of a chouette double and answer each for themselves, on phones of their own.
const EACH = new Set(["offer", "answer"]);

// A payment contradicts nothing, and nothing contradicts it: what is left to pay is the server's to say.
const isPaid = (/** @type {Entry} */ { kind }) => kind === "paid";
const onlyPaid = (/** @type {Entry[]} */ queue) => queue.length > 0 && queue.every(isPaid);

/**
 * What they entered that stands: what they took back again is no difference.
 * @type {(theirs: Line[], shown: Line[]) => Line[]}
 */
const standing = (theirs, shown) => {
  const undone = new Set(shown.filter((line) => line.undone).map((line) => line.seq));
  return theirs.filter((line) => !line.replaces && !undone.has(line.seq));
};

/**
 * The payments that wait and that others have recorded: each is made once.
 * @template {Entry} Row
 * @param {Line[]} theirs
 * @param {Line[]} shown
 * @param {Row[]} queue
 * @returns {Row[]}
 */
export const recordedPayments = (theirs, shown, queue) => {
  const lines = standing(theirs, shown).filter(isPaid);
  return queue.filter((entry) => lines.some((line) => alike(line, entry)));
};

/** @type {(line: Line, queue: Entry[]) => boolean} whether nothing that waits is contradicted by a line */
const fits = (line, queue) => {
  if (isPaid(line) || onlyPaid(queue)) return true;
  return ARRIVALS.has(line.kind)
    ? !queue.some((entry) => alike(line, entry))
    : EACH.has(line.kind) && queue.every(({ kind, body }) => kind === line.kind && body.by !== line.body.by);
};

/**
 * @param {Line[]} theirs what others entered meanwhile
 * @param {Line[]} shown the lines of the sheet with it
 * @param {Entry[]} queue what waits here
 * @returns {Differences}
 */
export const differences = (theirs, shown, queue) => {
  // That a seat was opened for a phone differs from nothing that is entered, and no undo takes it back.
  const all = standing(theirs, shown).filter((line) => line.kind !== "seat");
  // Unless they took back what stood before.
  const older =
    !onlyPaid(queue) &&
    theirs.some((line) => line.replaces && !theirs.some((entered) => entered.seq === line.replaces));
  const count = (/** @type {Line[]} */ lines) => {
    const at = lines.findIndex((line, n) => !queue[n] || !alike(line, queue[n]));
    return at < 0 ? lines.length : at;
  };
  // Where they differ in nothing else, there is nothing to decide. Otherwise all is shown: an undo takes back the last.
  const lines = all.filter((line) => !fits(line, queue));
  const isSettled = !older && count(lines) === lines.length;
  const told = isSettled ? lines : all;
  return { lines: told, alikes: count(told), older };
};
