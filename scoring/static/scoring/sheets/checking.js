// Whether an entry is right, as far as this page knows.

import { whyNot } from "../rules/refusals.js";
import { say } from "./words.js";

/**
 * @typedef {{ kind: string, body: any }} Entry
 * @typedef {import("./game.js").SheetView} SheetView
 */

/**
 * Why an entry is refused, in the server's words; "" for one that is right.
 * @type {(entry: Entry, view: SheetView, starting: import("./play.js").Position) => string}
 */
export const refusalWords = (entry, view, starting) => {
  const why = whyNot(view, entry, starting);
  if (why) return say(why.name, why.values);
  const { kind, body } = entry;
  if (body.void || body.status || view.actions.some((action) => action.kind === kind)) return "";
  return view.refusals[kind] ?? "";
};
