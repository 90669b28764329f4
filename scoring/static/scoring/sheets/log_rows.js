// Rows of a log, of a scoresheet as of a chouette: entries that wait on this device, and what is recorded.

import { formats } from "../../clubs/formats.js";
import { make, say } from "./words.js";

/**
 * @typedef {{ words: string, unchecked?: boolean }} Waiting an entry that is not recorded yet
 * @typedef {{ kind: string, words: string, at: string, undone: boolean, corrected: boolean }} Recorded
 */

// The start, moved seats and deleted entries cannot be corrected.
const FIXED = new Set(["match_start", "voided", "chouette_start", "seat", "nothing"]);

/** @type {(row: Waiting) => HTMLElement} */
export const waitingRow = (row) =>
  make(
    "li",
    { class: "waiting" },
    make("span", {}, row.words),
    make("span", { class: "badge unsent" }, say(row.unchecked ? "badge_unchecked" : "badge_unsent")),
  );

/**
 * `notes` are told after the time; without `correct` the row has no button.
 * @template {Recorded} Line
 * @param {Line} line
 * @param {{ correct: ((line: Line) => void) | null, notes: (string | false)[] }} more
 * @returns {HTMLElement}
 */
export const recordedRow = (line, { correct, notes }) => {
  const button =
    correct && !line.undone && !FIXED.has(line.kind)
      ? make(
          "button",
          {
            type: "button",
            class: "plain",
            onclick: () => correct(line),
            "aria-label": say("correct_line", { what: line.words }),
          },
          say("correct"),
        )
      : null;
  const note = [formats().timeOfDay(line.at), ...notes].filter(Boolean).join(" · ");
  return make(
    "li",
    { class: line.undone ? "undone" : "" },
    make(
      "div",
      {},
      make(line.undone ? "s" : "span", {}, line.words),
      " ",
      make("span", { class: "muted small" }, note),
    ),
    button,
  );
};
