// The legal plays of a roll as they are written and typed.

import { legalSequences } from "../rules/plays.js";
import { notation } from "./play.js";

/**
 * @typedef {import("./play.js").Move} Move
 * @typedef {{ words: string, moves: Move[] }} Written
 */

const NAMES = { bar: "bar", off: "off" }; // as the server reads them, in every language

/**
 * Each legal play in the words of the field, once for each set of moves that makes it.
 * @type {(position: import("./play.js").Position, side: import("./play.js").Side, roll: number[]) => Written[]}
 */
export const writtenPlays = (position, side, roll) => {
  /** @type {Map<string, Written>} */
  const found = new Map();
  for (const moves of legalSequences(position, side, roll)) {
    const same = [...moves].sort().join(" ");
    if (!found.has(same)) found.set(same, { words: notation(position, side, moves, NAMES), moves });
  }
  return [...found.values()];
};
