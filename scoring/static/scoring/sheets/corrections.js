// An entry of the log is corrected: as a text, as the result of a game, or taken away.

import { dialog, fail, fieldOf, fieldsOf, forgetProblem } from "./dialog.js";
import { sendCorrection } from "./sending_corrections.js";
import { CORRECTABLE, corrected, UnreadableError } from "./reading.js";
import { say } from "./words.js";

/**
 * @typedef {import("./log.js").Line} Line
 * @typedef {import("./sync.js").Sync} Sync
 */

/** What a point is called here, for those who type it. */
export const names = () => ({ bar: say("bar"), off: say("off") });

/**
 * What a form says; null when it cannot be read, and the form says why.
 * @template T
 * @param {HTMLFormElement} form
 * @param {() => T} work
 */
export const readForm = (form, work) => {
  try {
    forgetProblem(form);
    return work();
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    fail(form, say(error.words, error.values));
    return null;
  }
};

export class Corrections {
  /** @type {Line | null} the line that is corrected */
  line = null;

  /** @param {{ sync: Sync, open: (name: string) => void }} parts */
  constructor({ sync, open }) {
    this.sync = sync;
    this.open = open;
    dialog("correct")
      .querySelector("form")
      .addEventListener("submit", (event) => this.submit(event));
    dialog("refused")
      .querySelector("form")
      .addEventListener("submit", (event) => this.submitRefused(event));
  }

  /** @param {Line} line */
  correct(line) {
    this.line = line;
    const found = dialog("correct");
    const form = found.querySelector("form");
    form.reset();
    forgetProblem(form);
    found.querySelector("[data-what]").textContent = line.words;
    found.querySelector("[data-cut]").hidden = true;
    const known = line.body ? CORRECTABLE[line.kind] : undefined;
    found.querySelector("[data-field]").hidden = !known;
    found.querySelector("[data-game]").hidden = line.kind !== "game_result";
    if (known) fieldOf(form, "value").value = known.write(line.body);
    if (line.kind === "game_result" && line.body) {
      for (const name of ["winner", "win", "cube", "ended"])
        fieldOf(form, name).value = String(line.body[name]);
    }
    fieldOf(form, "away").closest("label").hidden = false;
    this.open("correct");
  }

  /** @param {SubmitEvent} event */
  async submit(event) {
    event.preventDefault();
    const form = event.target;
    const fields = fieldsOf(form);
    const entry = readForm(form, () => corrected(this.line, fields, names()));
    if (!entry) return;
    await sendCorrection(this.sync, event, { seq: this.line.seq, why: fields.why, entry });
  }

  /**
   * A refused entry that can be written as a text is corrected where it is shown.
   * @type {import("./conflicts.js").FillRefused}
   */
  fillRefused(found, row, later) {
    const form = found.querySelector("form");
    const known = CORRECTABLE[row.kind];
    found.querySelector("[data-field]").hidden = !known;
    if (known) fieldOf(form, "value").value = known.write(row.body);
    forgetProblem(form);
    found.querySelector("[data-later]").textContent = later ? say("later_entries", { count: later }) : "";
  }

  /** @param {SubmitEvent} event */
  async submitRefused(event) {
    event.preventDefault();
    const form = event.target;
    const { row } = this.sync.refused;
    const body = readForm(form, () => CORRECTABLE[row.kind].read(fieldOf(form, "value").value, names()));
    if (!body) return;
    dialog("refused").close();
    await this.sync.replaceRefused({ kind: row.kind, body });
  }
}
