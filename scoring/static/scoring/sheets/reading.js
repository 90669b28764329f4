// What is typed into the dialogs, as dice, moves and checkers; what cannot be read says which words.

import { asTold } from "./play.js";

/**
 * @typedef {import("./play.js").Counts} Counts
 * @typedef {import("./play.js").Move} Move
 * @typedef {import("./play.js").Names} Names
 */

/** `words` names the sentence that says why, with its values. */
export class UnreadableError extends Error {
  constructor(/** @type {string} */ words, /** @type {Record<string, unknown>} */ values = {}) {
    super(words);
    this.words = words;
    this.values = values;
  }
}

/**
 * "3-1", "31" as two dice.
 * @type {(text: string) => number[]}
 */
export const readDice = (text) => {
  const dice = String(text).match(/[1-6]/g)?.map(Number) ?? [];
  if (dice.length !== 2) throw new UnreadableError("unreadable_dice", { text });
  return dice;
};

/**
 * A point, the bar or off; `names` are the words for these two in the reader's language.
 * @type {(text: string, names: Names) => number}
 */
const readPlace = (text, names) => {
  if (/^(bar|b|25)$/i.test(text) || text === names.bar) return 25;
  if (/^(off|o|0)$/i.test(text) || text === names.off) return 0;
  const point = Number(text);
  if (!Number.isInteger(point) || point < 1 || point > 24)
    throw new UnreadableError("unreadable_point", { text });
  return point;
};

const NO_MOVE = /^\s*cannot\s+move\s*$/i;

/**
 * "24/18/13 6/4(2)" as moves, in every spelling that the server reads (scoring/notation/plays.py).
 * @type {(text: string, names: Names) => Move[]}
 */
export const readPlay = (text, names) =>
  String(text)
    .replace(NO_MOVE, "")
    .trim()
    .split(/[\s,]+/)
    .filter(Boolean)
    .flatMap((word) => {
      const [, way = word, times = "1"] = word.match(/^(.*?)(?:\(([1-4])\))?$/) ?? [];
      const places = way
        .replaceAll("*", "")
        .split(/[/-]/)
        .map((place) => readPlace(place, names));
      if (places.length < 2) throw new UnreadableError("unreadable_play", { text: word });
      const moves = places.slice(1).map((place, n) => /** @type {Move} */ ([places[n], place]));
      return Array.from({ length: Number(times) }, () => moves).flat();
    });

/**
 * "24:2 13:5 8:3 6:5" as 26 counts.
 * @type {(text: string, names: Names) => Counts}
 */
export const readCheckers = (text, names) => {
  const counts = Array(26).fill(0);
  for (const word of String(text)
    .trim()
    .split(/[\s,]+/)
    .filter(Boolean)) {
    const [place, count] = word.split(":");
    counts[readPlace(place, names)] += Number(count ?? 1);
  }
  if (counts.some((count) => !Number.isInteger(count) || count < 0))
    throw new UnreadableError("unreadable_checkers", { text });
  return counts;
};

/** @type {(counts: Counts) => string} */
export const writeCheckers = (counts) =>
  counts
    .map((count, slot) => (count ? `${slot === 25 ? "bar" : slot === 0 ? "off" : slot}:${count}` : ""))
    .filter(Boolean)
    .reverse()
    .join(" ");

/**
 * What was typed into a dialog as an entry: form -> (fields, names).
 * @type {Record<string, (fields: Record<string, string>, names: Names) => { kind: string, body: object }>}
 */
export const ENTRIES = {
  void_roll: (f) => ({ kind: "roll", body: { dice: readDice(f.dice), void: f.void } }),
  void_double: (f) => ({ kind: "double", body: { status: f.status } }),
  ruling: (f) => ({ kind: "ruling", body: { text: f.text } }),
  penalty: (f) => ({ kind: "penalty", body: { to: f.to, points: Number(f.points), reason: f.reason } }),
  match_end: (f) => ({
    kind: "match_end",
    body: { reason: f.reason, ...(f.winner ? { winner: f.winner } : {}) },
  }),
  set_length: (f) => ({ kind: "set_length", body: { length: Number(f.length), reason: f.reason } }),
  suspend: () => ({ kind: "suspend", body: {} }),
  resume: () => ({ kind: "resume", body: {} }),
  set_position: (f, names) => {
    const position = asTold(readCheckers(f.white, names), readCheckers(f.black, names));
    return {
      kind: "set_position",
      body: { position, reason: f.reason, ...(f.on_roll ? { on_roll: f.on_roll } : {}) },
    };
  },
};

/**
 * Kinds that are corrected as a text: how it is written, and read again.
 * @type {Record<string, { write(body: any): string, read(text: string, names: Names): object }>}
 */
export const CORRECTABLE = {
  roll: { write: (body) => body.dice.join("-"), read: (text) => ({ dice: readDice(text) }) },
  opening_roll: {
    write: (body) => `${body.white}-${body.black}`,
    read: (text) => {
      const [white, black] = readDice(text);
      return { white, black };
    },
  },
  play: {
    write: (body) =>
      (body.moves ?? [])
        .map((/** @type {Move} */ [from, to]) => `${from === 25 ? "bar" : from}/${to || "off"}`)
        .join(" "),
    read: (text, names) => (text.trim() ? { moves: readPlay(text, names) } : {}),
  },
};

/**
 * What stands in a line once it is corrected, as it was typed.
 * @type {(line: { kind: string, body: any }, fields: Record<string, string>, names: Names) => { kind: string, body: object }}
 */
export const corrected = ({ kind, body }, fields, names) => {
  if (fields.away) return { kind: "voided", body: { reason: fields.why } };
  if (kind === "game_result") {
    const { winner, win, cube, ended } = fields;
    return { kind, body: { winner, win: Number(win), cube: Number(cube), ended } };
  }
  const known = CORRECTABLE[kind];
  if (!known || !body) throw new UnreadableError("only_away");
  // A roll that does not count stays one.
  const kept = "void" in body ? { void: body.void } : {};
  return { kind, body: { ...kept, ...known.read(fields.value, names) } };
};
