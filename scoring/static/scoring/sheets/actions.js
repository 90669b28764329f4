// What may be entered on a sheet next, as far as a page can say.

import { JUDGED, whyNotKind } from "../rules/refusals.js";
import { isJacoby, SIDES } from "./game.js";

/**
 * @typedef {import("./game.js").Action} Action
 * @typedef {import("./game.js").SheetView} SheetView
 * @typedef {import("./play.js").Position} Position
 */

/** The kinds of entry that are predicted here; all others wait for the server. */
export const PREDICTED = JUDGED;
const BY_NEITHER = new Set([
  ...["opening_roll", "game_result", "final_score"],
  ...["set_position", "match_end", "suspend", "resume", "set_length", "penalty", "ruling"],
]);

/**
 * @param {SheetView} view
 * @param {Position} starting
 * @returns {Action[]}
 */
export const predictedActions = (view, starting) => {
  const levels = isJacoby(view) ? [1] : [1, 2, 3];
  const resigning = SIDES.map((by) => ({ kind: "resign", by, levels }));
  /** @type {(kind: string) => Action} */
  const single = (kind) => ({ kind, by: BY_NEITHER.has(kind) ? null : view.game.to_act, levels: [] });
  return PREDICTED.filter((kind) => !whyNotKind(view, kind, starting)).flatMap((kind) =>
    kind === "resign" ? resigning : [single(kind)],
  );
};
