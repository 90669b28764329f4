// The last entry, which can be taken back: from the dock, and from where there is none.

import { hide, tell } from "./part.js";
import { say } from "./words.js";

/**
 * @typedef {import("./sheet.js").View} View
 *
 * @typedef {object} Entered
 * @property {Pick<View, "lines" | "result">} view
 * @property {string | null} pending the last unsent entry in words
 */

const FIXED = new Set(["match_start", "voided"]);

/**
 * What would be taken back, in words; "" where there is nothing. After the confirmation only a correction helps.
 * @type {(entered: Entered) => string}
 */
export const lastEntered = ({ view, pending }) => {
  if (pending !== null) return pending;
  if (view.result?.final) return "";
  return view.lines.filter(({ kind, undone }) => !undone && !FIXED.has(kind)).at(-1)?.words ?? "";
};

/**
 * The button below forms and result: there the dock, which has its own, is away.
 * @type {(button: HTMLElement, entered: Entered & { isWithoutDock: boolean }) => void}
 */
export const drawTakeBack = (button, { isWithoutDock, ...entered }) => {
  const what = isWithoutDock ? lastEntered(entered) : "";
  hide(button, !what);
  if (what) tell(/** @type {HTMLElement} */ (button.querySelector("span")), say("take_back", { what }));
};
