// The result of a match that is over: who won, and what it still waits for.

import { formats } from "../../clubs/formats.js";
import { other } from "./game.js";
import { hide } from "./part.js";
import { say } from "./words.js";

/**
 * @typedef {import("./play.js").Side} Side
 * @typedef {import("./sheet.js").View} View
 */

/** However many points a side had. */
const WITHOUT_WINNER = new Set(["double_no_show", "void"]);

/** @type {(view: View) => Side | ""} */
const winnerOf = ({ result, ended, ending, white, black }) => {
  if (ended) return ended.winner ?? "";
  if (result?.winner) return result.winner;
  if (white.points === black.points || WITHOUT_WINNER.has(ending ?? "")) return "";
  return white.points > black.points ? "white" : "black";
};

/** @type {(view: View) => string} */
export const resultWords = (view) => {
  const winner = winnerOf(view);
  if (!winner) return say("over_without");
  const { name, points } = view[winner];
  return say("wins_match", { name, points, other: view[other(winner)].points });
};

/** @type {(view: View, isKnown: boolean) => string} */
export const resultState = ({ result }, isKnown) => {
  if (!isKnown) return say("result_unsent");
  if (result?.final) return say("result_final");
  const waiting = result?.waiting_for ?? [];
  const until = result?.dispute_until;
  const state = waiting.length ? say("result_waiting", { names: waiting.join(", ") }) : "";
  return until ? `${state} ${say("result_until", { at: formats().moment(until) })}` : state;
};

/** @type {(part: import("./part.js").Part, view: View, isKnown: boolean) => void} */
export const drawResult = (part, view, isKnown) => {
  const over = view.status === "over";
  hide(part("result"), !over);
  if (!over) return;
  part("result-words").textContent = resultWords(view);
  part("result-state").textContent = resultState(view, isKnown);
  hide(part("confirm"), !view.result?.may_confirm);
  hide(part("object"), !view.result?.may_dispute);
};
