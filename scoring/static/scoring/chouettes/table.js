// The chouette table's page: its log (sync), pending choices (choice) and the drawing of both.

import { formats } from "../../clubs/formats.js";
import { Choice } from "./choice.js";
import { Dialogs } from "./dialogs.js";
import { Dock } from "./dock.js";
import { Entering } from "./entering.js";
import { drawGames, drawLines } from "./log.js";
import { Payments } from "./payments.js";
import { boxOf, here, live, projected } from "./projection.js";
import { whoRecords } from "./recorders.js";
import { drawSeats } from "./seats.js";
import { Announcing } from "../sheets/announcing.js";
import { dialog } from "../sheets/dialog.js";
import { DoubleTaps } from "../sheets/double_taps.js";
import { entryNotices, lineNotices, message, Notices, refusedNotices } from "../sheets/notices.js";
import { partsOf } from "../sheets/part.js";
import { stay } from "../sheets/staying.js";
import { Sync } from "../sheets/sync.js";
import { make, say } from "../sheets/words.js";

/**
 * @typedef {import("./projection.js").Entry} Entry
 * @typedef {import("./projection.js").Player} Player
 * @typedef {import("./projection.js").TableView & { seq: number, consultation?: string, house: { title: string, rules: string[] } }} View
 */

const config = JSON.parse(document.getElementById("sheet-config").textContent);
const root = document.getElementById("sheet");
const part = partsOf(root);

const choice = new Choice();
const sync = new Sync({
  match: config.chouette,
  urls: config.urls,
  view: config.view,
  writer: config.writer,
  changed: () => render(),
});

const known = () => sync.queue.length === 0;
/** @type {() => View} */
const shown = () => projected(sync.view, sync.conflict ? [] : sync.queue); // until it is settled, what is recorded
const writes = () => sync.view.may_write && !sync.isStopped;

// Taps and keys ----------------------------------------------------------------------------------------------

const entering = new Entering(sync);

/** @type {(entries: Entry[]) => Promise<void>} */
const record = async (entries) => {
  if (!writes()) return;
  choice.clear();
  await entering.record(entries);
};

const undo = async () => {
  if (!writes()) return;
  choice.clear();
  if (sync.queue.length) await sync.dropLast();
  else await sync.undo();
};

/** @type {import("./dock.js").Does} */
const does = {
  choose(side) {
    choice.clear();
    choice.side = side;
    const view = shown();
    for (const { cubes } of choice.possible(view, side, boxOf(view)))
      for (const key of cubes) if (!key.includes(">")) choice.cubes.add(key);
    if (!choice.cubes.size)
      for (const { cubes } of choice.possible(view, side, boxOf(view)))
        for (const key of cubes) choice.cubes.add(key);
    render();
  },
  offer(side) {
    const view = shown();
    return record(
      choice.offers(view, side, boxOf(view)).map(({ by, cubes }) => ({ kind: "offer", body: { by, cubes } })),
    );
  },
  clear() {
    choice.clear();
    render();
  },
  all(word) {
    for (const { cubes } of choice.asks(shown())) for (const key of cubes) choice.answers.set(key, word);
    render();
  },
  answer(rest) {
    const replies = choice.replies(shown(), rest);
    return record(
      replies.map(({ by, takes, passes }) => ({
        kind: "answer",
        body: { by, ...(takes.length ? { takes } : {}), ...(passes.length ? { passes } : {}) },
      })),
    );
  },
  act: (action) => record([{ kind: action.kind, body: action.body }]),
  ask(action) {
    choice.clear();
    choice.step = action;
    render();
  },
  open: (name, value) => dialogs.open(name, value),
  undo,
  summary: config.urls.summary,
};

// The second of two quick taps would take back what the first has chosen.
const taps = new DoubleTaps();

/** @type {import("./seats.js").State["touch"]} */
const touch = {
  cube(cube, event) {
    if (taps.isSecond(event) || !writes() || !live(cube)) return;
    if (!cube.offered && choice.asks(shown()).length) return; // first the answers
    choice.step = null;
    if (cube.offered && choice.asks(shown()).flatMap(({ cubes }) => cubes).length === 1) return;
    if (cube.offered) choice.answer(cube.key, choice.answers.get(cube.key) === "take" ? "pass" : "take");
    else choice.toggle(cube.key);
    render();
  },
  answer(key, word, event) {
    if (taps.isSecond(event)) return;
    choice.answer(key, word);
    render();
  },
};

const dialogs = new Dialogs({ sync, record, shown, config, ask: does.ask });
const notices = new Notices(part("notices"));
const dock = new Dock(part("dock"), does);
const payments = new Payments({
  host: part("payments"),
  sync,
  record,
  open: (name) => dialogs.open(name),
});
dialog("paid")
  .querySelector("form")
  .addEventListener("submit", (event) => payments.takeBack(event));
const announcing = new Announcing(part, "p, button");

// Drawing ----------------------------------------------------------------------------------------------------

const drawNotices = () => {
  const lines = [
    ...entryNotices(sync, { adopt: writes(), forget: true }),
    ...lineNotices(sync, shown().unscored ? "offline_unscored" : "offline_unsent"),
    ...refusedNotices(sync, () => dialogs.refused()),
  ];
  const { announced } = sync.view.house;
  if (announced) lines.push(message("warning", say("announced", { title: announced.title })));
  const you = sync.view.players.find((/** @type {Player} */ { ref }) => ref === sync.view.you);
  if (you && !you.agreed && here(you) && known() && writes())
    lines.push(
      message(
        "warning",
        say("agree_now"),
        make(
          "button",
          {
            type: "button",
            "data-does": "agree",
            onclick: () => record([{ kind: "agree", body: { player: you.ref } }]),
          },
          say("agree"),
        ),
      ),
    );
  notices.draw(lines);
};

/** @type {(view: View) => void} */
const drawHead = (view) => {
  part("state").textContent =
    view.status !== "open"
      ? say("night_over")
      : view.game
        ? say("game_number", { number: view.game.number })
        : say("between_games");
  part("recorders").textContent = whoRecords(view, !writes());
  part("consultation").textContent = view.consultation ?? "";
  part("house").textContent = view.house.title;
  part("rules").replaceChildren(...view.house.rules.map((rule) => make("li", {}, rule)));
};

/** @type {(view: View) => void} */
const drawMine = (view) => {
  const place = part("mine");
  const ways = known() ? view.possible_gains?.[view.you] : null;
  place.hidden = !ways || !view.game;
  if (place.hidden) return;
  const words = (/** @type {{ points: number, money: string }} */ { points, money }) =>
    money ? `${formats().signed(points)} (${money})` : formats().signed(points);
  const of = (/** @type {string} */ way) => ways[way] && words(ways[way]);
  part("mine-words").textContent = say("mine_ways", {
    box: of("box_single") ?? "–",
    box_gammon: of("box_gammon") ?? "–",
    team: of("team_single") ?? "–",
    team_gammon: of("team_gammon") ?? "–",
  });
};

/**
 * Offer to record the game play by play on the board.
 * @type {(view: View) => void}
 */
const drawBoard = (view) => {
  const { board } = view;
  const may = Boolean(view.game) && !board && known() && writes();
  part("board-part").hidden = !board && !may;
  part("board").hidden = !board;
  if (board) /** @type {HTMLAnchorElement} */ (part("board")).href = board.page;
  part("board-begin").hidden = !may;
};

part("board-begin").addEventListener("click", async () => {
  const begun = await sync.send(sync.urls.board, {});
  if (begun) location.assign(begun.page);
});

/** @type {(ref: string) => string} */
const matchUrl = (ref) => config.urls.match.url.replace(config.urls.match.ref, ref);

/** @type {(view: View) => void} */
const drawPayments = (view) => {
  const found = (!view.points_only && view.payments) || [];
  part("payments-part").hidden = !found.length;
  payments.draw(found, writes());
};

function render() {
  const view = shown();
  choice.follow(view);
  root.dataset.ready = sync.isBusy ? "sending" : "yes";
  root.dataset.seq = sync.view.seq;
  root.dataset.state = view.game ? "game" : "between";
  root.toggleAttribute("data-unchecked", !known());
  root.toggleAttribute("data-unscored", Boolean(view.unscored));
  // A greeting is read by the time that something happens at the table.
  if (sync.view.seq !== config.view.seq) document.querySelector(".messages")?.replaceChildren();
  const state = {
    view,
    choice,
    writes: writes() && view.status === "open",
    touch,
    pending: sync.queue.at(-1) ?? null,
  };
  drawHead(view);
  drawSeats(part("seats"), part("aside"), state);
  part("aside-part").hidden = !part("aside").children.length;
  dock.draw({ ...state, writes: writes() });
  drawNotices();
  drawBoard(view);
  drawMine(view);
  drawPayments(view);
  drawLines(part("log"), {
    view,
    waiting: sync.queue,
    writes: writes(),
    correct: (line) => dialogs.correct(line),
  });
  drawGames(part("games"), view, matchUrl);
  for (const place of document.querySelectorAll("[data-while-open]")) place.hidden = !state.writes;
  const handing = root.querySelector("[data-part=hand-open]");
  if (handing) handing.hidden = !(view.movable_seats ?? []).length || !writes();
  part("games-table").hidden = !view.games.length;
  dialogs.draw();
  const last = view.lines.filter((line) => !line.undone).at(-1)?.words ?? "";
  announcing.say(sync.queue.at(-1)?.words ?? last);
}

// Keys ---------------------------------------------------------------------------------------------------------

/** @type {Record<string, string>} */
const KEYS = {
  u: "undo",
  Backspace: "undo",
  b: "box-doubles",
  c: "crew-doubles",
  g: "game-over",
  n: "next",
  t: "all-take",
  p: "all-pass",
  Escape: "clear",
};

document.addEventListener("keydown", (event) => {
  if (
    event.altKey ||
    event.ctrlKey ||
    event.metaKey ||
    event.target.closest("input, textarea, select, dialog, [contenteditable]")
  )
    return;
  const button = KEYS[event.key] && part("dock").querySelector(`[data-does="${KEYS[event.key]}"]`);
  if (!button) return;
  event.preventDefault();
  button.click();
});

// Connection and shell -------------------------------------------------------------------------------------------

part("live").addEventListener("live", () => sync.refresh());

stay(root, config.urls.worker);

render();
sync.open();
