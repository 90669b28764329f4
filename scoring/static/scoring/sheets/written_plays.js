// The legal plays of a roll as they are written and typed.

/**
 * @typedef {object} Tools of the page, which is loaded without this file and shares none with it
 * @property {typeof import("../rules/plays.js").legalSequences} legalSequences
 * @property {typeof import("./play.js").notation} notation
 *
 * @typedef {(position: import("./play.js").Position, side: import("./play.js").Side, roll: number[]) => Written[]} Plays
 * @typedef {import("./play.js").Move} Move
 * @typedef {{ words: string, moves: Move[] }} Written
 */

const NAMES = { bar: "bar", off: "off" }; // as the server reads them, in every language

/**
 * Each legal play in the words of the field, once for each set of moves that makes it.
 * @type {(tools: Tools) => Plays}
 */
export const writtenPlays =
  ({ legalSequences, notation }) =>
  (position, side, roll) => {
    /** @type {Map<string, Written>} */
    const found = new Map();
    for (const moves of legalSequences(position, side, roll)) {
      const same = [...moves].sort().join(" ");
      if (!found.has(same)) found.set(same, { words: notation(position, side, moves, NAMES), moves });
    }
    return [...found.values()];
  };
