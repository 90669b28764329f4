// The page of a scoresheet: what is on it (sync), what is being entered (turn), and the parts that show both.

import { Announcing } from "./announcing.js";
import { Board } from "./board.js";
import { boardSeen } from "./board_state.js";
import { Clock } from "./clock.js";
import { ClockFace } from "./clock_face.js";
import { Depth } from "./depth.js";
import { dialog } from "./dialog.js";
import { Dialogs } from "./dialogs.js";
import { Dock } from "./dock.js";
import { inNextFrame, inPause } from "./late.js";
import { listenForKeys } from "./keys.js";
import { drawGames, Log } from "./log.js";
import { listenForLooks } from "./looks.js";
import { entryNotices, message, Notices, refusedNotices } from "./notices.js";
import { hide, partsOf, put, tell } from "./part.js";
import { positionWords } from "./position_words.js";
import { prefs } from "./prefs.js";
import { rehearse } from "./rehearsal.js";
import { drawResult } from "./result.js";
import { drawScore, statusWords } from "./score.js";
import { Sheet } from "./sheet.js";
import { stay } from "./staying.js";
import { Sync } from "./sync.js";
import { drawTakeBack } from "./taking_back.js";
import { boardTaps, dockTaps } from "./taps.js";
import { basisOf, Turn } from "./turn.js";
import { Unsent } from "./unsent.js";
import { asSentence, say } from "./words.js";

/** @typedef {import("./sheet.js").View} View */

const config = JSON.parse(document.getElementById("sheet-config").textContent);
const root = document.getElementById("sheet");
const part = partsOf(root);
const wide = window.matchMedia("(min-width: 60rem)");
// Where three rows of rolls have their place below the board, as in sheet.css: a phone held upright, a high screen.
const high = window.matchMedia(
  "(max-width: 30rem) and (min-height: 38rem), (max-width: 59.99rem) and (min-height: 57rem)",
);

const turn = new Turn();
const sync = new Sync({
  match: config.match,
  urls: config.urls,
  view: config.view,
  writer: config.writer,
  changed: () => render(),
});
const sheet = new Sheet({ config, sync, render: () => render() });

const does = dockTaps({ sheet, turn, resign: () => dialogs.resign() });
const touched = boardTaps({ sheet, turn, done: does.done });
const board = new Board(part("board"), touched);
const dock = new Dock(part("dock"), does);
const clock = new Clock({
  root,
  sync,
  writes: () => sheet.mayWrite,
  ticked: () => face?.draw(),
  terms: config.clock,
});
const faceDialog = dialog("clock");
const face = faceDialog && new ClockFace({ dialog: faceDialog, clock, below: () => sheet.below });
const dialogs = new Dialogs({
  sync,
  turn,
  record: (kind, body) => sheet.record(kind, body),
  shown: () => sheet.shown(),
  render: () => render(),
  config,
  typed: /** @type {HTMLFormElement} */ (part("text-form")),
});
const depth = new Depth({ root, part, sheet });
const log = new Log(part("log"));
const notices = new Notices(part("notices"));
const unsent = new Unsent(part, sync);
const announcing = new Announcing(part, "p, button:not([aria-disabled])");

// What is shown ----------------------------------------------------------------------------------------------

const looks = () => ({
  layout: wide.matches ? config.layouts.wide : config.layouts.tall,
  bottom: sheet.below,
  home: prefs.home,
  isFixed: prefs.numbers === "fixed",
});

/** @type {(view: View) => boolean} whether the board shows something else now */
const drawBoard = (view) => board.drawFirst(boardSeen({ view, turn, mine: sheet.mayTouch }, looks()));

/** The last unsent entry in words. */
const pending = () => sync.queue.at(-1)?.words ?? null;

const offersRolls = () => (prefs.dice === "auto" ? high.matches : prefs.dice === "rolls");

/** @type {(view: View) => void} */
const drawDock = (view) =>
  dock.draw({
    view,
    turn,
    writes: sheet.mayWrite,
    grid: offersRolls(),
    pending: pending(),
  });

/** @type {(view: View) => void} */
const drawNotices = (view) => {
  const may = { adopt: sheet.mayWrite, forget: Boolean(view.result?.final) };
  const flags = sheet.isKnown ? view.flags : [];
  notices.draw([
    ...entryNotices(sync, may),
    ...(sheet.aside ? [message("warning", asSentence(sheet.aside))] : []),
    ...refusedNotices(sync, () => dialogs.refused()),
    ...flags.map((flag) => message("warning", flag)),
  ]);
  const status = statusWords(view, sheet.mayWrite);
  tell(part("status"), status);
  hide(part("status"), !status);
};

/** @type {Record<string, Record<string, string>> | null} the names of rolls, by their language, once someone wants them */
let names = null;

const loadNames = async () => {
  names = {};
  try {
    const answer = await window.midpoint.during(fetch(config.calls));
    names = await answer.json();
    drawCall(sheet.shown());
  } catch (error) {
    console.warn("the names of rolls cannot be loaded", error); // the dice are on the board all the same
  }
};

/** @type {(view: View) => void} */
const drawCall = (view) => {
  const { roll } = view.game;
  if (prefs.calls && !names) loadNames();
  const calls = names?.[prefs.calls];
  const call = (roll && calls?.[[...roll].sort((a, b) => b - a).join("")]) ?? "";
  tell(part("call"), call);
  hide(part("call"), !call);
  tell(part("big-dice"), roll ? roll.join("–") : "");
};

/** @type {(view: View) => void} */
const drawPaper = (view) => {
  log.draw({
    view,
    waiting: sync.queue,
    writes: sheet.mayWrite,
    correct: (line) => dialogs.correct(line),
  });
  drawGames(part("games"), view);
  hide(part("games-table"), !view.games.length);
};

/** @type {(view: View) => void} */
const drawRoot = (view) => {
  if (view !== turn.view) turn.follow(view, basisOf(view));
  put(root, "data-colours", prefs.colours);
  put(root, "data-hand", prefs.hand);
  put(root, "data-ready", "drawing");
};

/** @type {unknown[]} what the parts were drawn for that a checker under the finger does not change */
let drawn = [];

/** @type {(view: View) => void} */
const drawRest = (view) => {
  const { isBusy, conflict, refused } = sync;
  const state = [
    view,
    isBusy,
    conflict,
    refused,
    sheet.mayWrite,
    sheet.isKnown,
    sheet.depth,
    depth.shortened,
    prefs.calls,
  ];
  if (state.every((each, n) => each === drawn[n])) return;
  drawn = state;
  depth.draw(view);
  drawResult(part, view, sheet.isKnown);
  const isWithoutDock = sheet.mayWrite && depth.hidesBoard(view);
  drawTakeBack(part("take-back"), { view, pending: pending(), isWithoutDock });
  drawCall(view);
  drawPaper(view);
  clock.draw(view);
  dialogs.draw(view);
};

let isDockDrawn = false;

/** What the next tap needs, and why this one did nothing. */
const next = inNextFrame(() => {
  const view = sheet.shown();
  board.finish();
  if (!isDockDrawn) drawDock(view);
  if (depth.movesBoard(view)) depth.draw(view);
  drawNotices(view);
});

/** What is read when the finger rests. */
const rest = inPause(() => {
  next.now();
  sheet.compare();
  const view = sheet.shown();
  const position = turn.isMoving ? turn.position : view.game.position;
  const crawford = view.crawford === "now" ? say("crawford") : "";
  root.toggleAttribute("data-unchecked", !sheet.isKnown);
  drawScore(root, part, { view, position, sign: sheet.isKnown ? view.sign : crawford });
  drawRest(view);
  unsent.draw();
  tell(part("position-words"), positionWords(view, position));
  announcing.say(view.lines.filter((line) => !line.undone).at(-1)?.words ?? "");
  put(root, "data-ready", sync.isBusy ? "sending" : "yes");
  put(root, "data-seq", String(sync.view.seq));
});

/**
 * Draw what a finger did in this frame: on the board, or else in the dock; what the next tap needs in the next one, and
 * everything else once nobody taps.
 */
function render() {
  const view = sheet.shown();
  drawRoot(view);
  isDockDrawn = !drawBoard(view);
  if (isDockDrawn) drawDock(view);
  next.ask();
  rest.ask();
  if (!depth.isDrawnAtOnce(view)) return;
  depth.draw(view);
  if (view.status === "over") rest.now();
}

// What wakes it ----------------------------------------------------------------------------------------------

listenForKeys({ sheet, turn, does, touched, onBoard: () => depth.chosen(sheet.shown()) === "full" });
listenForLooks(sheet);
part("take-back").addEventListener("click", () => does.takeBack());
for (const size of [wide, high]) size.addEventListener("change", render);
part("live").addEventListener("live", () => sync.hear(Number(part("live").dataset.liveVersion)));
stay(root, config.urls.worker);

render();
rest.now();
sync.open();
rehearse(() => {
  if (!sheet.mayTouch) return null;
  return { view: sheet.shown(), starting: config.starting, looks: looks(), grid: offersRolls(), does };
});
clock.touches.open();
