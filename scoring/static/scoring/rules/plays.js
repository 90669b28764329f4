// The legal plays of a roll, as scoring/rules/plays.py says them. tests/scoring/sheets/test_legal_plays_on_pages.py
// compares the two. Places are in the mover's own numbering: 25 the bar, 24 to 1 the points, 0 off.

/**
 * @typedef {import("../sheets/play.js").Side} Side
 * @typedef {import("../sheets/play.js").Position} Position
 * @typedef {import("../sheets/play.js").Move} Move
 *
 * @typedef {object} Plays what a roll allows
 * @property {Side} side
 * @property {Move[][]} sequences every order of moves that makes a legal play, sorted
 * @property {boolean} forced whether all of them lead to the same position
 */

const BAR = 25;
const OFF = 0;

/** A move for each source and target: the sequences of a double share them. */
const MOVES = Array.from({ length: 26 }, (_bar, source) =>
  Array.from({ length: source }, (_off, target) => /** @type {Move} */ ([source, target])),
);

/** A board on which moves are tried and undone. */
export class ScratchBoard {
  /**
   * @param {Position} position
   * @param {Side} side
   */
  constructor(position, side) {
    this.own = [...position[side]];
    this.theirs = [...position[side === "white" ? "black" : "white"]];
  }

  /** The board as it is now, to be looked at later. */
  copy() {
    return new ScratchBoard({ white: this.own, black: this.theirs }, "white");
  }

  /** The rearmost own checker, 0 when all are off. */
  highest() {
    let slot = BAR;
    while (slot > OFF && !this.own[slot]) slot -= 1;
    return slot;
  }

  /**
   * Whether a checker can move from `source` by `die` now.
   * @param {number} source
   * @param {number} die
   */
  canMove(source, die) {
    if (!this.own[source] || (this.own[BAR] && source !== BAR)) return false;
    const target = source - die;
    if (target > OFF) return this.theirs[BAR - target] < 2;
    const highest = this.highest();
    return highest <= 6 && (target === OFF || source === highest);
  }

  /**
   * Move a checker; whether it hit. The caller has asked `canMove`.
   * @param {number} source
   * @param {number} target
   */
  move(source, target) {
    this.own[source] -= 1;
    this.own[target] += 1;
    const hit = target > OFF && this.theirs[BAR - target] > 0;
    if (hit) {
      this.theirs[BAR - target] -= 1;
      this.theirs[BAR] += 1;
    }
    return hit;
  }

  /**
   * @param {number} source
   * @param {number} target
   * @param {boolean} hit
   */
  undo(source, target, hit) {
    this.own[source] += 1;
    this.own[target] -= 1;
    if (hit) {
      this.theirs[BAR - target] += 1;
      this.theirs[BAR] -= 1;
    }
  }

  /** The same text for the same position. */
  get key() {
    return String.fromCharCode(...this.own, ...this.theirs);
  }
}

/**
 * The sequences that use the most dice, taken in this order until no checker can move.
 * @param {ScratchBoard} board
 * @param {number[]} dice
 * @returns {Move[][]}
 */
const inOrder = (board, dice) => {
  /** @type {Map<string, Move[][]>[]} */
  const known = dice.map(() => new Map());
  /** @type {(made: number) => Move[][]} */
  const rest = (made) => {
    if (made === dice.length) return [[]];
    const { key } = board;
    const before = known[made].get(key);
    if (before) return before;
    const die = dice[made];
    let most = 0;
    /** @type {Move[][]} */
    let found = [[]];
    for (let source = 1; source <= BAR; source += 1) {
      if (!board.canMove(source, die)) continue;
      const move = MOVES[source][Math.max(source - die, OFF)];
      const hit = board.move(...move);
      const tails = rest(made + 1);
      board.undo(...move, hit);
      const length = 1 + tails[0].length;
      if (length < most) continue;
      if (length > most) {
        most = length;
        found = [];
      }
      for (const tail of tails) found.push([move, ...tail]);
    }
    known[made].set(key, found);
    return found;
  };
  const found = rest(0);
  return found[0].length ? found : [];
};

/** @type {(one: Move[], other: Move[]) => number} */
const inNumbers = (one, other) => {
  for (let n = 0; n < one.length; n += 1) {
    const by = one[n][0] - other[n][0] || one[n][1] - other[n][1];
    if (by) return by;
  }
  return 0;
};

/**
 * Every order of moves that makes a legal play, sorted and without repetition; none when nothing can be moved.
 * @param {Position} position
 * @param {Side} side
 * @param {number[]} roll
 * @returns {Move[][]}
 */
export const legalSequences = (position, side, roll) => {
  const board = new ScratchBoard(position, side);
  const [high, low] = [Math.max(...roll), Math.min(...roll)];
  if (high === low) return inOrder(board, [high, high, high, high]);
  const highFirst = inOrder(board, [high, low]);
  const lowFirst = inOrder(board, [low, high]);
  const most = Math.max(highFirst[0]?.length ?? 0, lowFirst[0]?.length ?? 0);
  if (most < 2) return highFirst.length ? highFirst : lowFirst;
  return [...highFirst, ...lowFirst]
    .filter((sequence) => sequence.length === most)
    .sort(inNumbers)
    .filter((sequence, n, all) => n === 0 || inNumbers(all[n - 1], sequence) !== 0);
};

/**
 * @param {Position} position
 * @param {Side} side
 * @param {Move[]} sequence
 */
const resultOf = (position, side, sequence) => {
  const board = new ScratchBoard(position, side);
  for (const move of sequence) board.move(...move);
  return board.key;
};

/**
 * What a roll allows, as the server tells it.
 * @param {Position} position
 * @param {Side} side
 * @param {number[]} roll
 * @returns {Plays}
 */
export const legalPlays = (position, side, roll) => {
  const sequences = legalSequences(position, side, roll);
  const first = sequences.length ? resultOf(position, side, sequences[0]) : "";
  const forced = sequences.every((sequence) => resultOf(position, side, sequence) === first);
  return { side, sequences, forced };
};
