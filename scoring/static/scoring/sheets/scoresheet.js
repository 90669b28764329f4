// The scoresheet: what is on it (sync), what is being entered (turn), and the page that shows both.

import { Board } from "./board.js";
import { Clock } from "./clock.js";
import { Dialogs } from "./dialogs.js";
import { Dock } from "./dock.js";
import { GameForm, ScoreForm } from "./forms.js";
import { drawGames, drawLog, inWords } from "./log.js";
import { pips, usedDice } from "./play.js";
import { prefer, prefs } from "./prefs.js";
import { projected } from "./projection.js";
import { Sync } from "./sync.js";
import { Turn } from "./turn.js";
import { make, say } from "./words.js";

/**
 * @typedef {import("./play.js").Position} Position
 * @typedef {import("./log.js").Line} Line
 *
 * @typedef {object} Told what else the server tells of a sheet
 * @property {number} seq
 * @property {number} version
 * @property {boolean} may_write
 * @property {string} sign
 * @property {string[]} flags
 * @property {Line[]} lines
 * @property {any} result
 * @property {any} clock
 *
 * @typedef {import("./projection.js").SheetView & Told} View
 */

const config = JSON.parse(document.getElementById("sheet-config").textContent);
const root = document.getElementById("sheet");
/** @type {(name: string) => HTMLElement} */
const part = (name) => root.querySelector(`[data-part="${name}"]`);
/** @type {import("./play.js").Side[]} */
const SIDES = ["white", "black"];
const wide = window.matchMedia("(min-width: 60rem)");

const turn = new Turn();
const sync = new Sync({
  match: config.match,
  urls: config.urls,
  view: config.view,
  writer: config.writer,
  changed: () => render(),
});

// These are right or wrong by themselves; the others are only checked once the server sees them.
const SHALLOW = new Set(["game_result", "final_score", "ruling"]);

const known = () => sync.queue.length === 0;
/** @type {() => View} */
const shown = () => projected(sync.view, sync.queue, config.starting);
const writes = () => sync.view.may_write && !config.watch && !sync.isStopped;
// A suspended match has no plays: nothing on its board moves.
const touches = () => writes() && shown().status === "playing";
const depth = () => prefs.depth[config.match] ?? "full";
const below = () => prefs.bottom[config.match] ?? (config.side || "white");
/** @type {(view: View, kind: string) => boolean} */
const can = (view, kind) => view.actions.some((action) => action.kind === kind);

let said = "";
/** @type {string | null} */
let aside = null; // something to read that is not on the sheet: why a thing is not possible

/** @type {(words: string) => void} */
const tellWhyNot = (words) => {
  aside = words;
  render();
};

// Dice may follow while the entry before them is on its way; a second tap on anything else is a tap too many.
const AHEAD = new Set(["roll", "opening_roll"]);

/** @type {(kind: string, body: object, more?: { kind: string, body: object }[]) => Promise<void> | undefined} */
const record = (kind, body, more = []) => {
  if (!writes() || sync.keeping || (sync.isBusy && !AHEAD.has(kind))) return undefined;
  aside = null;
  const alone = !known() || !sync.online;
  let before = shown();
  const entries = [{ kind, body }, ...more].map((entry) => {
    const row = { ...entry, words: inWords(entry, before), unchecked: alone && !SHALLOW.has(entry.kind) };
    before = projected(before, [entry], config.starting);
    return row;
  });
  return sync.record(entries);
};

// What fingers and keys do -----------------------------------------------------------------------------------

const playEntry = () => {
  if (turn.mode !== "illegal") return { kind: "play", body: turn.moves.length ? { moves: turn.moves } : {} };
  const other = turn.mover === "white" ? "black" : "white";
  const { position, mover } = turn;
  const accepted = turn.status !== "illegal_corrected" && turn.noticed ? { accepted_by: other } : {};
  return {
    kind: "play",
    body: {
      moves: turn.moves,
      status: turn.status,
      result: { own: position[mover], opponent: position[other] },
      ...accepted,
    },
  };
};

/** @type {(first: number, second: number, phase: string) => { kind: string, body: object }} */
const rollEntry = (first, second, phase) =>
  phase === "opening"
    ? { kind: "opening_roll", body: { white: first, black: second } }
    : { kind: "roll", body: { dice: [first, second] } };

/** @type {import("./dock.js").Does} */
const does = {
  die(value) {
    aside = null;
    const { view } = turn;
    const next = turn.isMoving;
    if (next && !turn.isComplete) return;
    if (turn.die === null) {
      turn.die = value;
      render();
      return;
    }
    const roll = rollEntry(turn.die, value, next ? "turn" : view.game.phase);
    turn.die = null;
    if (next) {
      const play = playEntry();
      record(play.kind, play.body, [roll]);
    } else {
      record(roll.kind, roll.body);
    }
  },
  done() {
    if (!turn.isMoving) return;
    if (!turn.isComplete) {
      tellWhyNot(say("not_complete"));
      return;
    }
    const play = playEntry();
    record(play.kind, play.body);
  },
  undo() {
    aside = null;
    turn.undo();
    render();
  },
  async takeBack() {
    aside = null;
    if (turn.die !== null) {
      turn.die = null;
      render();
    } else if (sync.queue.length) {
      await sync.dropLast();
    } else if (!sync.sending) {
      await sync.undo();
    }
  },
  act(kind, body) {
    record(kind, body);
  },
  refuse(reason) {
    tellWhyNot(reason);
  },
  resign() {
    dialogs.resign();
  },
};

/** @type {import("./board.js").Touched} */
const touched = {
  tap(slot) {
    aside = null;
    if (touches() && !turn.tap(slot) && turn.isMoving && !turn.isComplete) aside = say("cannot_move_there");
    render();
  },
  drop(from, to) {
    aside = null;
    if (touches() && !turn.drop(from, to))
      aside = say("cannot_go", {
        from: placeName(from),
        to: placeName(to),
        roll: turn.dice?.join("-") ?? "",
      });
    render();
  },
  press: (slot) => turn.landing(slot),
  dice() {
    if (turn.isComplete && turn.sequences && turn.moves.length) does.done();
    else if (!turn.isComplete || !turn.sequences) {
      turn.swap();
      render();
    }
  },
  cube() {
    const view = shown();
    if (can(view, "double")) record("double", {});
    else tellWhyNot(view.refusals?.double ?? say("no_double"));
  },
};

/** @type {(slot: number) => string} */
const placeName = (slot) => (slot === 25 ? say("bar") : slot === 0 ? say("off") : String(slot));

const board = new Board(part("board"), touched);
const dock = new Dock(part("dock"), does);
const clock = new Clock({ root, sync, writes });
const dialogs = new Dialogs({ sync, turn, record, shown, render: () => render(), config });
const gameForm = new GameForm(/** @type {HTMLFormElement} */ (part("game-form")), record, (view, body) =>
  projected(view, [{ kind: "game_result", body }], config.starting),
);
const scoreForm = new ScoreForm(/** @type {HTMLFormElement} */ (part("score-form")), record);

// What is shown ----------------------------------------------------------------------------------------------

/** @type {(counts: number[]) => string} */
const places = (counts) =>
  counts
    .map((count, slot) => ({ count, slot }))
    .filter(({ count }) => count)
    .reverse()
    .map(({ count, slot }) =>
      slot === 25
        ? say("words_bar", { count })
        : slot === 0
          ? say("words_off", { count })
          : say("words_point", { point: slot, count }),
    )
    .join(", ");

/** @type {(view: View) => string} */
const cubeWords = (view) => {
  const { value, owner, offered } = view.game.cube;
  if (view.crawford === "now") return say("words_no_cube");
  if (offered) return say("words_cube_offered", { value: offered });
  return owner
    ? say("words_cube_owned", { name: view[owner].name, value })
    : say("words_cube_centred", { value });
};

/**
 * The whole position for those who hear it.
 * @type {(view: View, position: Position) => string}
 */
const positionWords = (view, position) =>
  [
    ...SIDES.map((side) =>
      say("words_side", {
        name: view[side].name,
        side: say(side),
        places: places(position[side]),
        pips: pips(position[side]),
      }),
    ),
    cubeWords(view),
  ].join(" ");

/** @type {(view: View) => void} */
const drawBoard = (view) => {
  const { mover } = turn;
  const position = turn.isMoving ? turn.position : view.game.position;
  const other = mover === "white" ? "black" : "white";
  const mine = touches();
  const left = turn.isMoving ? turn.left : [];
  const dice = turn.isMoving ? [...turn.dice] : null;
  const { cube } = view.game;
  const noCube = view.crawford === "now" || cube.in_use === false;
  const used = dice ? usedDice(dice, left) : [];
  board.draw({
    layout: wide.matches ? config.layouts.wide : config.layouts.tall,
    bottom: below(),
    home: prefs.home,
    position,
    mover,
    turn: view.game.phase === "opening" ? null : view.game.to_act,
    cube: noCube
      ? null
      : {
          value: cube.offered ?? cube.value,
          owner: cube.owner,
          offered_to: cube.offered ? view.game.to_act : null,
        },
    dice: dice?.map((value, n) => ({ value, used: used[n] })) ?? null,
    can: mine ? turn.can() : new Set(),
    to: mine ? turn.to() : new Set(),
    free: mine && turn.isMoving && !turn.sequences,
    title: say("board_title"),
    labels: {
      place: (/** @type {number} */ slot) => {
        const targets = [...(turn.landing(slot) ?? [])].map(placeName).join(", ");
        const values = {
          place: slot === 25 ? say("bar") : slot === 0 ? say("tray") : say("point_name", { point: slot }),
          own: position[mover][slot],
          theirs: slot % 25 ? position[other][25 - slot] : 0,
          to: targets,
        };
        return say(targets ? "place_from" : "place", values);
      },
      dice:
        mine && dice
          ? say(turn.isComplete && turn.moves.length ? "dice_up" : "dice_swap", { roll: dice.join("-") })
          : "",
      cube: mine && ["turn"].includes(view.game.phase) ? say("cube_label", { words: cubeWords(view) }) : "",
    },
  });
};

/** @type {(view: View) => void} */
const drawScore = (view) => {
  for (const side of SIDES) {
    const place = root.querySelector(`[data-player="${side}"]`);
    const slot = (/** @type {string} */ name) => place.querySelector(`[data-value="${name}"]`);
    slot("name").textContent = view[side].name;
    slot("points").textContent = String(view[side].points);
    slot("away").textContent = view.length ? say("away", { count: view[side].away }) : "";
    slot("pips").textContent = say("pips", {
      count: pips(turn.isMoving ? turn.position[side] : view.game.position[side]),
    });
    place.toggleAttribute("data-turn", view.status === "playing" && view.game.to_act === side);
  }
  part("length").textContent = view.length ? say("length", { count: view.length }) : say("money");
  const sign = known() ? view.sign : view.crawford === "now" ? say("crawford") : "";
  part("sign").textContent = sign;
  part("sign").hidden = !sign;
};

/** @type {(view: View) => string} */
const status = (view) => {
  if (view.status === "suspended") return say("suspended");
  if (view.status === "over") return "";
  const { phase, to_act: side, roll } = view.game;
  if (writes()) return "";
  if (phase === "opening") return say("waiting_opening");
  if (phase === "moving")
    return say("to_move", { name: view[side]?.name ?? "", roll: roll?.join("-") ?? "" });
  return side ? say("waiting_for", { name: view[side].name }) : "";
};

/** @type {(view: View) => void} */
const drawNotices = (view) => {
  /** @type {Node[]} */
  const lines = [];
  /** @type {(level: string, words: string, ...controls: import("./words.js").Child[]) => unknown} */
  const notice = (level, words, ...controls) =>
    lines.push(make("div", { class: `message ${level}` }, make("p", {}, words), ...controls));
  const again = () => make("button", { type: "button", onclick: () => location.reload() }, say("load_again"));
  if (sync.stranger)
    notice("error", say("stranger", { name: config.writer.name, count: sync.queue.length }), again());
  for (const { writer, rows } of sync.kept()) {
    // A code is nobody's name: whoever has it now may answer for what was entered with another one.
    const nameless = !writer?.ref.startsWith("login-");
    const adopt =
      nameless && writes() && !config.watch
        ? make(
            "button",
            { type: "button", class: "secondary", "data-adopt": "", onclick: () => sync.adopt(rows) },
            say("adopt"),
          )
        : null;
    notice(
      "warning",
      say(nameless ? "kept_code" : "kept_login", { name: writer?.name ?? "", count: rows.length }),
      adopt,
    );
  }
  if (sync.blocked) {
    const forget = () =>
      make(
        "button",
        { type: "button", class: "secondary", onclick: () => sync.forget({ all: true }) },
        say("forget_all", { count: sync.queue.length }),
      );
    notice(
      "error",
      say("blocked", { detail: sync.blocked }),
      view.result?.final && sync.queue.length ? forget() : null,
    );
  }
  if (sync.notice)
    notice(sync.notice.level ?? "info", sync.notice.words ?? say(sync.notice.name, sync.notice.values));
  if (aside) notice("warning", aside);
  if (!sync.online)
    notice(
      "warning",
      sync.queue.length ? say("offline_unsent", { count: sync.queue.length }) : say("offline"),
    );
  if (sync.refused) {
    notice(
      "error",
      say("refused", { what: sync.refused.row.words, detail: sync.refused.detail }),
      make("button", { type: "button", onclick: () => dialogs.refused() }, say("refused_open")),
    );
  }
  for (const flag of known() ? view.flags : []) notice("warning", flag);
  part("notices").replaceChildren(...lines);
  const now = status(view);
  part("status").textContent = now;
  part("status").hidden = !now;
};

/** @type {(view: View) => void} */
const drawResult = (view) => {
  const over = view.status === "over";
  part("result").hidden = !over;
  if (!over) return;
  const { white, black } = view;
  /** @type {import("./play.js").Side | ""} */
  const winner =
    view.result?.winner ||
    (white.points === black.points ? "" : white.points > black.points ? "white" : "black");
  part("result-words").textContent = winner
    ? say("wins_match", {
        name: view[winner].name,
        points: view[winner].points,
        other: view[winner === "white" ? "black" : "white"].points,
      })
    : say("over_without");
  const waiting = view.result?.waiting_for ?? [];
  const until = view.result?.objection_until;
  let state = "";
  if (!known()) state = say("result_unsent");
  else if (view.result?.final) state = say("result_final");
  else if (waiting.length) state = say("result_waiting", { names: waiting.join(", ") });
  if (known() && until && !view.result.final)
    state += ` ${say("result_until", { at: new Date(until).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" }) })}`;
  part("result-state").textContent = state;
  part("confirm").hidden = !view.result?.may_confirm;
  part("object").hidden = !view.result?.may_object;
};

/**
 * What changed, said once for those who hear it, with what can be done now.
 * @type {(view: View) => void}
 */
const announce = (view) => {
  const last = view.lines.filter((line) => !line.undone).at(-1)?.words ?? "";
  const options = [...part("dock").querySelectorAll("p, button:not([aria-disabled])")]
    .map((element) => (element.getAttribute("aria-label") ?? element.textContent).trim())
    .filter(Boolean);
  const words = [last, ...options].join(". ");
  if (words === said) return;
  said = words;
  part("said").textContent = words;
};

/** @type {(view: View) => void} */
const drawCall = (view) => {
  const roll = view.game.roll;
  const call =
    roll && prefs.calls ? config.calls[prefs.calls]?.[[...roll].sort((a, b) => b - a).join("")] : "";
  const big = part("big-dice");
  part("call").textContent = call ?? "";
  part("call").hidden = !call;
  big.textContent = roll ? roll.join("–") : "";
};

/** @type {(view: View) => void} */
const drawDepth = (view) => {
  const between = view.game.phase === "opening" && view.status === "playing" && writes();
  part("depth").hidden = !between;
  root.toggleAttribute("data-between", between);
  for (const button of part("depth").querySelectorAll("button"))
    button.setAttribute("aria-pressed", String(button.value === depth()));
  const chosen = between ? depth() : "full";
  part("game-form").hidden = chosen !== "games";
  part("score-form").hidden = chosen !== "result";
  // After the last game the result is what people look for, and answer.
  part("board").hidden = view.status === "over" || (between && chosen !== "full");
  part("dock").classList.toggle("off", between && chosen !== "full");
  gameForm.draw(view, sync.isBusy);
  scoreForm.draw(view, sync.isBusy);
};

function render() {
  const view = shown();
  turn.follow(view, [sync.view.seq, sync.queue.length, sync.view.game.phase, sync.view.version].join(":"));
  root.dataset.colours = prefs.colours;
  root.dataset.hand = prefs.hand;
  root.dataset.ready = sync.isBusy ? "sending" : "yes";
  root.dataset.seq = sync.view.seq;
  root.toggleAttribute("data-unchecked", !known());
  drawScore(view);
  drawBoard(view);
  const pending = sync.queue.at(-1)?.words ?? null;
  dock.draw({
    view,
    turn,
    sending: sync.isBusy,
    online: sync.online,
    writes: writes(),
    known: known(),
    pending,
  });
  drawDepth(view);
  drawNotices(view);
  drawResult(view);
  drawCall(view);
  drawLog(part("log"), {
    view,
    waiting: sync.queue,
    writes: writes(),
    correct: (line) => dialogs.correct(line),
  });
  drawGames(part("games"), view);
  part("games-table").hidden = !view.games.length;
  part("position-words").textContent = positionWords(
    view,
    turn.isMoving ? turn.position : view.game.position,
  );
  clock.draw(view);
  dialogs.draw(view);
  announce(view);
}

// Keys: everything on the board can be typed ------------------------------------------------------------------

/** @type {Record<string, string>} */
const KEYS = { d: "double", t: "take", p: "pass", b: "beaver", r: "resign", a: "accept" };

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || !writes()) return;
  if (event.target.closest("input, textarea, select, dialog, [contenteditable]")) return;
  const view = shown();
  if (
    event.key >= "1" &&
    event.key <= "6" &&
    (["opening", "turn", "roll"].includes(view.game.phase) || turn.isComplete) &&
    depth() === "full"
  )
    does.die(Number(event.key));
  else if (event.key === "Enter" && !event.target.closest("button, a, summary, [tabindex]:not(main)"))
    does.done();
  else if (event.key === "Backspace" || event.key === "u") turn.moves.length ? does.undo() : does.takeBack();
  else if (event.key === "s") touched.dice();
  else if (KEYS[event.key] === "resign") does.resign();
  else if (KEYS[event.key] && can(view, KEYS[event.key])) record(KEYS[event.key], {});
  else return;
  event.preventDefault();
});

// What stays: the line, the looks, the shell ------------------------------------------------------------------

for (const button of part("depth").querySelectorAll("button")) {
  button.addEventListener("click", () => {
    prefer("depth", { ...prefs.depth, [config.match]: button.value });
    render();
  });
}
for (const field of document.querySelectorAll("select[data-pref]")) {
  const name = /** @type {keyof import("./prefs.js").Prefs} */ (field.dataset.pref);
  field.value = name === "bottom" ? below() : String(prefs[name]);
  field.addEventListener("change", () => {
    prefer(name, name === "bottom" ? { ...prefs.bottom, [config.match]: field.value } : field.value);
    render();
  });
}
part("text-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  await dialogs.transcribe(event.target);
});
wide.addEventListener("change", render);
part("live").addEventListener("live", () => sync.hear(Number(part("live").dataset.liveVersion)));

const stayUsable = async () => {
  const workers = navigator.serviceWorker;
  if (!workers) return; // the page is not served over HTTPS: entries are kept, but a reload needs the line
  workers.addEventListener("message", () => {
    root.dataset.kept = "yes";
  });
  await workers.register(config.urls.worker);
  const { active } = await workers.ready;
  const parts = performance.getEntriesByType("resource").map((entry) => entry.name);
  active.postMessage({ page: location.pathname, parts });
};
window.addEventListener("load", () =>
  stayUsable().catch((error) => console.warn("this device cannot keep the page for later", error)),
);

render();
sync.open();
