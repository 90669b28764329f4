// The dialog to correct or delete a log entry.

import { option } from "./choices.js";
import { edited, editFields } from "./edits.js";
import { named } from "./projection.js";
import { corrected, decimalOf } from "./typed.js";
import { dialog, fail, fieldsOf, forgetProblem } from "../sheets/dialog.js";
import { sendCorrection } from "../sheets/sending_corrections.js";
import { make, say } from "../sheets/words.js";

/**
 * @typedef {import("./choices.js").Parts} Parts
 * @typedef {import("./projection.js").Line} Line
 * @typedef {import("./projection.js").TableView} TableView
 */

/**
 * Values of a kind's fields in the page, from the entry.
 * @type {Record<string, (body: any, decimals: number) => Record<string, string>>}
 */
const FILLED = {
  game_over: ({ box_won: boxWon, win, ended = "borne_off" }) => ({
    winner: boxWon ? "box" : "team",
    win: String(win),
    ended,
  }),
  settle: ({ points }) => ({ points: String(points) }),
  take_over: ({ points }) => ({ points: String(points) }),
  stake: ({ stake }, decimals) => ({ stake: decimalOf(stake, decimals) }),
  join: ({ stake }, decimals) => ({ stake: decimalOf(stake, decimals) }),
};

/** @type {(body: { takes?: string[], passes?: string[] }, view: TableView) => HTMLElement[]} an answer for each cube */
const answerFields = ({ takes = [], passes = [] }, view) => {
  const field = (/** @type {string} */ key, /** @type {string} */ word) => {
    const choose = make(
      "select",
      { name: `answer ${key}` },
      option("take", say("take")),
      option("pass", say("pass")),
    );
    choose.value = word;
    const names = key.split(">").map((ref) => named(view, ref));
    return make("label", {}, names.join(" – "), choose);
  };
  return [...takes.map((key) => field(key, "take")), ...passes.map((key) => field(key, "pass"))];
};

/**
 * The place for the fields of other kinds.
 * @param {HTMLFormElement} form
 */
const editSet = (form) => {
  const found = form.querySelector("[data-edit]");
  if (found) return found;
  const made = make("fieldset", { class: "bare", "data-edit": "" });
  form.prepend(made);
  return made;
};

export class Corrections {
  /** @type {Line | null} the line that is corrected */
  line = null;

  /** @param {Pick<Parts, "sync" | "shown"> & { decimals: number, open: (name: string) => void }} parts */
  constructor({ sync, shown, decimals, open }) {
    this.sync = sync;
    this.shown = shown;
    this.decimals = decimals;
    this.open = open;
    dialog("correct")
      .querySelector("form")
      .addEventListener("submit", (event) => this.submit(event));
  }

  /** @param {Line} line */
  correct(line) {
    this.line = line;
    const { kind, body } = line;
    const view = this.shown();
    const found = dialog("correct");
    const form = found.querySelector("form");
    form.reset();
    found.querySelector("[data-what]").textContent = line.words;
    form.querySelector("[data-cut]").hidden = true;
    for (const set of form.querySelectorAll("fieldset[data-of]")) {
      set.hidden = !set.dataset.of.split(" ").includes(kind);
      set.disabled = set.hidden;
    }
    for (const [name, value] of Object.entries(FILLED[kind]?.(body, this.decimals) ?? {})) {
      const field = /** @type {HTMLInputElement | RadioNodeList} */ (form.elements.namedItem(name));
      field.value = value;
    }
    if (kind === "answer")
      form.querySelector("[data-answers-of]").replaceChildren(...answerFields(body, view));
    editSet(form).replaceChildren(...editFields(kind, body, view));
    forgetProblem(form);
    this.open("correct");
  }

  /**
   * @param {HTMLFormElement} form
   * @param {Record<string, string>} fields
   */
  entry(form, fields) {
    const { kind, body } = this.line;
    const known = corrected(this.line, fields, this.decimals);
    if (known) return known;
    const typed = edited(kind, form, body);
    return typed && { kind, body: typed };
  }

  /** @param {SubmitEvent} event */
  async submit(event) {
    event.preventDefault();
    const form = event.target;
    const fields = fieldsOf(form);
    const entry = this.entry(form, fields);
    if (!entry) {
      fail(form, say("only_away"));
      return;
    }
    await sendCorrection(this.sync, event, { seq: this.line.seq, why: fields.why, entry });
  }
}
