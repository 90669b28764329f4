// The two shallow depths: the result of a game, and the final score.

import { whyNot } from "../rules/refusals.js";
import { tell } from "./part.js";
import { say } from "./words.js";

/**
 * @typedef {import("./play.js").Side} Side
 * @typedef {import("./game.js").SheetView} SheetView
 */

/** @type {Side[]} */
const SIDES = ["white", "black"];
const WIN_NAMES = ["", "single", "gammon", "backgammon"];

export class GameForm {
  /**
   * @param {HTMLFormElement} form
   * @param {(kind: string, body: object) => unknown} record
   * @param {(view: SheetView, body: object) => SheetView} after the sheet with such a result on it
   */
  constructor(form, record, after) {
    this.form = form;
    this.after = after;
    /** @type {SheetView | null} */
    this.view = null;
    this.drawn = "";
    form.addEventListener("change", () => this.preview());
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const body = this.read();
      if (!body) this.words("form_winner", {});
      else record("game_result", body);
    });
  }

  read() {
    const data = new FormData(this.form);
    if (!data.get("winner")) return null;
    const ended = data.get("ended");
    const win = ended === "pass" ? 1 : Number(data.get("win"));
    return {
      winner: /** @type {Side} */ (data.get("winner")),
      win,
      cube: this.view.crawford === "now" ? 1 : Number(data.get("cube")),
      ended,
    };
  }

  /**
   * Begin anew for each game; the score of the next one is worked out as it is filled in.
   * @param {SheetView} view
   * @param {boolean} sending
   */
  draw(view, sending) {
    this.view = view;
    const { number, cube } = view.game;
    const game = `${number}:${view.white.points}:${view.black.points}:${cube.value}`;
    const isAnother = game !== this.drawn;
    if (isAnother) this.form.reset();
    this.drawn = game;
    for (const input of this.form.querySelectorAll("input[name=cube]")) {
      input.disabled = Number(input.value) < cube.value; // a cube never falls
      if (isAnother) input.checked = Number(input.value) === cube.value;
    }
    for (const side of SIDES) tell(this.form.querySelector(`[data-name="${side}"]`), view[side].name);
    tell(this.form.querySelector("[data-number]"), say("game_number", { number }));
    const crawford = view.crawford === "now";
    this.form.querySelector("[data-cube]").hidden = crawford;
    this.form.querySelector("[data-crawford]").hidden = !crawford;
    const pass = this.form.querySelector("input[value=pass]");
    pass.disabled = crawford;
    if (crawford && pass.checked) this.form.querySelector("input[value=borne_off]").checked = true;
    this.form.querySelector("button[type=submit]").disabled = sending;
    this.preview();
  }

  preview() {
    const body = this.read();
    const passed = new FormData(this.form).get("ended") === "pass";
    for (const input of this.form.querySelectorAll("input[name=win]"))
      input.disabled = passed && input.value !== "1";
    if (!body) {
      tell(this.form.querySelector("[data-preview]"), "");
      return;
    }
    const view = this.view;
    const after = this.after(view, body);
    const values = {
      name: view[body.winner].name,
      win: say(`win_${WIN_NAMES[body.win]}`),
      white: after.white.points,
      black: after.black.points,
    };
    this.words(after.status === "over" ? "preview_match" : "preview_game", values);
  }

  /**
   * @param {string} name
   * @param {Record<string, unknown>} values
   */
  words(name, values) {
    tell(this.form.querySelector("[data-preview]"), say(name, values));
  }
}

/**
 * What keeps a final score from being one, and whose points are wrong.
 * @type {(view: SheetView, points: Record<Side, number>) => { words: string, sides: Side[] }}
 */
export const wrongScore = (view, points) => {
  const untyped = SIDES.filter((side) => !(Number.isInteger(points[side]) && points[side] >= 0));
  if (untyped.length) return { words: say("form_points"), sides: untyped };
  const why = whyNot(view, { kind: "final_score", body: points }, view.game.position);
  if (!why) return { words: "", sides: [] };
  const wrong = SIDES.filter(
    (side) => points[side] < view[side].raw || (view.length && points[side] > view.length),
  );
  return { words: say(why.name, why.values), sides: wrong.length ? wrong : SIDES };
};

export class ScoreForm {
  /**
   * @param {HTMLFormElement} form
   * @param {(kind: string, body: object) => unknown} record
   */
  constructor(form, record) {
    this.form = form;
    /** @type {SheetView | null} */
    this.view = null;
    form.addEventListener("input", () => this.tell("", []));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const { words, sides } = wrongScore(this.view, {
        white: this.field("white").valueAsNumber,
        black: this.field("black").valueAsNumber,
      });
      this.tell(words, sides);
      if (sides.length) this.field(sides[0]).focus();
      else
        record("final_score", {
          white: this.field("white").valueAsNumber,
          black: this.field("black").valueAsNumber,
        });
    });
  }

  /** @type {(side: Side) => HTMLInputElement} */
  field(side) {
    return /** @type {HTMLInputElement} */ (this.form.elements.namedItem(side));
  }

  /**
   * @param {string} words what is wrong, or ""
   * @param {Side[]} sides whose points are
   */
  tell(words, sides) {
    this.form.querySelector("[data-wrong]").textContent = words;
    for (const side of SIDES)
      if (sides.includes(side)) this.field(side).setAttribute("aria-invalid", "true");
      else this.field(side).removeAttribute("aria-invalid");
  }

  /**
   * @param {SheetView} view
   * @param {boolean} sending
   */
  draw(view, sending) {
    this.view = view;
    for (const side of SIDES) {
      tell(this.form.querySelector(`[data-name="${side}"]`), view[side].name);
      this.field(side).min = String(view[side].points);
    }
    this.form.querySelector("button[type=submit]").disabled = sending;
  }
}
