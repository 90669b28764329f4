// What a sheet will look like once the unsent entries are on it, and what may be entered then. The server decides, later;
// tests/scoring/sheets/test_page_rules.py holds what is predicted here against its rules (scoring/rules).

import { MAY, PREDICTED, predictedActions } from "./actions.js";
import { legalPlays } from "../rules/plays.js";
import { follow, STEPS } from "./game.js";

/**
 * @typedef {import("./game.js").SheetView} SheetView
 * @typedef {import("./play.js").Position} Position
 */

/**
 * What the rules allow and the server does not offer to whoever looks at the page.
 * @param {SheetView} view
 * @param {Position} starting
 */
const barred = (view, starting) => {
  const told = new Set(view.actions.map(({ kind }) => kind));
  return new Set(predictedActions(view, starting).flatMap(({ kind }) => (told.has(kind) ? [] : [kind])));
};

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
 * The view with the entries on it; the view itself stays as it is. An entry that makes no sense where it stands leaves
 * it alone: the server will say what is wrong.
 * @template {SheetView} View
 * @param {View} view
 * @param {{ kind: string, body: any }[]} entries
 * @param {Position} starting
 * @returns {View}
 */
export const projected = (view, entries, starting) => {
  if (!entries.length) return view;
  /** @type {View} */
  const ahead = structuredClone({ ...view, plays: null, result: null });
  for (const { kind, body } of entries) {
    const isVoid =
      (kind === "roll" && body.void) || (kind === "double" && body.status && body.status !== "ok");
    if (isVoid || ahead.status !== "playing" || !MAY[kind]?.(ahead, starting)) continue;
    STEPS[kind](ahead, body, starting);
    follow(ahead);
  }
  ahead.plays = ahead.status === "playing" ? playsOf(ahead.game) : null;
  const never = barred(view, starting);
  const isOther = (/** @type {string} */ kind) => !PREDICTED.includes(kind);
  ahead.actions = [
    ...predictedActions(ahead, starting).filter(({ kind }) => !never.has(kind)),
    ...view.actions.filter(({ kind }) => isOther(kind)),
  ];
  ahead.refusals = Object.fromEntries(Object.entries(view.refusals).filter(([kind]) => isOther(kind)));
  return ahead;
};
