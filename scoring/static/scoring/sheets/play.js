// The play under way. The server says which sequences are legal; here they are only filtered by what was moved so far.
// A move is [source, target] in the mover's own numbering: 25 the bar, 24 to 1 the points, 0 off.

const same = (one, other) => one[0] === other[0] && one[1] === other[1];
const begins = (sequence, moves) => moves.length <= sequence.length && moves.every((move, n) => same(move, sequence[n]));

/** The offered sequences that begin with the moves made so far. */
export const matching = (sequences, moves) => sequences.filter((sequence) => begins(sequence, moves));

/** Whether nothing is left to play after the moves. */
export const isComplete = (sequences, moves) => sequences.length === 0 || sequences.some((sequence) => sequence.length === moves.length && begins(sequence, moves));

/** Whether a die makes the move: exactly, or with more than is needed where a checker leaves the board. */
export const fits = ([source, target], die) => source - target === die || (target === 0 && source < die);

/** Dice that are still to be played, in their order on the board, after the moves. */
export const diceLeft = (dice, moves) => {
  const left = dice.length === 2 && dice[0] === dice[1] ? [dice[0], dice[0], dice[0], dice[0]] : [...dice];
  for (const move of moves) {
    let at = left.findIndex((die) => move[0] - move[1] === die);
    if (at < 0) at = left.findIndex((die) => fits(move, die));
    if (at >= 0) left.splice(at, 1);
  }
  return left;
};

/** Where one checker of a point can go now, by one die or by several: a Map from target to the moves that bring it there. */
export const landings = (sequences, moves, source) => {
  const found = new Map();
  for (const sequence of matching(sequences, moves)) {
    const way = [];
    let at = source;
    for (const move of sequence.slice(moves.length)) {
      if (move[0] !== at) break;
      way.push(move);
      at = move[1];
      if (!found.has(at) || found.get(at).length > way.length) found.set(at, [...way]);
    }
  }
  return found;
};

/** Points whose checkers can move next. */
export const sources = (sequences, moves) => new Set(matching(sequences, moves).filter((sequence) => sequence.length > moves.length).map((sequence) => sequence[moves.length][0]));

/** Targets of the next single moves, those of the first die where it can be played. */
export const nextTargets = (sequences, moves, die) => {
  const next = matching(sequences, moves).filter((sequence) => sequence.length > moves.length).map((sequence) => sequence[moves.length]);
  const first = next.filter((move) => fits(move, die));
  return new Set((first.length ? first : next).map((move) => move[1]));
};

/** What a tap on a checker does: one move by the first die, or by the other one where the first cannot be played. */
export const movesOfTap = (sequences, moves, source, dice) => {
  const next = [...landings(sequences, moves, source).values()].filter((way) => way.length === 1).map(([move]) => move);
  for (const die of dice) {
    const exact = next.find((move) => move[0] - move[1] === die) ?? next.find((move) => fits(move, die));
    if (exact) return [exact];
  }
  return next.length ? [next[0]] : [];
};

/** What a tap on an empty place does: the shortest way there; two checkers where the next two moves make that point. */
export const movesToPoint = (sequences, moves, target) => {
  const rest = matching(sequences, moves).map((sequence) => sequence.slice(moves.length));
  const pair = rest.find((next) => next.length > 1 && next[0][1] === target && next[1][1] === target && target !== 0);
  if (pair) return pair.slice(0, 2);
  const one = rest.find((next) => next.length && next[0][1] === target);
  if (one) return one.slice(0, 1);
  const ways = [...sources(sequences, moves)].map((source) => landings(sequences, moves, source).get(target)).filter(Boolean);
  return ways.sort((a, b) => a.length - b.length)[0] ?? [];
};

const other = (side) => (side === "white" ? "black" : "white");

/** The position after moves of a side: who is hit goes to the bar. Nothing is judged here. */
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

/** The moves as the field writes them: "24/18/13", "6/4(2)", "bar/20*"; `names` are the words for bar and off. */
export const notation = (position, side, moves, names) => {
  const place = (slot) => (slot === 25 ? names.bar : slot === 0 ? names.off : String(slot));
  let at = position;
  const parts = [];
  for (const move of moves) {
    const hit = move[1] > 0 && at[other(side)][25 - move[1]] === 1;
    at = moved(at, side, [move]);
    const last = parts.at(-1);
    const written = place(move[1]) + (hit ? "*" : "");
    if (last && last.end === move[0] && move[0] !== 25) {
      last.words += `/${written}`;
      last.end = move[1];
    } else {
      parts.push({ words: `${place(move[0])}/${written}`, end: move[1] });
    }
  }
  const counted = new Map();
  for (const { words } of parts) counted.set(words, (counted.get(words) ?? 0) + 1);
  return [...counted].map(([words, times]) => (times > 1 ? `${words}(${times})` : words)).join(" ");
};

/** The pips that a side still has to go. */
export const pips = (counts) => counts.reduce((sum, count, slot) => sum + count * slot, 0);
