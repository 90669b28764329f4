// Form values of a table as entries; the server validates them.

/**
 * @typedef {Record<string, string>} Fields
 * @typedef {{ kind: string, body: object }} Entry
 */

/**
 * Minor units of a typed amount: "2.50" or "2,50" at two decimals.
 * @type {(text: string, decimals: number) => number}
 */
export const minorOf = (text, decimals) => Math.round(Number(text.replace(",", ".")) * 10 ** decimals);

/** @type {(minor: number, decimals: number) => string} */
export const decimalOf = (minor, decimals) => (minor / 10 ** decimals).toFixed(decimals);

/**
 * The points of a price, negative for paying.
 * @type {(fields: Fields) => number}
 */
const price = ({ points, direction }) => (direction === "pays" ? -Number(points) : Number(points));

// A random ref for a new player in the log (clubs/refs.py).
const ALPHABET = "23456789abcdefghjkmnpqrstvwxyz";
const LENGTH = 10;
/** Uniform over the letters: surplus values of the 256 are discarded. */
export const newRef = () =>
  [...crypto.getRandomValues(new Uint8Array(64))]
    .filter((byte) => byte < 240)
    .slice(0, LENGTH)
    .map((byte) => ALPHABET[byte % ALPHABET.length])
    .join("");

/** @type {(fields: Fields, decimals: number) => Entry[]} */
const joined = ({ member, name = "", stake = "0" }, decimals) => {
  const player = newRef();
  const who = member ? { member } : { name: name.trim() };
  return [
    { kind: "join", body: { player, stake: minorOf(stake, decimals), ...who } },
    { kind: "agree", body: { player } },
  ];
};

/** @type {(kind: string) => (fields: Fields) => Entry[]} */
const ofPlayer =
  (kind) =>
  ({ player }) => [{ kind, body: { player } }];

/** @type {Record<string, (fields: Fields, decimals: number) => Entry[]>} */
const ENTRIES = {
  join: joined,
  settle: (f) => [{ kind: "settle", body: { cube: f.cube, points: price(f) } }],
  take_over: (f) => [{ kind: "take_over", body: { cube: f.cube, by: f.by, points: price(f) } }],
  sit_out: ofPlayer("sit_out"),
  come_back: ofPlayer("come_back"),
  leave: ofPlayer("leave"),
  agree: ofPlayer("agree"),
  stake: ({ player, stake }, decimals) => [
    { kind: "stake", body: { player, stake: minorOf(stake, decimals) } },
  ],
  proxy: ({ player, proxy }) => [{ kind: "proxy", body: proxy ? { player, proxy } : { player } }],
  swap: ({ player, other }) => [{ kind: "swap", body: { one: player, other } }],
  chouette_end: () => [{ kind: "chouette_end", body: {} }],
};

/**
 * The entry of a submitted form.
 * @type {(form: string, fields: Fields, decimals: number) => Entry[]}
 */
export const entriesOf = (form, fields, decimals) => ENTRIES[form](fields, decimals);

const WINS = ["single", "gammon", "backgammon"];

/**
 * The result that a button stands for, as the view names it.
 * @type {(button: { winner?: string, win?: string }) => string}
 */
export const wayOf = ({ winner, win }) => `${winner === "box" ? "box" : "team"}_${WINS[Number(win) - 1]}`;

/**
 * The end of a game, borne off unless resigned.
 * @type {(chosen: { winner?: string, win?: string }, resigned?: string) => Entry}
 */
export const gameOver = ({ winner, win }, resigned = "") => ({
  kind: "game_over",
  body: { box_won: winner === "box", win: Number(win), ...(resigned ? { ended: "resignation" } : {}) },
});

/**
 * The order with one player moved up.
 * @template T
 * @param {T[]} line
 * @param {number} at
 * @returns {T[]}
 */
export const moveUp = (line, at) => [...line.slice(0, at - 1), line[at], line[at - 1], ...line.slice(at + 1)];

/** @type {Record<string, (body: any, fields: Fields, decimals: number) => object>} */
const CORRECTED = {
  game_over: (_body, { winner, win, ended }) => ({
    box_won: winner === "box",
    win: Number(win),
    ...(ended === "borne_off" ? {} : { ended }),
  }),
  answer: ({ by }, fields) => {
    const keys = (/** @type {string} */ word) =>
      Object.entries(fields)
        .filter(([name, value]) => name.startsWith("answer ") && value === word)
        .map(([name]) => name.slice(7));
    return { by, takes: keys("take"), passes: keys("pass") };
  },
  settle: (body, { points }) => ({ ...body, points: Number(points) }),
  take_over: (body, { points }) => ({ ...body, points: Number(points) }),
  stake: (body, { stake }, decimals) => ({ ...body, stake: minorOf(stake, decimals) }),
  join: (body, { stake }, decimals) => ({ ...body, stake: minorOf(stake, decimals) }),
};

/**
 * The corrected body of an entry; null for a kind without fields in the page.
 * @type {(line: { kind: string, body: any }, fields: Fields, decimals: number) => Entry | null}
 */
export const corrected = ({ kind, body }, fields, decimals) => {
  if (fields.away) return { kind: "nothing", body: {} };
  const correct = CORRECTED[kind];
  return correct ? { kind, body: correct(body, fields, decimals) } : null;
};
