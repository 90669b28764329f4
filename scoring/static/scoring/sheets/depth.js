// How much is recorded: rolls and plays on the board, or games and results in forms. It is chosen between games.

import { GameForm, ScoreForm } from "./forms.js";
import { hide, put } from "./part.js";
import { prefer, prefs } from "./prefs.js";
import { projected } from "./projection.js";

export class Depth {
  /** @param {{ root: HTMLElement, part: import("./part.js").Part, sheet: import("./sheet.js").Sheet }} parts */
  constructor({ root, part, sheet }) {
    this.root = root;
    this.part = part;
    this.sheet = sheet;
    const { match, starting } = sheet.config;
    const record = (/** @type {string} */ kind, /** @type {object} */ body) => sheet.record(kind, body);
    this.gameForm = new GameForm(/** @type {HTMLFormElement} */ (part("game-form")), record, (view, body) =>
      projected(view, [{ kind: "game_result", body }], starting),
    );
    this.scoreForm = new ScoreForm(/** @type {HTMLFormElement} */ (part("score-form")), record);
    this.buttons = part("depth").querySelectorAll("button");
    for (const button of this.buttons) {
      button.addEventListener("click", () => {
        prefer("depth", { ...prefs.depth, [match]: button.value });
        sheet.render();
      });
    }
  }

  /** @param {import("./sheet.js").View} view */
  isBetween(view) {
    return view.game.phase === "opening" && view.status === "playing" && this.sheet.mayWrite;
  }

  /**
   * After the last game the result is what people look for, and answer.
   * @param {import("./sheet.js").View} view
   */
  hidesBoard(view) {
    return view.status === "over" || (this.isBetween(view) && this.sheet.depth !== "full");
  }

  /**
   * Whether the board goes, comes or has another place than is drawn.
   * @param {import("./sheet.js").View} view
   */
  movesBoard(view) {
    const isBetween = this.root.hasAttribute("data-between");
    return isBetween !== this.isBetween(view) || this.part("board").hidden !== this.hidesBoard(view);
  }

  /** @param {import("./sheet.js").View} view */
  draw(view) {
    const { part, sheet } = this;
    const between = this.isBetween(view);
    hide(part("depth"), !between);
    this.root.toggleAttribute("data-between", between);
    for (const button of this.buttons) put(button, "aria-pressed", String(button.value === sheet.depth));
    const chosen = between ? sheet.depth : "full";
    hide(part("game-form"), chosen !== "games");
    hide(part("score-form"), chosen !== "result");
    hide(part("board"), this.hidesBoard(view));
    part("dock").classList.toggle("off", between && chosen !== "full");
    this.gameForm.draw(view, sheet.sync.isBusy);
    this.scoreForm.draw(view, sheet.sync.isBusy);
  }
}
