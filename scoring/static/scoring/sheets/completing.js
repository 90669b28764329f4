// The field where lines are typed, and under it the legal plays that complete the line: a combobox as WAI-ARIA describes it.
// It is loaded once the field is used (transcribing.js), asks with "midpoint:completes" and is told with "midpoint:game".

import { completions } from "./completions.js";
import { writtenPlays } from "./written_plays.js";

/**
 * @typedef {import("./game.js").Game} Game
 * @typedef {import("./completions.js").Plays} Plays
 * @typedef {import("./written_plays.js").Tools} Tools
 */

/** @type {(line: string, at: number) => HTMLLIElement} */
const optionOf = (line, at) => {
  const option = document.createElement("li");
  option.setAttribute("role", "option");
  option.id = `completion-${at}`;
  option.textContent = line;
  return option;
};

class Completing {
  /** @type {string[]} */
  lines = [];
  /** which of them is lit, -1 for none */
  lit = -1;

  /** @type {Game | null} the game that the next line goes on with, null while that is not known */
  game = null;
  /** @type {Plays} */
  plays = () => [];

  /** @param {HTMLFormElement} form */
  constructor(form) {
    this.form = form;
    this.field = /** @type {HTMLInputElement} */ (form.querySelector("[role=combobox]"));
    this.list = /** @type {HTMLElement} */ (form.querySelector("[role=listbox]"));
    for (const name of ["input", "focus"]) this.field.addEventListener(name, () => this.draw());
    form.addEventListener("midpoint:game", (event) => {
      const { game, ...tools } = /** @type {CustomEvent<Tools & { game: Game | null }>} */ (event).detail;
      this.game = game;
      this.plays = writtenPlays(tools);
      this.draw();
    });
    form.dispatchEvent(new Event("midpoint:completes"));
    this.field.addEventListener("blur", () => this.close());
    form.addEventListener("submit", () => this.close());
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
    const isTyped = document.activeElement === this.field;
    const lines = this.game && isTyped ? completions(this.game, this.field.value, this.plays) : [];
    if (String(lines) === String(this.lines)) return;
    this.lines = lines;
    this.list.replaceChildren(...lines.map(optionOf));
    this.light(-1);
    this.list.hidden = !lines.length;
    this.field.setAttribute("aria-expanded", String(lines.length > 0));
  }

  close() {
    this.lines = [];
    this.list.replaceChildren();
    this.light(-1);
    this.list.hidden = true;
    this.field.setAttribute("aria-expanded", "false");
  }

  /** @param {number} at */
  light(at) {
    this.lit = at;
    for (const [n, option] of [...this.list.children].entries())
      option.setAttribute("aria-selected", String(n === at));
    const option = this.list.children[at];
    if (!option) {
      this.field.removeAttribute("aria-activedescendant");
      return;
    }
    this.field.setAttribute("aria-activedescendant", option.id);
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

new Completing(/** @type {HTMLFormElement} */ (document.querySelector("form.typed")));
