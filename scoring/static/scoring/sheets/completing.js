// The field where lines are typed, and under it the legal plays that complete the line: a combobox as WAI-ARIA describes it.

import { completions } from "./completions.js";
import { hide, put } from "./part.js";
import { make } from "./words.js";

/** @typedef {import("./game.js").Game} Game */

export class Completing {
  /** @type {string[]} */
  lines = [];
  /** which of them is lit, -1 for none */
  lit = -1;

  /**
   * @param {object} parts
   * @param {HTMLFormElement} parts.form
   * @param {() => Game | null} parts.game the game that the next line goes on with, null while that is not known
   */
  constructor({ form, game }) {
    this.form = form;
    this.game = game;
    this.field = /** @type {HTMLInputElement} */ (form.querySelector("[role=combobox]"));
    this.list = /** @type {HTMLElement} */ (form.querySelector("[role=listbox]"));
    for (const name of ["input", "focus"]) this.field.addEventListener(name, () => this.draw());
    this.field.addEventListener("blur", () => this.close());
    this.field.addEventListener("keydown", (event) => this.press(event));
    // The field keeps the focus: what is chosen is entered from there.
    this.list.addEventListener("pointerdown", (event) => event.preventDefault());
    this.list.addEventListener("mousedown", (event) => event.preventDefault());
    this.list.addEventListener("click", ({ target }) => {
      const at = [...this.list.children].indexOf(/** @type {Element} */ (target));
      if (at >= 0) this.enter(at);
    });
  }

  /** Show what completes the line as it is, if someone types it. */
  draw() {
    const game = document.activeElement === this.field ? this.game() : null;
    const lines = game ? completions(game, this.field.value) : [];
    if (String(lines) === String(this.lines)) return;
    this.lines = lines;
    this.list.replaceChildren(
      ...lines.map((line, at) => make("li", { role: "option", id: `completion-${at}` }, line)),
    );
    this.light(-1);
    hide(this.list, !lines.length);
    put(this.field, "aria-expanded", String(lines.length > 0));
  }

  close() {
    this.lines = [];
    this.list.replaceChildren();
    this.light(-1);
    hide(this.list, true);
    put(this.field, "aria-expanded", "false");
  }

  /** @param {number} at */
  light(at) {
    this.lit = at;
    for (const [n, option] of [...this.list.children].entries())
      put(option, "aria-selected", String(n === at));
    const option = this.list.children[at];
    if (!option) {
      this.field.removeAttribute("aria-activedescendant");
      return;
    }
    put(this.field, "aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const { key } = event;
    const count = this.lines.length;
    if (event.isComposing || !count) return;
    if (key === "ArrowDown") this.light(this.lit + 1 < count ? this.lit + 1 : 0);
    else if (key === "ArrowUp") this.light(this.lit > 0 ? this.lit - 1 : count - 1);
    else if (key === "Enter" && this.lit >= 0) this.enter(this.lit);
    else if (key === "Tab" && !event.shiftKey && (this.lit >= 0 || count === 1))
      this.fill(Math.max(this.lit, 0));
    else if (key === "Escape") this.close();
    else return;
    event.preventDefault();
  }

  /** @param {number} at */
  fill(at) {
    this.field.value = this.lines[at];
    this.draw();
  }

  /** @param {number} at */
  enter(at) {
    this.field.value = this.lines[at];
    this.close();
    this.form.requestSubmit();
  }
}
