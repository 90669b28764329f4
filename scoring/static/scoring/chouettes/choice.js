// What fingers have chosen on the table and not recorded yet: cubes to double, or doubles taken and passed.

import { boxOf } from "./projection.js";

/**
 * @typedef {import("./game.js").Ref} Ref
 * @typedef {import("./projection.js").TableView} TableView
 * @typedef {"take" | "pass"} Word
 * @typedef {{ by: Ref, cubes: string[] }} Offer
 */

/** @type {(key: string) => boolean} */
const isExtra = (key) => key.includes(">");

export class Choice {
  /** @type {Set<string>} */
  cubes = new Set();
  /** @type {Map<string, Word>} what is answered about each cube */
  answers = new Map();

  clear() {
    this.cubes = new Set();
    this.answers = new Map();
  }

  /**
   * Forget what the table no longer knows.
   * @param {TableView} view
   */
  follow(view) {
    const asked = new Set(this.asks(view).flatMap((action) => action.cubes));
    const known = new Set((view.game?.cubes ?? []).map((cube) => cube.key));
    for (const key of this.answers.keys()) if (!asked.has(key)) this.answers.delete(key);
    for (const key of this.cubes) if (!known.has(key)) this.cubes.delete(key);
    if (asked.size) this.cubes.clear();
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
   * Who is asked now. Where both sides are, the box answers first: one question at a time.
   * @param {TableView} view
   */
  asks(view) {
    const asked = view.actions.filter((action) => action.kind === "answer");
    const box = asked.filter(({ by }) => by[0] === boxOf(view));
    return box.length ? box : asked;
  }

  /**
   * Who of a side ("box", "crew") may double which cubes: [{by, cubes}]. An extra is doubled by itself.
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
   * The offers that the chosen cubes stand for.
   * @param {TableView} view
   * @param {string} side
   * @param {Ref | null} box
   * @returns {Offer[]}
   */
  offers(view, side, box) {
    return this.possible(view, side, box)
      .map(({ by, cubes }) => ({ by, cubes: cubes.filter((key) => this.cubes.has(key)) }))
      .filter(({ cubes }) => cubes.length);
  }

  /**
   * The answers, one for each person who is asked; `rest` is what they do about cubes that were not tapped.
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
