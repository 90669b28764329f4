// The play under way. The server says which sequences are legal; here they are only filtered by what was moved so far.
// A move is [source, target] in the mover's own numbering: 25 the bar, 24 to 1 the points, 0 off.

/**
 * @typedef {"white" | "black"} Side
 * @typedef {number[]} Counts the checkers of a side on each of its 26 places
 * @typedef {{ white: Counts, black: Counts }} Position
 * @typedef {[source: number, target: number]} Move
 * @type {(one: Move, other: Move) => boolean}
 */
const same = (one, other) => one[0] === other[0] && one[1] === other[1];
/** @type {(sequence: Move[], moves: Move[]) => boolean} */
const begins = (sequence, moves) =>
  moves.length <= sequence.length && moves.every((move, n) => same(move, sequence[n]));

/**
 * The offered sequences that begin with the moves made so far.
 * @type {(sequences: Move[][], moves: Move[]) => Move[][]}
 */
export const matching = (sequences, moves) => sequences.filter((sequence) => begins(sequence, moves));

/**
 * Whether nothing is left to play after the moves.
 * @type {(sequences: Move[][], moves: Move[]) => boolean}
 */
export const isComplete = (sequences, moves) =>
  sequences.length === 0 ||
  sequences.some((sequence) => sequence.length === moves.length && begins(sequence, moves));

/**
 * Whether a die makes the move: exactly, or with more than is needed where a checker leaves the board.
 * @type {(move: Move, die: number) => boolean}
 */
export const fits = ([source, target], die) => source - target === die || (target === 0 && source < die);

/**
 * Dice that are still to be played, in their order on the board, after the moves.
 * @type {(dice: number[], moves: Move[]) => number[]}
 */
export const diceLeft = (dice, moves) => {
  const left = dice.length === 2 && dice[0] === dice[1] ? [dice[0], dice[0], dice[0], dice[0]] : [...dice];
  for (const move of moves) {
    let at = left.findIndex((die) => move[0] - move[1] === die);
    if (at < 0) at = left.findIndex((die) => fits(move, die));
    if (at >= 0) left.splice(at, 1);
  }
  return left;
};

/**
 * @typedef {Map<number, Map<number, Move[]>>} Ways place -> target -> the shortest moves from one to the other
 * @type {{ sequences: Move[][], moves: Move[], ways: Ways }} the ways found last: each tap and drawing asks for them often
 */
let last = { sequences: [], moves: [], ways: new Map() };

/**
 * Where the checkers can go now, by one die or by several.
 * @type {(sequences: Move[][], moves: Move[]) => Ways}
 */
const waysOf = (sequences, moves) => {
  if (last.sequences === sequences && last.moves === moves) return last.ways;
  /** @type {Ways} */
  const ways = new Map();
  for (const sequence of sequences) {
    if (sequence.length <= moves.length || !begins(sequence, moves)) continue;
    const [source] = sequence[moves.length];
    const found = ways.get(source) ?? new Map();
    ways.set(source, found);
    let at = source;
    for (let end = moves.length; end < sequence.length && sequence[end][0] === at; end += 1) {
      at = sequence[end][1];
      const known = found.get(at);
      if (!known || known.length > end + 1 - moves.length)
        found.set(at, sequence.slice(moves.length, end + 1));
    }
  }
  last = { sequences, moves, ways };
  return ways;
};

/**
 * Where one checker of a point can go now: a Map from target to the moves that bring it there.
 * @type {(sequences: Move[][], moves: Move[], source: number) => Map<number, Move[]>}
 */
export const landings = (sequences, moves, source) => waysOf(sequences, moves).get(source) ?? new Map();

/**
 * Points whose checkers can move next.
 * @type {(sequences: Move[][], moves: Move[]) => Set<number>}
 */
export const sources = (sequences, moves) => new Set(waysOf(sequences, moves).keys());

/**
 * Targets of the next single moves, those of the first die where it can be played.
 * @type {(sequences: Move[][], moves: Move[], die: number) => Set<number>}
 */
export const nextTargets = (sequences, moves, die) => {
  const next = [...waysOf(sequences, moves).values()].flatMap((found) =>
    [...found.values()].filter((way) => way.length === 1).map(([move]) => move),
  );
  const first = next.filter((move) => fits(move, die));
  return new Set((first.length ? first : next).map((move) => move[1]));
};

/**
 * What a tap on a checker does: one move by the first die, or by the other one where the first cannot be played.
 * @type {(sequences: Move[][], moves: Move[], source: number, dice: number[]) => Move[]}
 */
export const movesOfTap = (sequences, moves, source, dice) => {
  const next = [...landings(sequences, moves, source).values()]
    .filter((way) => way.length === 1)
    .map(([move]) => move);
  for (const die of dice) {
    const exact = next.find((move) => move[0] - move[1] === die) ?? next.find((move) => fits(move, die));
    if (exact) return [exact];
  }
  return next.length ? [next[0]] : [];
};

/**
 * What a tap on an empty place does: the shortest way there; two checkers where the next two moves make that point.
 * @type {(sequences: Move[][], moves: Move[], target: number) => Move[]}
 */
export const movesToPoint = (sequences, moves, target) => {
  const rest = matching(sequences, moves).map((sequence) => sequence.slice(moves.length));
  const pair = rest.find(
    (next) => next.length > 1 && next[0][1] === target && next[1][1] === target && target !== 0,
  );
  if (pair) return pair.slice(0, 2);
  const one = rest.find((next) => next.length && next[0][1] === target);
  if (one) return one.slice(0, 1);
  const ways = [...sources(sequences, moves)].map(
    (source) => landings(sequences, moves, source).get(target) ?? [],
  );
  const known = ways.filter((way) => way.length);
  return known.sort((a, b) => a.length - b.length)[0] ?? [];
};

/** @type {(side: Side) => Side} */
const other = (side) => (side === "white" ? "black" : "white");

/**
 * The position after moves of a side: who is hit goes to the bar. Nothing is judged here.
 * @type {(position: Position, side: Side, moves: Move[]) => Position}
 */
export const moved = (position, side, moves) => {
  const after = { white: [...position.white], black: [...position.black] };
  for (const [source, target] of moves) {
    after[side][source] -= 1;
    after[side][target] += 1;
    const theirs = after[other(side)];
    if (target > 0 && theirs[25 - target] === 1) {
      theirs[25 - target] = 0;
      theirs[25] += 1;
    }
  }
  return after;
};

/**
 * The moves as the field writes them: "24/18/13*", "6/4(2)", "bar/20*", rearmost checkers first, as the server does
 * (scoring/notation/plays.py); `names` are the words for bar and off.
 * @param {Position} position
 * @param {Side} side
 * @param {Move[]} moves
 * @param {Names} names
 */
export const notation = (position, side, moves, names) => {
  const theirs = position[other(side)];
  const blots = new Set(
    theirs.map((count, slot) => (count === 1 ? 25 - slot : 0)).filter((point) => point % 25),
  );
  /** @type {Stop[][]} */
  const paths = [];
  for (const [source, target] of [...moves].sort((one, two) => two[0] - one[0] || two[1] - one[1])) {
    let path = paths.find((each) => each.at(-1)?.slot === source);
    if (!path) {
      path = [{ slot: source, hit: false }];
      paths.push(path);
    }
    path.push({ slot: target, hit: blots.delete(target) });
  }
  return grouped(paths, names).join(" ");
};

/**
 * @typedef {{ bar: string, off: string }} Names
 * @typedef {{ slot: number, hit: boolean }} Stop
 */

/**
 * The paths as words: joined where nobody is hit between, equal ones counted.
 * @param {Stop[][]} paths
 * @param {Names} names
 */
const grouped = (paths, names) => {
  const place = (/** @type {number} */ slot) =>
    slot === 25 ? names.bar : slot === 0 ? names.off : String(slot);
  /** @type {Map<string, { slots: number[], hits: Set<number>, times: number }>} */
  const groups = new Map();
  for (const path of paths) {
    const stops = path.filter(({ hit }, at) => hit || at === 0 || at === path.length - 1);
    const slots = stops.map(({ slot }) => slot);
    const group = groups.get(String(slots)) ?? { slots, hits: new Set(), times: 0 };
    groups.set(String(slots), group);
    group.times += 1;
    for (const { slot, hit } of stops) if (hit) group.hits.add(slot);
  }
  return [...groups.values()]
    .sort((one, two) => rearmost(one.slots, two.slots))
    .map(({ slots, hits, times }) => {
      const words = slots.map((slot) => place(slot) + (hits.has(slot) ? "*" : "")).join("/");
      return times > 1 ? `${words}(${times})` : words;
    });
};

/**
 * An order of places, the higher ones first.
 * @param {number[]} one
 * @param {number[]} two
 */
const rearmost = (one, two) => {
  const at = one.findIndex((slot, n) => slot !== two[n]);
  if (at < 0) return two.length - one.length;
  return (two[at] ?? -1) - one[at];
};

/**
 * The dice as they lie on the board, four of a double: which are used.
 * @type {(dice: number[], left: number[]) => { value: number, used: boolean }[]}
 */
export const diceOnBoard = (dice, left) => {
  const [value, second] = dice;
  if (value === second) return [4, 3, 2, 1].map((least) => ({ value, used: left.length < least }));
  return dice.map((die) => ({ value: die, used: !left.includes(die) }));
};

/**
 * The pips that a side still has to go.
 * @type {(counts: Counts) => number}
 */
export const pips = (counts) => counts.reduce((sum, count, slot) => sum + count * slot, 0);

/** @type {(counts: Counts) => number} */
export const checkersIn = (counts) => counts.reduce((sum, count) => sum + count, 0);

/**
 * A position as an entry tells it: one without 15 checkers a side says so.
 * @type {(own: Counts, opponent: Counts) => { own: Counts, opponent: Counts, irregular?: true }}
 */
export const asTold = (own, opponent) =>
  [own, opponent].every((counts) => checkersIn(counts) === 15)
    ? { own, opponent }
    : { own, opponent, irregular: true };
