// What can be recorded now, under the thumb: dice, the play as it grows, the cube, answers; and why not.

import { DoubleTaps } from "./double_taps.js";
import { morph } from "./morph.js";
import { hide, put } from "./part.js";
import { notation } from "./play.js";
import { hasCube } from "./position_words.js";
import { lastEntered } from "./taking_back.js";
import { icon, make, say } from "./words.js";

/**
 * @typedef {import("./play.js").Side} Side
 * @typedef {import("./taps.js").Does} Does
 * @typedef {import("./words.js").Child} Child
 *
 * @typedef {object} DockState
 * @property {any} view
 * @property {import("./turn.js").Turn} turn
 * @property {boolean} writes
 * @property {boolean} grid whether the 21 rolls are offered, not six dice
 * @property {string | null} pending
 */

/** @type {Record<number, number[]>} */
const FACES = { 1: [5], 2: [1, 9], 3: [1, 5, 9], 4: [1, 3, 7, 9], 5: [1, 3, 5, 7, 9], 6: [1, 3, 4, 6, 7, 9] };
const SVG = "http://www.w3.org/2000/svg";

/** The 21 rolls, the higher die first, the doubles together at the end. */
const ROLLS = [
  ...[6, 5, 4, 3, 2].flatMap((high) => Array.from({ length: high - 1 }, (_none, n) => [high, high - 1 - n])),
  ...[6, 5, 4, 3, 2, 1].map((both) => [both, both]),
];

/** @type {(value: number) => SVGElement} a die; its dots are ends of lines without a length */
const face = (value) => {
  const drawing = document.createElementNS(SVG, "svg");
  drawing.setAttribute("viewBox", "0 0 36 36");
  drawing.setAttribute("aria-hidden", "true");
  const dots = document.createElementNS(SVG, "path");
  const at = FACES[value].map(
    (place) => `M${6 + ((place - 1) % 3) * 12} ${6 + Math.floor((place - 1) / 3) * 12}h0`,
  );
  dots.setAttribute("d", at.join(""));
  drawing.append(dots);
  return drawing;
};

export class Dock {
  /**
   * @param {HTMLElement} host
   * @param {Does} does
   */
  constructor(host, does) {
    /** @type {DockState | null} */
    this.state = null;
    this.host = host;
    this.does = does;
    /** @type {Map<string, () => void>} what each button of the drawing does */
    this.clicks = new Map();
    this.taps = new DoubleTaps();
    this.holds = "";
    host.addEventListener("click", (event) => this.click(event));
  }

  /** @param {PointerEvent} event */
  click(event) {
    const { does } = event.target.closest("[data-does]")?.dataset ?? {};
    if (this.taps.isSecond(event) && this.state.pending !== null && this.can(does)) return;
    this.clicks.get(does)?.();
  }

  /** @param {DockState} state */
  draw(state) {
    const focused = this.host.contains(document.activeElement) ? document.activeElement.dataset.does : null;
    this.state = state;
    this.clicks.clear();
    this.holds = "";
    const parts = this.parts().filter(Boolean);
    morph(this.host, parts);
    put(this.host, "data-holds", this.holds || (parts.length > 1 ? "rows" : "row"));
    hide(this.host, !parts.length);
    if (focused && document.activeElement?.dataset.does !== focused)
      (this.host.querySelector(`[data-does="${focused}"]`) ?? this.host.querySelector("button"))?.focus();
  }

  /** @param {Side} side */
  name(side) {
    return this.state.view[side].name;
  }

  /** @param {string} kind */
  can(kind) {
    return this.state.view.actions.some((/** @type {{ kind: string }} */ action) => action.kind === kind);
  }

  parts() {
    const { view, turn, writes } = this.state;
    if (writes && view.status === "suspended")
      return [
        this.line(say("suspended")),
        make("div", { class: "dock-row" }, this.action("resume", say("resume"), { class: "grow" })),
      ];
    if (!writes || view.status !== "playing") return [];
    const { phase } = view.game;
    if (turn.isMoving) return this.moving();
    if (phase === "opening")
      return [
        this.line(
          say(turn.die ? "opening_second" : "opening_first", {
            name: this.name(turn.die ? "black" : "white"),
          }),
          this.takeBack(),
        ),
        this.pad(),
      ];
    if (phase === "turn" || phase === "roll") return this.rolling();
    if (["offered", "beavered", "raccooned"].includes(phase)) return this.answering();
    if (phase === "resign_offered") return this.resigned();
    return [];
  }

  /**
   * @param {string} words
   * @param {Child[]} controls
   */
  line(words, ...controls) {
    return make("div", { class: "dock-line" }, make("p", {}, words), ...controls);
  }

  /**
   * @param {string} does
   * @param {string | Node | Node[]} words
   * @param {() => void} click
   * @param {object} attributes
   */
  button(does, words, click, attributes = {}) {
    this.clicks.set(does, click);
    return make("button", { type: "button", "data-does": does, ...attributes }, ...[words].flat());
  }

  takeBack() {
    const what = lastEntered(this.state);
    if (!what) return null;
    return this.button(
      "take-back",
      [icon("undo"), make("span", { class: "visually-hidden" }, say("take_back", { what }))],
      this.does.takeBack,
      { class: "plain round", title: say("take_back", { what }) },
    );
  }

  pad() {
    const { turn } = this.state;
    const dice = [1, 2, 3, 4, 5, 6].map((value) =>
      this.button(`die-${value}`, face(value), () => this.does.die(value), {
        class: "die-face",
        "aria-label": say("die", { value }),
        "aria-pressed": turn.die === value ? "true" : null,
      }),
    );
    return make("div", { class: "pad", role: "group", "aria-label": say("dice") }, ...dice);
  }

  /** Both dice with one tap. In an opening roll, where each die is a side's, the dice are tapped. */
  rolls() {
    this.holds = "rolls";
    const rolls = ROLLS.map(([high, low]) =>
      this.button(`roll-${high}${low}`, `${high}${low}`, () => this.does.roll(high, low), {
        class: high === low ? "double" : "",
        "aria-label": say("roll", { roll: `${high}-${low}` }),
      }),
    );
    return make("div", { class: "rolls", role: "group", "aria-label": say("dice") }, ...rolls);
  }

  /** What the dice of a turn are tapped on. */
  diceOfTurn() {
    return this.state.grid && !this.state.turn.die ? this.rolls() : this.pad();
  }

  /**
   * A button that is not possible now says why when it is tapped.
   * @param {string} kind
   * @param {string | Node | Node[]} words
   * @param {object} attributes
   */
  action(kind, words, attributes = {}) {
    if (this.can(kind)) return this.button(kind, words, () => this.does.act(kind, {}), attributes);
    const reason = this.state.view.refusals?.[kind];
    if (!reason) return null;
    return this.button(kind, words, () => this.does.refuse(reason), {
      ...attributes,
      class: "secondary",
      "aria-disabled": "true",
      "aria-description": reason,
    });
  }

  rolling() {
    const { view, turn } = this.state;
    const side = view.game.on_roll;
    const words = turn.die
      ? say("second_die", { name: this.name(side), value: turn.die })
      : say(this.can("double") ? "to_roll" : "to_roll_only", { name: this.name(side) });
    const value = view.game.cube.value * 2;
    const pad = this.diceOfTurn();
    const double =
      view.game.phase === "turn" &&
      hasCube(view) &&
      this.action(
        "double",
        [
          make("span", { class: "times", "aria-hidden": "true" }, String(value)),
          make("span", {}, say("double")),
        ],
        { class: "cube-button", "aria-label": say("double_to", { value }) },
      );
    const isGrid = pad.classList.contains("rolls");
    if (double && !isGrid) pad.append(double);
    const resign = this.button("resign", say("resign"), this.does.resign, { class: "plain" });
    const closed =
      this.can("no_roll") &&
      this.button("no_roll", say("no_roll"), () => this.does.act("no_roll", {}), { class: "secondary" });
    const controls = [closed, isGrid && double, this.can("resign") && resign, this.takeBack()];
    return [this.line(words, ...controls), pad];
  }

  moving() {
    const { turn } = this.state;
    const names = { bar: say("bar"), off: say("off") };
    const written = notation(turn.view.game.position, turn.mover, turn.moves, names);
    let words = say("to_move", { name: this.name(turn.mover), roll: turn.dice.join("-") });
    if (turn.isDanced) words = say("no_move", { name: this.name(turn.mover), roll: turn.dice.join("-") });
    else if (turn.view.plays?.forced && turn.moves.length) words = say("forced");
    else if (turn.mode === "illegal") words = say("as_it_stood");
    const undo = turn.moves.length
      ? this.button(
          "undo",
          [icon("undo"), make("span", { class: "visually-hidden" }, say("undo"))],
          this.does.undo,
          { class: "secondary round", title: say("undo") },
        )
      : this.button(
          "undo-roll",
          [icon("undo"), make("span", { class: "visually-hidden" }, say("undo_roll"))],
          this.does.takeBack,
          { class: "secondary round", title: say("undo_roll") },
        );
    const done = this.button(
      "done",
      turn.isDanced ? say("no_move_done") : say("done"),
      this.does.done,
      turn.isComplete ? {} : { "aria-disabled": "true", "aria-description": say("not_complete") },
    );
    const aside = written && (turn.view.plays?.forced || turn.mode);
    const growing = make(
      "p",
      { class: "growing grow" },
      make("span", { class: written ? "notation" : "" }, written || words),
      aside ? make("span", { class: "small muted" }, words) : null,
    );
    const rows = [make("div", { class: "dock-row" }, undo, growing, done)];
    // The next player's dice: who taps them has seen this play's dice picked up.
    if (turn.isComplete && !turn.mode && turn.position[turn.mover][0] < 15 && turn.moves.length) {
      const pad = this.diceOfTurn();
      pad.setAttribute("aria-label", say("next_dice"));
      pad.classList.add("next");
      rows.push(pad);
    }
    return rows;
  }

  answering() {
    const { view } = this.state;
    const { phase, cube, to_act: side } = view.game;
    const value = cube.offered ?? cube.value;
    const sentence =
      phase === "offered" ? "answer_double" : phase === "beavered" ? "answer_beaver" : "answer_raccoon";
    return [
      this.line(say(sentence, { name: this.name(side), value }), this.takeBack()),
      make(
        "div",
        { class: "dock-row" },
        this.action("pass", say("pass"), { class: "danger grow" }),
        phase === "offered" &&
          this.can("beaver") &&
          this.action("beaver", say("beaver"), { class: "secondary" }),
        phase === "beavered" && this.action("raccoon", say("raccoon"), { class: "secondary" }),
        this.action("take", say("take"), { class: "grow" }),
      ),
    ];
  }

  resigned() {
    const { view } = this.state;
    const offer = view.game.resign_offered;
    const side = view.game.to_act;
    const words = offer
      ? say(`resigned_${offer.level}`, { name: this.name(offer.by), other: this.name(side) })
      : say("resigned", { other: this.name(side) });
    return [
      this.line(words, this.takeBack()),
      make(
        "div",
        { class: "dock-row" },
        this.action("refuse", say("refuse"), { class: "secondary grow" }),
        this.action("accept", say("accept"), { class: "grow" }),
      ),
    ];
  }
}
