// The log with unsent entries, newest first, and the games with each player's share.

import { formats } from "../../clubs/formats.js";
import { boxOf, named } from "./projection.js";
import { recordedRow, waitingRow } from "../sheets/log_rows.js";
import { make, say } from "../sheets/words.js";

/**
 * @typedef {import("./game.js").Ref} Ref
 * @typedef {import("./projection.js").Entry} Entry
 * @typedef {import("./projection.js").FinishedGame} FinishedGame
 * @typedef {import("./projection.js").Line} Line
 * @typedef {import("./projection.js").TableView} TableView
 */

const WINS = ["", "single", "gammon", "backgammon"];

/** @type {(names: string[]) => string} */
const list = (names) => new Intl.ListFormat(document.documentElement.lang).format(names);

/**
 * An unsent entry in words; `view` is the table before it.
 * @type {(entry: Entry, view: TableView) => string}
 */
export const inWords = ({ kind, body, label }, view) => {
  const name = (/** @type {Ref | null} */ ref) => (ref ? named(view, ref) : "");
  const cubes = (/** @type {string[]} */ keys) =>
    list((keys ?? []).map((key) => key.split(">").map(name).join(" – ")));
  /** @type {(sentence: string, keys: string[]) => string} their own cube needs no name */
  const about = (sentence, keys) =>
    keys.length === 1 && keys[0] === body.by
      ? say(`${sentence}_own`, { name: name(body.by) })
      : say(sentence, { name: name(body.by), cubes: cubes(keys) });
  /** @type {Record<string, () => string>} */
  const does = {
    offer: () => about("said_offer", body.cubes),
    answer: () =>
      [body.takes && about("said_takes", body.takes), body.passes && about("said_passes", body.passes)]
        .filter(Boolean)
        .join(" "),
    game_over: () =>
      say(body.box_won ? "said_box_wins" : "said_team_wins", {
        name: name(boxOf(view)) || say("role_box"),
        win: say(`win_${WINS[body.win]}`),
      }),
    paid: () => say("said_paid", { payer: name(body.payer), receiver: name(body.receiver) }),
    join: () => say("said_join", { name: body.name ?? label ?? name(body.player) }),
  };
  return (
    does[kind]?.() ??
    say(`said_${kind}`, {
      name: name(body.player ?? body.by ?? body.one),
      other: name(body.other ?? body.proxy),
    })
  );
};

/** @type {(host: HTMLElement, shown: { view: TableView, waiting: any[], writes: boolean, correct(line: Line): void }) => void} */
export const drawLines = (host, { view, waiting, writes, correct }) => {
  const recorded = view.lines.map((line) =>
    recordedRow(line, {
      correct: writes ? correct : null,
      notes: [
        line.undone && line.by ? say("undone_by", { name: line.by }) : line.by,
        line.corrected && say("corrected"),
      ],
    }),
  );
  host.replaceChildren(...waiting.map(waitingRow).reverse(), ...recorded.reverse());
};

/** @type {(host: HTMLElement, view: TableView, matchUrl: (ref: Ref) => string) => void} */
export const drawGames = (host, view, matchUrl) => {
  const line = (/** @type {FinishedGame["ledger"][number]} */ { ref, points, money }) =>
    make(
      "span",
      { class: `share ${points > 0 ? "plus" : points < 0 ? "minus" : ""}` },
      `${named(view, ref)} `,
      make("strong", {}, formats().signed(points)),
      money && !view.points_only ? make("span", { class: "muted" }, ` ${money}`) : null,
    );
  host.replaceChildren(
    ...[...view.games]
      .reverse()
      .map((game) =>
        make(
          "li",
          { "data-game": game.number },
          make(
            "p",
            {},
            make("strong", {}, say("game_number", { number: game.number })),
            ` · ${game.words}`,
            game.match ? " · " : null,
            game.match ? make("a", { href: matchUrl(game.match) }, say("board")) : null,
          ),
          make("p", { class: "shares small" }, ...game.ledger.map(line)),
        ),
      ),
  );
};
