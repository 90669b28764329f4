// The turn as it is being entered on this device: dice half tapped, checkers moved but the dice not picked up.

import {
  diceLeft,
  isComplete,
  landings,
  matching,
  moved,
  movesOfTap,
  movesToPoint,
  nextTargets,
  sources,
} from "./play.js";

/**
 * @typedef {import("./play.js").Move} Move
 * @typedef {import("./game.js").Game} Game
 *
 * @typedef {object} TurnView what of a sheet's view is needed to enter a turn
 * @property {Pick<Game, "number" | "phase" | "on_roll" | "to_act" | "roll" | "position">} game
 * @property {{ sequences: Move[][], forced?: boolean } | null} [plays]
 */

/**
 * What a turn builds on: as long as that stands, so does what was entered of the turn.
 * @param {Pick<TurnView, "game">} view
 */
export const basisOf = ({ game: { number, phase, on_roll, roll, position } }) =>
  JSON.stringify([number, phase, on_roll, roll, position]);

/** @type {TurnView["game"]} */
const NOTHING = {
  number: 0,
  phase: "over",
  on_roll: null,
  to_act: null,
  roll: null,
  position: { white: [], black: [] },
};

export class Turn {
  /** @type {string} how a play that breaks the rules is to be recorded */
  status = "";
  /** @type {boolean} whether the opponent has seen that it does */
  noticed = false;
  /** @type {number | null} the first die, where one was tapped */
  die = null;
  /** @type {Move[]} what was moved so far */
  moves = [];
  swapped = false;
  /** @type {TurnView} */
  view = { game: NOTHING, plays: null };

  constructor() {
    this.key = "";
    this.stage = "";
    this.mode = ""; // "illegal": the checkers are put where they stood on the table, whatever the dice say
  }

  clear() {
    Object.assign(this, { die: null, moves: [], swapped: false });
  }

  /** The checkers go back, and the play is entered by its rules. */
  again() {
    this.mode = "";
    this.clear();
  }

  /**
   * Follow the view. Another key clears the entry.
   * @param {TurnView} view
   * @param {string} key
   */
  follow(view, key) {
    const stage = [view.game.number, view.game.phase, view.game.on_roll].join(":");
    if (key !== this.key) {
      // A first die that was tapped while the entry before it was on its way still is the first die.
      const die = stage === this.stage && view.game.phase !== "moving" ? this.die : null;
      this.key = key;
      this.again();
      this.die = die;
      if (view.plays?.forced && view.game.phase === "moving") this.moves = view.plays.sequences[0] ?? [];
    }
    this.stage = stage;
    this.view = view;
    // The server knows other plays than this device did: what is not part of one of them has to be moved again.
    if (this.sequences && this.moves.length && !matching(this.sequences, this.moves).length) this.clear();
    return this;
  }

  get isMoving() {
    return this.view.game.phase === "moving" && Boolean(this.view.game.roll);
  }

  get mover() {
    return this.view.game.on_roll ?? this.view.game.to_act ?? "white";
  }

  /** The legal sequences; null where the checkers are put where they stood on the table. */
  get sequences() {
    return this.mode === "illegal" ? null : (this.view.plays?.sequences ?? null);
  }

  /** The dice in the order in which taps use them, doubles as two. */
  get dice() {
    const roll = this.view.game.roll;
    return roll ? (this.swapped ? [roll[1], roll[0]] : roll) : null;
  }

  get left() {
    return this.dice ? diceLeft(this.dice, this.moves) : [];
  }

  get position() {
    return moved(this.view.game.position, this.mover, this.moves);
  }

  get isComplete() {
    if (!this.isMoving) return false;
    return this.sequences ? isComplete(this.sequences, this.moves) : this.mode === "illegal";
  }

  /** Nothing is left to choose: the dice can be picked up, and no other play was possible with them. */
  get isDanced() {
    return this.isMoving && this.sequences?.length === 0;
  }

  can() {
    if (!this.isMoving) return new Set();
    if (this.sequences) return sources(this.sequences, this.moves);
    if (this.mode !== "illegal" && !this.left.length) return new Set();
    const own = this.position[this.mover];
    return new Set(own.map((count, slot) => (count && slot ? slot : 0)).filter(Boolean));
  }

  to() {
    if (!this.isMoving || !this.sequences) return new Set();
    return nextTargets(this.sequences, this.moves, this.left[0]);
  }

  /** @param {number} slot */
  landing(slot) {
    return this.sequences ? new Set(landings(this.sequences, this.moves, slot).keys()) : null;
  }

  /** @param {number} slot */
  tap(slot) {
    if (!this.isMoving) return false;
    if (this.sequences) return this.add(this.tapped(slot));
    const [die] = this.left;
    if (!die || !this.position[this.mover][slot] || !slot) return false;
    return this.add([[slot, Math.max(slot - die, 0)]]);
  }

  /**
   * @param {number} slot
   * @returns {Move[]}
   */
  tapped(slot) {
    const sequences = this.sequences ?? [];
    const moves = movesOfTap(sequences, this.moves, slot, this.left);
    return moves.length ? moves : movesToPoint(sequences, this.moves, slot);
  }

  /**
   * @param {number} from
   * @param {number} to
   */
  drop(from, to) {
    if (!this.isMoving) return false;
    if (this.sequences) return this.add(landings(this.sequences, this.moves, from).get(to) ?? []);
    return this.add(this.position[this.mover][from] && from !== to ? [[from, to]] : []);
  }

  /** @param {Move[]} moves */
  add(moves) {
    this.moves = [...this.moves, ...moves];
    return moves.length > 0;
  }

  undo() {
    this.moves = this.moves.slice(0, -1);
  }

  swap() {
    if (this.dice && this.dice[0] !== this.dice[1]) this.swapped = !this.swapped;
  }
}
