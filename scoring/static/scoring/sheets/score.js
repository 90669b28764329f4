// The head of the sheet: names, points, pips, and whom the match waits for where nothing can be entered.

import { SIDES } from "./game.js";
import { hide, tell } from "./part.js";
import { pips } from "./play.js";
import { say } from "./words.js";

/**
 * @typedef {import("./sheet.js").View} View
 * @typedef {import("./part.js").Part} Part
 */

/** @type {(root: HTMLElement, part: Part, shown: { view: View, position: import("./play.js").Position, sign: string }) => void} */
export const drawScore = (root, part, { view, position, sign }) => {
  for (const side of SIDES) {
    const place = /** @type {HTMLElement} */ (root.querySelector(`[data-player="${side}"]`));
    const put = (/** @type {string} */ name, /** @type {string} */ words) =>
      tell(/** @type {HTMLElement} */ (place.querySelector(`[data-value="${name}"]`)), words);
    put("name", view[side].name);
    put("points", String(view[side].points));
    put("away", view.length ? say("away", { count: view[side].away }) : "");
    const penalty = view[side].penalty_points;
    put("penalty", penalty ? say("by_penalty", { count: penalty }) : "");
    put("pips", say("pips", { count: pips(position[side]) }));
    place.toggleAttribute("data-turn", view.status === "playing" && view.game.to_act === side);
  }
  tell(part("length"), view.length ? say("length", { count: view.length }) : say("money"));
  tell(part("sign"), sign);
  hide(part("sign"), !sign);
};

/**
 * Whom the match waits for, for those who enter nothing.
 * @type {(view: View, mayWrite: boolean) => string}
 */
export const statusWords = (view, mayWrite) => {
  if (view.status === "suspended") return say("suspended");
  if (view.status === "over" || mayWrite) return "";
  const { phase, to_act: side, roll } = view.game;
  if (phase === "opening") return say("waiting_opening");
  if (phase === "moving")
    return say("to_move", { name: side ? view[side].name : "", roll: roll?.join("-") ?? "" });
  return side ? say("waiting_for", { name: view[side].name }) : "";
};
