// The table's dialogs and their forms.

import { codeDialogs } from "./code_dialogs.js";
import { Corrections } from "./corrections.js";
import { gameDialogs } from "./game_dialogs.js";
import { seatDialogs } from "./seat_dialogs.js";
import { entriesOf } from "./typed.js";
import { Conflicts } from "../sheets/conflicts.js";
import { dialog, fieldOf, fieldsOf, showAlone } from "../sheets/dialog.js";
import { say } from "../sheets/words.js";

/** @typedef {import("./choices.js").Parts} Parts */

/** @type {import("../sheets/conflicts.js").FillRefused} */
const fillRefused = (found, _row, later) => {
  found.querySelector("[data-later]").textContent = later > 0 ? say("refused_later", { count: later }) : "";
  found.querySelector("[data-forget=all]").hidden = later < 1;
};

export class Dialogs {
  /** @param {Parts} parts */
  constructor({ sync, record, shown, config, ask }) {
    this.record = record;
    this.shown = shown;
    this.config = config;
    const open = (/** @type {string} */ name) => this.open(name);
    this.corrections = new Corrections({ sync, shown, decimals: config.decimals, open });
    this.conflicts = new Conflicts({ sync, open, fillRefused });
    /** @type {Record<string, import("./choices.js").Fill>} */
    this.fill = {
      ...gameDialogs(record, ask),
      ...seatDialogs(record),
      ...codeDialogs({ sync, shown }),
      rules: (found) => found.querySelector("form")?.reset(),
    };
    this.listen();
  }

  listen() {
    for (const form of document.querySelectorAll("form[data-entry]"))
      form.addEventListener("submit", (event) => this.submit(event, form));
    for (const button of document.querySelectorAll("[data-close]"))
      button.addEventListener("click", () => button.closest("dialog").close());
    for (const button of document.querySelectorAll("[data-shows]"))
      button.addEventListener("click", () => this.open(button.dataset.shows));
    document.getElementById("house-form")?.addEventListener("submit", (event) => {
      event.preventDefault();
      const { house } = fieldsOf(/** @type {HTMLFormElement} */ (event.target));
      dialog("rules").close();
      this.record([{ kind: "options", body: this.config.houses[house] }]);
    });
  }

  /**
   * Fill a dialog from the view and show it, closing any other.
   * @param {string} name
   * @param {any} value
   */
  open(name, value = null) {
    this.fill[name]?.(dialog(name), this.shown(), value);
    showAlone(dialog(name));
  }

  /**
   * @param {SubmitEvent} event
   * @param {HTMLFormElement} form
   */
  submit(event, form) {
    event.preventDefault();
    const fields = fieldsOf(form);
    if (fields.member) fields.label = fields.member_name;
    else if (form.dataset.entry === "join" && fields.member_name?.trim())
      return fieldOf(form, "member_name").focus();
    else if (form.dataset.entry === "join" && !fields.name.trim()) return fieldOf(form, "name").focus();
    const entries = entriesOf(form.dataset.entry, fields, this.config.decimals);
    form.closest("dialog").close();
    form.reset();
    this.record(entries.map((entry) => ({ ...entry, label: fields.label })));
    return undefined;
  }

  /** @param {import("./projection.js").Line} line */
  correct(line) {
    this.corrections.correct(line);
  }

  refused() {
    this.conflicts.refused();
  }

  draw() {
    this.conflicts.draw();
  }
}
