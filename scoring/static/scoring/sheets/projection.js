// What a sheet will look like once the unsent entries are on it, and what may be entered then. The server decides, later;
// tests/scoring/sheets/test_page_rules.py holds what is predicted here against its rules (scoring/rules).

import { legalPlays } from "../rules/plays.js";
import { whyNot, whyNotKind } from "../rules/refusals.js";
import { PREDICTED, predictedActions } from "./actions.js";
import { follow, STEPS } from "./game.js";
import { say } from "./words.js";

/**
 * @typedef {import("./game.js").SheetView} SheetView
 * @typedef {import("./play.js").Position} Position
 */

const OF_DIRECTORS = ["penalty", "ruling"]; // the length, too, of an event's match

/**
 * What the server does not offer to whoever looks at the page, although the rules allow it, now or later.
 * @param {SheetView} view
 * @param {Position} starting
 */
export const barred = (view, starting) => {
  const told = new Set(view.actions.map(({ kind }) => kind));
  const allowed = predictedActions(view, starting).map(({ kind }) => kind);
  const kinds = view.directs ? allowed : [...allowed, ...OF_DIRECTORS];
  return new Set(kinds.filter((kind) => !told.has(kind)));
};

/**
 * Why what is predicted here may not be entered, in the server's words.
 * @param {SheetView} view
 * @param {Position} starting
 */
const refusalsOf = (view, starting) =>
  Object.fromEntries(
    PREDICTED.flatMap((kind) => {
      const why = whyNotKind(view, kind, starting);
      return why ? [[kind, say(why.name, why.values)]] : [];
    }),
  );

/** @type {{ key: string, plays: import("../rules/plays.js").Plays | null }} the plays found last: they are asked for at each tap */
let last = { key: "", plays: null };

/**
 * The legal plays of the roll that is played now.
 * @param {Pick<SheetView["game"], "phase" | "on_roll" | "roll" | "position">} game
 */
export const playsOf = ({ phase, on_roll: side, roll, position }) => {
  if (phase !== "moving" || !side || !roll) return null;
  const key = JSON.stringify([side, roll, position]);
  if (key !== last.key) last = { key, plays: legalPlays(position, side, roll) };
  return last.plays;
};

/**
 * What entries change of a view, as a copy. The log, the longest part of it, stays what it is.
 * @param {SheetView} view
 */
const copyOf = ({ white, black, game, games, timeline }) =>
  structuredClone({ white, black, game, games, timeline });

/**
 * The view with the entries on it; the view itself stays as it is. An entry that makes no sense where it stands leaves
 * it alone: the server will say what is wrong.
 * @template {SheetView} View
 * @param {View} view
 * @param {{ kind: string, body: any }[]} entries
 * @param {Position} starting
 * @param {Set<string>} [never] kinds that the server does not offer; those of the view, unless it goes on from another
 * @returns {View}
 */
export const projected = (view, entries, starting, never = barred(view, starting)) => {
  if (!entries.length) return view;
  /** @type {View} */
  const ahead = { ...view, ...copyOf(view), plays: null, result: null };
  for (const entry of entries) {
    const { kind, body } = entry;
    const isVoid =
      (kind === "roll" && body.void) || (kind === "double" && body.status && body.status !== "ok");
    if (isVoid || !STEPS[kind] || whyNot(ahead, entry, starting)) continue;
    STEPS[kind](ahead, body, starting);
    follow(ahead);
  }
  ahead.plays = ahead.status === "playing" ? playsOf(ahead.game) : null;
  const isOther = (/** @type {string} */ kind) => !PREDICTED.includes(kind);
  ahead.actions = [
    ...predictedActions(ahead, starting).filter(({ kind }) => !never.has(kind)),
    ...view.actions.filter(({ kind }) => isOther(kind)),
  ];
  const told = Object.entries(view.refusals).filter(([kind]) => isOther(kind) || never.has(kind));
  ahead.refusals = { ...refusalsOf(ahead, starting), ...Object.fromEntries(told) };
  return ahead;
};
