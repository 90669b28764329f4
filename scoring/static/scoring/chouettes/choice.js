// Taps on the table not recorded yet: cubes to double, doubles to take and pass, or a step to confirm.

import { boxOf } from "./projection.js";

/**
 * @typedef {import("./actions.js").Action} Action
 * @typedef {import("./game.js").Ref} Ref
 * @typedef {import("./projection.js").TableView} TableView
 * @typedef {"take" | "pass"} Word
 * @typedef {{ by: Ref, cubes: string[] }} Offer
 */

/** @type {(one: Action, other: Action) => boolean} */
const isSame = (one, other) =>
  one.kind === other.kind && JSON.stringify(one.body) === JSON.stringify(other.body);
/** @type {(key: string) => boolean} */
const isExtra = (key) => key.includes(">");

export class Choice {
  /** @type {Set<string>} */
  cubes = new Set();
  /** @type {Map<string, Word>} what is answered about each cube */
  answers = new Map();
  /** @type {string | null} the only side that can double the cubes; null for both */
  side = null;
  /** @type {Action | null} a step that changes stakes, until it is confirmed */
  step = null;

  clear() {
    this.cubes = new Set();
    this.answers = new Map();
    this.side = null;
    this.step = null;
  }

  /**
   * Drop choices that no longer exist at the table.
   * @param {TableView} view
   */
  follow(view) {
    const asked = new Set(this.asks(view).flatMap((action) => action.cubes));
    const known = new Set((view.game?.cubes ?? []).map((cube) => cube.key));
    for (const key of this.answers.keys()) if (!asked.has(key)) this.answers.delete(key);
    for (const key of this.cubes) if (!known.has(key)) this.cubes.delete(key);
    if (asked.size) this.cubes.clear();
    if (!this.cubes.size) this.side = null;
    const { step } = this;
    if (step && !view.actions.some((action) => isSame(action, step))) this.step = null;
  }

  /** @param {string} key */
  toggle(key) {
    if (!this.cubes.delete(key)) this.cubes.add(key);
  }

  /**
   * @param {string} key
   * @param {Word} word
   */
  answer(key, word) {
    if (this.answers.get(key) === word) this.answers.delete(key);
    else this.answers.set(key, word);
  }

  /**
   * The answers due now; the box's come first.
   * @param {TableView} view
   */
  asks(view) {
    const asked = view.actions.filter((action) => action.kind === "answer");
    const box = asked.filter(({ by }) => by[0] === boxOf(view));
    return box.length ? box : asked;
  }

  /**
   * The doubles a side ("box", "crew") can offer: [{by, cubes}]. Extras are doubled separately.
   * @param {TableView} view
   * @param {string} side
   * @param {Ref | null} box
   * @returns {Offer[]}
   */
  possible(view, side, box) {
    return view.actions
      .filter(({ kind, by }) => kind === "offer" && (by[0] === box) === (side === "box"))
      .flatMap(({ by, cubes }) =>
        [cubes.filter((key) => !isExtra(key)), ...cubes.filter(isExtra).map((key) => [key])].map((group) => ({
          by: by[0],
          cubes: group,
        })),
      )
      .filter(({ cubes }) => cubes.length);
  }

  /**
   * The doubles of the chosen cubes.
   * @param {TableView} view
   * @param {string} side
   * @param {Ref | null} box
   * @returns {Offer[]}
   */
  offers(view, side, box) {
    if (this.side !== null && this.side !== side) return [];
    return this.possible(view, side, box)
      .map(({ by, cubes }) => ({ by, cubes: cubes.filter((key) => this.cubes.has(key)) }))
      .filter(({ cubes }) => cubes.length);
  }

  /**
   * The answers, one per player; `rest` answers the cubes not tapped.
   * @param {TableView} view
   * @param {Word | null} rest
   */
  replies(view, rest = null) {
    return this.asks(view)
      .map(({ by, cubes, all = false }) => {
        const said = cubes.map((key) => [key, this.answers.get(key) ?? rest]);
        const of = (/** @type {Word} */ word) =>
          said.filter(([, answer]) => answer === word).map(([key]) => key);
        return {
          by: by[0],
          takes: of("take"),
          passes: of("pass"),
          whole: !all || said.every(([, answer]) => answer),
        };
      })
      .filter(({ takes, passes }) => takes.length + passes.length);
  }
}
