// The legal plays that a typed line can still mean, each as the whole line that says it (scoring/notation/typed.py reads it).

/**
 * @typedef {import("./game.js").Game} Game
 * @typedef {import("./written_plays.js").Plays} Plays
 * @typedef {import("./play.js").Side} Side
 * @typedef {{ words: string, forms: string[][] }} Typable a play in words, and the moves that it is typed in, in several ways
 * @typedef {{ head: string, side: Side, roll: number[], moves: string }} Typed a line up to its roll, and what follows
 */

const MOST = 8;
const TIME = /^\s*(?:@\S*\s+)?/;
/** What comes before the roll, the roll, and the moves, if a space was typed between. */
const LINE = /^(\s*(?:@\S+\s+)?(?:\d{1,3}[.)]\s+)?(?:[a-z]+[\s,/]+)*([1-6])[-/]?([1-6]):?)(?:[\s,]+(.*))?$/i;

/** @type {(text: string) => string} "8–5" as "8-5", "３１" as "31": what is typed for the same elsewhere */
const plain = (text) => text.normalize("NFKC").replaceAll(/[‐‑‒–—―−]/g, "-");

/**
 * The roll of a line, or of the game, and who plays it.
 * @type {(game: Game, text: string) => Typed | null}
 */
const rollOf = ({ phase, on_roll: side, roll }, text) => {
  if (phase === "moving" && side && roll) {
    const head = TIME.exec(text)?.[0] ?? "";
    return { head, side, roll, moves: text.slice(head.length) };
  }
  if (!["opening", "turn", "roll", "offered", "beavered", "raccooned"].includes(phase)) return null;
  const [, head, one, two, moves = ""] = LINE.exec(text) ?? [];
  if (!head) return null;
  const [first, second] = [Number(one), Number(two)];
  if (phase !== "opening") return side && { head: `${head} `, side, roll: [first, second], moves };
  if (first === second) return null;
  return { head: `${head} `, side: first > second ? "white" : "black", roll: [first, second], moves };
};

/** @type {(move: string) => string} "bar/22*" as "b22", "8-5" as "85" */
const short = (move) =>
  move
    .toLowerCase()
    .replaceAll(/[*/-]/g, "")
    .replace(/^ba?r?(?=\d|$)/, "b")
    .replace(/of?f?$/, "o");

/** @type {(moves: string) => string[]} each move as often as it is counted */
const wordsOf = (moves) =>
  moves
    .split(/[\s,;]+/)
    .filter(Boolean)
    .flatMap((word) => {
      const [, move = word, times = "1"] = /^(.*?)(?:\((\d?)\)?\*?)?$/.exec(word) ?? [];
      return Array(Math.min(Number(times || 1), 4)).fill(short(move));
    });

/** @type {{ key: string, plays: Typable[] }} the plays found last: each key that is typed asks for them */
let last = { key: "", plays: [] };

/**
 * The legal plays of a roll with the ways to type them: joined as they are written, and step by step.
 * @type {(game: Game, typed: Typed, plays: Plays) => Typable[]}
 */
const typable = ({ position }, { side, roll }, plays) => {
  const key = JSON.stringify([position, side, roll]);
  if (key === last.key) return last.plays;
  /** @type {Map<string, Typable>} */
  const found = new Map();
  for (const { words, moves } of plays(position, side, roll)) {
    const play = found.get(words) ?? { words, forms: [wordsOf(words)] };
    play.forms.push(moves.map(([source, target]) => `${source === 25 ? "b" : source}${target || "o"}`));
    found.set(words, play);
  }
  last = { key, plays: [...found.values()] };
  return last.plays;
};

/**
 * Whether a play has all that is typed; of the last move, where it is not ended, the beginning.
 * @type {(form: string[], typed: string[], isEnded: boolean) => boolean}
 */
const has = (form, typed, isEnded) => {
  const left = [...form];
  return typed.every((move, n) => {
    const isBegun = n === typed.length - 1 && !isEnded;
    const at = left.findIndex((each) => (isBegun ? each.startsWith(move) : each === move));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
};

/**
 * Lines that complete what is typed by a legal play, the first of them; none for what says it all.
 * @type {(game: Game, text: string, plays: Plays) => string[]}
 */
export const completions = (game, text, plays) => {
  const line = plain(text);
  const typed = rollOf(game, line);
  if (!typed) return [];
  const { head, moves } = typed;
  const words = wordsOf(moves);
  /** @type {(play: Typable) => boolean} */
  const fits = ({ forms }) => forms.some((form) => has(form, words, /\s$/.test(moves)));
  /** @type {(play: Typable) => number} those that are written as they are typed come first */
  const rank = ({ forms: [written] }) => (written[0]?.startsWith(words[0] ?? "") ? 0 : 1);
  const lines = typable(game, typed, plays)
    .filter(fits)
    .sort((one, two) => rank(one) - rank(two))
    .map((play) => head + play.words);
  return lines.length === 1 && lines[0] === line.trimEnd() ? [] : lines.slice(0, MOST);
};
