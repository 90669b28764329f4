// Why moves are no legal play, as scoring/rules/explain.py says it. tests/scoring/sheets/test_page_refusals.py compares.

import { legalSequences, ScratchBoard } from "./plays.js";

/**
 * @typedef {import("../sheets/play.js").Side} Side
 * @typedef {import("../sheets/play.js").Position} Position
 * @typedef {import("../sheets/play.js").Move} Move
 *
 * @typedef {{ code: string, values: Record<string, string | number> }} Refusal `code` names the sentence
 * @typedef {{ used: number[], steps: Move[], result: string }} Made the dice used, the moves one by one, where they lead
 * @typedef {{ board: ScratchBoard, pairs: Move[], dice: number[] }} Reached
 */

const BAR = 25;
const OFF = 0;
/** Refusals of moves that are right in themselves, but too few. */
export const INCOMPLETE = new Set(["must_play", "unused_die", "both_dice", "more_of_double"]);

/** @type {(code: string, values: Refusal["values"]) => Refusal} */
const refusal = (code, values) => ({ code, values });
/** @type {(move: Move) => string} */
const named = ([source, target]) => `${source === BAR ? "bar" : source}/${target === OFF ? "off" : target}`;
/** @type {(slot: number) => string} */
const slotName = (slot) => (slot === BAR ? "bar" : `${slot} point`);
/** @type {(count: number, one: string, many: string) => string} */
const counted = (count, one, many) => `${count} ${count === 1 ? one : many}`;
/** @type {(count: number, die: number) => string} */
const times = (count, die) => (count === 1 ? `one ${die}` : `${count} ${die}s`);

/** Tries moves in every order and with every die, and remembers how far it came. */
class Search {
  /** @type {{ hits: number, made: Made } | null} */
  best = null;
  /** @type {Move[]} */
  steps = [];
  /** @type {number[]} */
  used = [];

  /**
   * @param {ScratchBoard} board
   * @param {Move[]} pairs
   * @param {number[]} dice
   */
  constructor(board, pairs, dice) {
    this.board = board;
    this.isDouble = dice[0] === dice[1];
    /** @type {Reached} */
    this.furthest = { board: board.copy(), pairs, dice };
    this.goOn(pairs, dice, 0, false);
  }

  /**
   * @param {Move[]} pairs
   * @param {number[]} dice
   * @param {number} hits
   * @param {boolean} isHalfMade a checker stands between its source and its target
   */
  goOn(pairs, dice, hits, isHalfMade) {
    const { board, steps, used } = this;
    if (!pairs.length) {
      if (!this.best || hits < this.best.hits)
        this.best = { hits, made: { used: [...used], steps: [...steps], result: board.key } };
      return;
    }
    if (!isHalfMade && pairs.length < this.furthest.pairs.length)
      this.furthest = { board: board.copy(), pairs, dice };
    for (const [n, pair] of pairs.entries()) {
      if (pairs.slice(0, n).some((before) => String(before) === String(pair))) continue;
      for (const die of new Set(dice)) {
        this.attempt(pairs, n, dice, die, hits);
        if (this.best && (this.best.hits === 0 || this.isDouble)) return;
      }
    }
  }

  /**
   * @param {Move[]} pairs
   * @param {number} n
   * @param {number[]} dice
   * @param {number} die
   * @param {number} hits
   */
  attempt(pairs, n, dice, die, hits) {
    const { board, steps, used } = this;
    const [source, target] = pairs[n];
    const landing = Math.max(source - die, OFF);
    if (landing < target || !board.canMove(source, die)) return;
    /** @type {Move[]} */
    const onward = landing === target ? [] : [[landing, target]];
    const rest = [...pairs.slice(0, n), ...onward, ...pairs.slice(n + 1)];
    const left = dice.toSpliced(dice.indexOf(die), 1);
    const hit = board.move(source, landing);
    steps.push([source, landing]);
    used.push(die);
    this.goOn(rest, left, hits + Number(hit), landing !== target);
    used.pop();
    steps.pop();
    board.undo(source, landing, hit);
  }
}

/** @type {(board: ScratchBoard, move: Move, dice: number[]) => Refusal | null} */
const whyNotOff = (board, move, dice) => {
  const highest = board.highest();
  const reach = Math.max(...dice);
  const [source] = move;
  if (highest > 6 && highest !== source)
    return refusal("not_home", { move: named(move), slot: slotName(highest) });
  if (source < highest && reach > source)
    return refusal("higher_checker", { move: named(move), die: reach, highest });
  return null;
};

/**
 * The single steps of every way in which the dice could make the move.
 * @type {(move: Move, dice: number[]) => Move[]}
 */
const stepsTowards = ([source, target], dice) => {
  /** @type {Move[]} */
  const steps = [];
  for (const order of [dice, dice.toReversed()]) {
    const slots = [source];
    for (const die of order) slots.push(/** @type {number} */ (slots.at(-1)) - die);
    const end = slots.indexOf(target);
    for (let n = 0; n < end; n += 1) steps.push([slots[n], slots[n + 1]]);
  }
  return steps;
};

/**
 * Why the first of the moves that wait cannot be made.
 * @type {(reached: Reached, roll: number[]) => Refusal}
 */
const whyNot = ({ board, pairs: [move], dice }, roll) => {
  const [source, target] = move;
  if (!dice.length) return refusal("too_many_moves", { move: named(move), roll: roll.join("") });
  if (!board.own[source]) return refusal("no_checker", { move: named(move), slot: slotName(source) });
  const waiting = board.own[BAR];
  if (waiting && source !== BAR)
    return refusal("bar_first", { move: named(move), count: counted(waiting, "checker", "checkers") });
  if (target === OFF && source <= dice.reduce((sum, die) => sum + die, 0)) {
    const found = whyNotOff(board, move, dice);
    if (found) return found;
  }
  for (const step of stepsTowards(move, dice)) {
    const count = step[1] > OFF ? board.theirs[BAR - step[1]] : 0;
    if (count > 1) return refusal("blocked", { move: named(step), count, point: step[1] });
  }
  return refusal("wrong_dice", { move: named(move), dice: dice.join(" and ") });
};

/**
 * Why a play that uses too few dice, or the wrong one, is none.
 * @type {(board: ScratchBoard, roll: number[], made: Made, most: number) => Refusal}
 */
const whatWasLeft = (board, [high, low], { used, steps }, most) => {
  if (!used.length)
    return refusal("must_play", { most: counted(most, "die", "dice"), roll: `${high}${low}` });
  if (used.length === most) return refusal("higher_die", { die: high });
  if (high === low)
    return refusal("more_of_double", { most: times(most, high), used: times(used.length, high) });
  const die = used[0] === high ? low : high;
  for (const move of steps) board.move(...move);
  let source = BAR;
  while (source > OFF && !board.canMove(source, die)) source -= 1;
  const move = named(steps[0]);
  if (source === OFF) return refusal("both_dice", { move, die });
  return refusal("unused_die", { move, die, onward: named([source, Math.max(source - die, OFF)]) });
};

/**
 * Why the moves are no legal play of the roll; null where they are one.
 * @type {(position: Position, side: Side, roll: number[], moves: Move[]) => Refusal | null}
 */
export const whyIllegal = (position, side, roll, moves) => {
  const sorted = [Math.max(...roll), Math.min(...roll)];
  const backwards = moves.find(([source, target]) => !(OFF <= target && target < source && source <= BAR));
  if (backwards) return refusal("not_forward", { move: named(backwards) });
  const dice = sorted[0] === sorted[1] ? [...sorted, ...sorted] : sorted;
  const board = new ScratchBoard(position, side);
  const { best, furthest } = new Search(board, moves, dice);
  if (!best) return whyNot(furthest, sorted);
  const { made } = best;
  if (made.used.length === dice.length) return null;
  const sequences = legalSequences(position, side, sorted);
  const most = sequences[0]?.length ?? 0;
  if (!most && !made.used.length) return null;
  const isLegal = sequences.some((sequence) => {
    const after = new ScratchBoard(position, side);
    for (const move of sequence) after.move(...move);
    return after.key === made.result;
  });
  return isLegal ? null : whatWasLeft(board, sorted, made, most);
};

/**
 * Whether the moves of a legal play lead to a position, seen by the mover: written with joined steps they may hit or not.
 * @type {(position: Position, side: Side, roll: number[], moves: Move[], result: { own: number[], opponent: number[] }) => boolean}
 */
export const leadsTo = (position, side, roll, moves, { own, opponent }) => {
  const sorted = [Math.max(...roll), Math.min(...roll)];
  const dice = sorted[0] === sorted[1] ? [...sorted, ...sorted] : sorted;
  const { best } = new Search(new ScratchBoard(position, side), moves, dice);
  return best?.made.result === String.fromCharCode(...own, ...opponent);
};
