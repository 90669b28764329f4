// What is on the sheet, newest first, with what is still on its way; and the games so far.

import { recordedRow, waitingRow } from "./log_rows.js";
import { notation } from "./play.js";
import { make, say } from "./words.js";

/**
 * @typedef {import("./play.js").Side} Side
 * @typedef {import("./game.js").SheetView} SheetView
 *
 * @typedef {object} Line
 * @property {number} seq
 * @property {string} kind
 * @property {any} body
 * @property {string} words
 * @property {string} at
 * @property {boolean} undone
 * @property {boolean} corrected
 * @property {string} note
 */

const WINS = ["", "single", "gammon", "backgammon"];

/**
 * An unsent entry in words; `view` is the sheet before it.
 * @type {(entry: { kind: string, body: any }, view: SheetView) => string}
 */
export const inWords = ({ kind, body }, view) => {
  const name = (/** @type {Side} */ side) => view[side]?.name ?? "";
  const mover = view.game.on_roll ?? "white";
  /** @type {Record<string, () => string>} */
  const does = {
    opening_roll: () => say("said_opening", { white: body.white, black: body.black }),
    roll: () => say("said_roll", { name: name(mover), roll: [...body.dice].sort().reverse().join("-") }),
    play: () => {
      const play = notation(view.game.position, mover, body.moves ?? [], {
        bar: say("bar"),
        off: say("off"),
      });
      return play
        ? say("said_play", { name: name(mover), play })
        : say("said_no_move", { name: name(mover) });
    },
    game_result: () =>
      say(`said_${WINS[body.win]}`, { name: name(body.winner), cube: body.cube, number: view.game.number }),
    final_score: () => say("said_score", { white: body.white, black: body.black }),
    resign: () => say("said_resign", { name: name(body.by) }),
    set_length: () => say("said_set_length", { n: body.length }),
    penalty: () => say("said_penalty", { name: name(body.to), points: body.points }),
  };
  return does[kind]?.() ?? say(`said_${kind}`, { name: name(view.game.to_act ?? mover) });
};

/**
 * @typedef {object} Paper
 * @property {{ lines: Line[], earlier?: string | null }} view
 * @property {import("./log_rows.js").Waiting[]} waiting
 * @property {boolean} writes
 * @property {(line: Line) => void} correct
 */

/** @type {(line: Line, correct: Paper["correct"] | null) => HTMLElement} */
const rowOf = (line, correct) =>
  recordedRow(line, { correct, notes: [line.corrected && say("corrected"), line.note] });

/** The log on the page: a row that is there stays, and only what is new is made. */
export class Log {
  /** @type {Map<object | string, { key: string, element: HTMLElement }>} */
  rows = new Map();

  /** @param {HTMLElement} host */
  constructor(host) {
    this.host = host;
  }

  /** @param {Paper} paper */
  draw({ view, waiting, writes, correct }) {
    /** @type {Log["rows"]} */
    const rows = new Map();
    /** @type {(of: object | string, key: string, made: () => HTMLElement) => void} */
    const put = (of, key, made) => {
      const known = this.rows.get(of);
      rows.set(of, known?.key === key ? known : { key, element: made() });
    };
    for (const row of waiting.toReversed())
      put(row, `${row.words} ${row.unchecked ?? false}`, () => waitingRow(row));
    for (const line of view.lines.toReversed())
      put(line, String(writes), () => rowOf(line, writes ? correct : null));
    const { earlier } = view;
    if (earlier) put("earlier", earlier, () => make("li", {}, make("a", { href: earlier }, say("earlier"))));
    this.rows = rows;
    arrange(
      this.host,
      [...rows.values()].map(({ element }) => element),
    );
  }
}

/**
 * Give an element these children, in this order, moving none that is in its place.
 * @type {(host: HTMLElement, wanted: HTMLElement[]) => void}
 */
const arrange = (host, wanted) => {
  const staying = new Set(/** @type {Element[]} */ (wanted));
  for (const child of [...host.children]) if (!staying.has(child)) child.remove();
  let next = host.firstElementChild;
  for (const element of wanted) {
    if (element === next) next = next.nextElementSibling;
    else host.insertBefore(element, next);
  }
};

/** @type {WeakMap<HTMLElement, string>} what is drawn in a table of games */
const drawn = new WeakMap();

/** @type {(host: HTMLElement, view: SheetView) => void} */
export const drawGames = (host, view) => {
  const key = JSON.stringify([view.games, view.white.name, view.black.name]);
  /** @type {(points: number) => number} nobody has more points than the match is long */
  const scored = (points) => (view.length ? Math.min(points, view.length) : points);
  if (drawn.get(host) === key) return;
  drawn.set(host, key);
  host.replaceChildren(
    ...view.games.map((game) => {
      const side = game.winner;
      const sign = [game.crawford && say("crawford_short"), game.unsent && say("badge_unsent")]
        .filter(Boolean)
        .join(" · ");
      return make(
        "tr",
        {},
        make(
          "th",
          { scope: "row" },
          String(game.number),
          sign ? make("span", { class: "small muted" }, ` ${sign}`) : "",
        ),
        make(
          "td",
          {},
          side ? view[side].name : "–",
          " ",
          make(
            "span",
            { class: "muted small" },
            [say(`win_${game.win}`), say(`ended_${game.ended}`)].join(", "),
          ),
        ),
        make("td", { class: "number" }, String(game.cube)),
        make("td", { class: "number" }, `${scored(game.white)}–${scored(game.black)}`),
      );
    }),
  );
};
