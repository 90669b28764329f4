// How much is recorded: rolls and plays on the board, or games and results in forms. It is chosen between games; the rest of a
// game that has begun is left to its result where someone asks for that.

import { GameForm, ScoreForm } from "./forms.js";
import { hide, put } from "./part.js";
import { prefer, prefs } from "./prefs.js";
import { projected } from "./projection.js";

export class Depth {
  /** The number of the game whose result is recorded in the place of its rolls, once that was asked for. */
  shortened = 0;

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
        if (this.isBetween(sheet.shown())) prefer("depth", { ...prefs.depth, [match]: button.value });
        else if (button.value === "full") this.shortened = 0;
        sheet.render();
      });
    }
    this.asks = document.querySelector("[data-does-shorten]");
    this.asks?.addEventListener("click", () => {
      this.asks.closest("dialog").close();
      this.shortened = sheet.shown().game.number;
      sheet.render();
    });
  }

  /** @param {import("./sheet.js").View} view */
  isBetween(view) {
    return view.game.phase === "opening" && view.status === "playing" && this.sheet.mayWrite;
  }

  /**
   * Whether a game is played, of which more can be recorded here.
   * @param {import("./sheet.js").View} view
   */
  isWithin(view) {
    return !["opening", "over"].includes(view.game.phase) && view.status === "playing" && this.sheet.mayWrite;
  }

  /**
   * @param {import("./sheet.js").View} view
   */
  isShortened(view) {
    return this.shortened === view.game.number && this.isWithin(view);
  }

  /**
   * How much is recorded now: between games as it was chosen, within a game its rolls unless its result was asked for.
   * @param {import("./sheet.js").View} view
   */
  chosen(view) {
    if (this.isBetween(view)) return this.sheet.depth;
    return this.isShortened(view) ? "games" : "full";
  }

  /**
   * After the last game the result is what people look for, and answer.
   * @param {import("./sheet.js").View} view
   */
  hidesBoard(view) {
    return view.status === "over" || this.chosen(view) !== "full";
  }

  /**
   * Whether it can be chosen how much is recorded.
   * @param {import("./sheet.js").View} view
   */
  isOffered(view) {
    return this.isBetween(view) || this.isShortened(view);
  }

  /**
   * Whether it is drawn in the frame of a tap: a form is empty before a second tap on its button, and a board goes or
   * comes at once.
   * @param {import("./sheet.js").View} view
   */
  isDrawnAtOnce(view) {
    return this.chosen(view) !== "full" || this.part("board").hidden !== this.hidesBoard(view);
  }

  /**
   * Whether the choice above the board, and with it the board's place, is another than is drawn.
   * @param {import("./sheet.js").View} view
   */
  movesBoard(view) {
    return this.root.hasAttribute("data-between") !== this.isOffered(view);
  }

  /** @param {import("./sheet.js").View} view */
  draw(view) {
    const { part, sheet } = this;
    const isOffered = this.isOffered(view);
    hide(part("depth"), !isOffered);
    this.root.toggleAttribute("data-between", isOffered);
    const chosen = this.chosen(view);
    for (const button of this.buttons) {
      put(button, "aria-pressed", String(button.value === chosen));
      hide(button, button.value === "result" && !this.isBetween(view)); // the game comes first
    }
    if (this.asks?.parentElement) hide(this.asks.parentElement, !this.isWithin(view) || isOffered);
    hide(part("game-form"), chosen !== "games");
    hide(part("score-form"), chosen !== "result");
    const hidesBoard = this.hidesBoard(view);
    if (part("board").hidden !== hidesBoard) window.scrollTo({ top: 0, behavior: "instant" }); // what comes is in sight
    hide(part("board"), hidesBoard);
    part("dock").classList.toggle("off", chosen !== "full");
    this.gameForm.draw(view, sheet.sync.isBusy);
    this.scoreForm.draw(view, sheet.sync.isBusy);
  }
}
