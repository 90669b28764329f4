// What a turn comes to on the sheet: its dice and its play as entries.

import { other } from "./game.js";
import { asTold } from "./play.js";

/**
 * @typedef {{ kind: string, body: object }} Entry
 */

/** @type {(first: number, second: number, phase: string) => Entry} */
export const rollEntry = (first, second, phase) =>
  phase === "opening"
    ? { kind: "opening_roll", body: { white: first, black: second } }
    : { kind: "roll", body: { dice: [first, second] } };

/** @type {(turn: import("./turn.js").Turn) => Entry} */
export const playEntry = (turn) => {
  const { moves, mover, noticed, position, status } = turn;
  if (turn.mode !== "illegal") return { kind: "play", body: moves.length ? { moves } : {} };
  const opponent = other(mover);
  const accepted = status !== "illegal_corrected" && noticed ? { accepted_by: opponent } : {};
  return {
    kind: "play",
    body: {
      moves,
      status,
      result: asTold(position[mover], position[opponent]),
      ...accepted,
    },
  };
};
