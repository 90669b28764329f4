// Whether this page knows by itself that an entry is right.

import { MAY } from "./actions.js";

/** These are right or wrong by themselves. */
const SHALLOW = new Set(["game_result", "final_score", "ruling"]);

/**
 * @param {{ kind: string, body: any }} entry
 * @param {Pick<import("./game.js").SheetView, "actions">} view the sheet before it
 */
export const isCheckedHere = ({ kind, body }, { actions }) => {
  if (SHALLOW.has(kind)) return true;
  // What was irregular at the table is for the server to judge.
  if (body.status || body.void) return false;
  return kind in MAY && actions.some((action) => action.kind === kind);
};
