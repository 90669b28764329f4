// Everything on the board can be typed.

import { can } from "./sheet.js";

/**
 * @typedef {object} Parts
 * @property {import("./sheet.js").Sheet} sheet
 * @property {import("./turn.js").Turn} turn
 * @property {import("./taps.js").Does} does
 * @property {import("./taps.js").Touched} touched
 * @property {() => boolean} onBoard whether rolls and plays are recorded now
 */

/** @type {Record<string, string>} */
const KEYS = { d: "double", t: "take", p: "pass", b: "beaver", r: "resign", a: "accept" };

/**
 * What a key does now, or null for one that does nothing.
 * @type {(parts: Parts, event: KeyboardEvent) => (() => void) | null}
 */
const meaning = ({ sheet, turn, does, touched, onBoard }, { key, target }) => {
  if (key === "Backspace" || key === "u") return turn.moves.length ? does.undo : does.takeBack;
  if (!onBoard()) return null;
  const view = sheet.shown();
  const takesDice = ["opening", "turn", "roll"].includes(view.game.phase) || turn.isComplete;
  if (key >= "1" && key <= "6" && takesDice) return () => does.die(Number(key));
  if (key === "Enter" && !target.closest("button, a, summary, [tabindex]:not(main)")) return does.done;
  if (key === "s") return touched.dice;
  if (KEYS[key] === "resign") return does.resign;
  return KEYS[key] && can(view, KEYS[key]) ? () => sheet.record(KEYS[key], {}) : null;
};

/** @type {(parts: Parts) => void} */
export const listenForKeys = (parts) => {
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !parts.sheet.mayWrite) return;
    if (event.target.closest("input, textarea, select, dialog, [contenteditable]")) return;
    const act = meaning(parts, event);
    if (!act) return;
    act();
    event.preventDefault();
  });
};
