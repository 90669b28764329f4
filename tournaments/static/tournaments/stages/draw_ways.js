// What a draw says of one name, and where names are found: figures from matches, without a page.

/**
 * @typedef {{ entrant: string, name: string, won: boolean, points: string }} Side one of two; without an `entrant`
 * its name is "winner of 12"
 * @typedef {{ number: string, to: string, loser: string, open: boolean, round: string, sides: Side[] }} Match `to` is the
 * match that its winner plays next, `loser` that of its loser, empty for none
 * @typedef {{ kind: "won" | "lost" | "next" | "later", round: string, names: string[], score: string, number: string }}
 * Step one match of a path: a played one, the next one, or a later one with its possible opponents
 */

/** @type {(match: Match) => Side | undefined} */
const winnerOf = (match) => match.sides.find((side) => side.won);

/** @type {(sides: Side[]) => Side[]} */
const once = (sides) =>
  sides.filter((side, n) => sides.findIndex((other) => other.entrant === side.entrant) === n);

/**
 * The entrants that can play in a match: those who are known, and those who can come out of its feeders.
 * @type {(matches: Match[], match: Match, but?: Match) => Side[]}
 */
const inside = (matches, match, but) => {
  const known = match.sides.filter((side) => side.entrant);
  if (known.length === match.sides.length) return known;
  const feeders = matches.filter((each) => each !== but);
  const winners = feeders.filter((each) => each.to === match.number);
  const losers = feeders.filter((each) => each.loser === match.number);
  return once([
    ...known,
    ...winners.flatMap((each) => candidates(matches, each)),
    ...losers.flatMap((each) => candidates(matches, each, true)),
  ]);
};

/**
 * The entrants that can win a match, or with `losing` lose it.
 * @type {(matches: Match[], match: Match, losing?: boolean) => Side[]}
 */
export const candidates = (matches, match, losing = false) => {
  const winner = winnerOf(match);
  if (winner) return match.sides.filter((side) => side.entrant && (side !== winner) === losing);
  return inside(matches, match);
};

/** @type {(match: Match, own: Side, other: Side) => string} */
const scoreOf = (match, own, other) =>
  !match.open && own.points !== "" ? `${own.points}–${other.points}` : "";

/**
 * The path of an entrant: played matches in order, the next one, then later ones with the possible opponents.
 * @type {(matches: Match[], entrant: string) => Step[]}
 */
export const pathOf = (matches, entrant) => {
  /** @type {Step[]} */
  const steps = [];
  const own = matches.filter((match) => match.sides.some((side) => side.entrant === entrant));
  for (const match of own.filter((each) => !each.open)) {
    const mine = match.sides.find((side) => side.entrant === entrant);
    const other = match.sides.find((side) => side !== mine);
    if (!mine || !other) continue;
    const kind = mine.won ? "won" : "lost";
    const score = scoreOf(match, mine, other);
    steps.push({ kind, round: match.round, names: [other.name], score, number: match.number });
  }
  /** @type {Match | undefined} */
  let match = own.find((each) => each.open);
  if (!match) return steps;
  const others = match.sides.filter((side) => side.entrant !== entrant);
  const against = inside(matches, match).filter((side) => side.entrant !== entrant);
  const names = (against.length ? against : others).map((side) => side.name);
  steps.push({ kind: "next", round: match.round, names, score: "", number: match.number });
  while (match?.to) {
    /** @type {Match} */
    const from = match;
    /** @type {Match | undefined} */
    const next = matches.find((each) => each.number === from.to);
    if (!next) break;
    const there = next.sides.filter((side) => side.entrant);
    const possible = (there.length ? there : inside(matches, next, from)).filter(
      (side) => side.entrant !== entrant,
    );
    steps.push({
      kind: "later",
      round: next.round,
      names: possible.map((side) => side.name),
      score: "",
      number: next.number,
    });
    match = next;
  }
  return steps;
};

/** @type {(text: string) => string} Without accents and capitals, so that "inês" is found by "INES". */
export const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLocaleLowerCase();

/**
 * The entrants whose name has a word that begins with each word asked for; first those that begin with it.
 * @type {(names: Map<string, string>, asked: string) => string[]}
 */
export const found = (names, asked) => {
  const words = folded(asked).split(/\s+/).filter(Boolean);
  if (!words.length) return [];
  const hits = [...names].filter(([, name]) => {
    const own = folded(name).split(/[\s/-]+/);
    return words.every((word) => own.some((each) => each.startsWith(word)));
  });
  const first = (/** @type {string} */ name) => (folded(name).startsWith(words[0]) ? 0 : 1);
  return hits.sort(([, one], [, other]) => first(one) - first(other)).map(([entrant]) => entrant);
};

/**
 * The first names of a list, and how many are left.
 * @type {(names: string[], most: number) => { shown: string[], more: number }}
 */
export const first = (names, most) =>
  names.length <= most + 1
    ? { shown: names, more: 0 }
    : { shown: names.slice(0, most), more: names.length - most };

/**
 * The size of a sheet under two fingers: it grows as they part, within the bounds.
 * @type {(size: number, began: number, apart: number, least: number, most: number) => number}
 */
export const pinched = (size, began, apart, least, most) =>
  began > 0 ? Math.max(least, Math.min(most, (size * apart) / began)) : size;

/**
 * The number of the match that an address names: "#m13" and "#c13" are match 13.
 * @type {(hash: string) => string}
 */
export const matchIn = (hash) => /^#[mc](\d+)$/.exec(hash)?.[1] ?? "";
