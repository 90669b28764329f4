// As much of a browser as the modules need that keep and send entries: events, a line, a database on the device.
// Imported before them: a module looks for its page while it is loaded.

import "./static.mjs";

import { setMaxListeners } from "node:events";
import { readFileSync } from "node:fs";
import { mock } from "node:test";

/** The part of IndexedDB that sheet/store.js uses: rows are copies, keys are counted, what is done is told later. */
class Request {
  /** @type {(() => void) | undefined} */
  onsuccess;

  /** @param {() => unknown} work */
  constructor(work) {
    queueMicrotask(() => {
      this.result = work();
      this.onsuccess?.();
    });
  }
}

class Store {
  rows = new Map();
  last = 0;

  /** @param {string} keyPath */
  constructor(keyPath) {
    this.keyPath = keyPath;
  }

  createIndex() {}

  index(field) {
    const sorted = () =>
      [...this.rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
    return {
      getAll: (value) => new Request(() => structuredClone(sorted().filter((row) => row[field] === value))),
    };
  }

  add(row) {
    this.last += 1;
    return this.put({ ...row, [this.keyPath]: this.last });
  }

  put(row) {
    const kept = structuredClone(row);
    return new Request(() => {
      this.rows.set(kept[this.keyPath], kept);
      return kept[this.keyPath];
    });
  }

  get(key) {
    return new Request(() => structuredClone(this.rows.get(key)));
  }

  getAll() {
    return new Request(() => structuredClone([...this.rows.values()]));
  }

  delete(key) {
    return new Request(() => void this.rows.delete(key));
  }
}

const stores = new Map();
/** Whether storage is open, and whether the browser has closed what a page had opened of it. */
export const device = { keeps: true, isClosed: false };
const database = {
  createObjectStore(name, { keyPath }) {
    stores.set(name, new Store(keyPath));
    return stores.get(name);
  },
  transaction(name) {
    if (!device.keeps || device.isClosed)
      throw new DOMException("the storage is closed", "InvalidStateError");
    const transaction = { objectStore: () => stores.get(name) };
    setTimeout(() => transaction.oncomplete());
    return transaction;
  },
};

const indexedDB = {
  open() {
    const request = { result: database };
    device.isClosed = false;
    queueMicrotask(() => {
      request.onupgradeneeded();
      request.onsuccess();
    });
    return request;
  },
};

/** @type {(of: string, file: string) => Record<string, string>} the rules' sentences, as the server gives them to a page */
const sentencesOf = (of, file) => {
  const python = readFileSync(new URL(`../../scoring/rules/${file}.py`, import.meta.url), "utf8");
  const found = python.matchAll(/^ {4}"(\w+)": "(.+)",$/gm);
  return Object.fromEntries(
    [...found].map(([, name, words]) => [`${of}_${name}`, words.replace(/\{(\w+)(!r)?\}/g, "%($1)s")]),
  );
};

const WORDS = {
  ...sentencesOf("illegal", "explain"),
  ...sentencesOf("refused", "refusals"),
  form_points: "Enter both scores.",
  said_game_start: "Game started",
  undone_what: "Undone: %(what)s",
  said_tie: "Equal dice",
  not_allowed: "You may not enter here.",
  next_game: "Next game",
  act_beaver: "%(who)s beavers %(cube)s",
  act_beaver_own: "%(who)s beavers",
  act_start_beside: "Next game, %(who)s as partner",
  act_tie: "Tie",
  act_tie_doubled: "Tie, cubes doubled",
  cube_turns: "%(names)s: %(from)s → %(to)s",
  cube_new: "new cube %(names)s: %(to)s",
  step_pays: "points from %(payer)s to %(receiver)s: %(points)s",
  act_extra: "%(holder)s holds an extra against %(payer)s",
  act_extra_refused: "%(holder)s refuses an extra against %(payer)s",
  due_beaver: "%(name)s must beaver",
  said_opening: "Opening roll %(white)s-%(black)s",
  said_roll: "%(name)s rolled %(roll)s",
  said_play: "%(name)s played %(play)s",
  said_double: "%(name)s doubled",
  said_single: "%(name)s won game %(number)s at %(cube)s",
  bar: "bar",
  off: "off",
  tray: "tray",
  white: "White",
  black: "Black",
  board_title: "Board",
  place: "%(place)s: %(own)s and %(theirs)s",
  place_from: "%(place)s: %(own)s and %(theirs)s, to %(to)s",
  point_name: "point %(point)s",
  dice_swap: "Swap %(roll)s",
  dice_up: "Pick up %(roll)s",
  cube_label: "Cube: %(words)s",
  words_bar: "%(count)s on the bar",
  words_off: "%(count)s off",
  words_point: "%(count)s on %(point)s",
  words_side: "%(name)s (%(side)s): %(places)s, %(pips)s pips.",
  words_no_cube: "No cube.",
  words_cube_offered: "Cube offered at %(value)s.",
  words_cube_owned: "%(name)s's cube at %(value)s.",
  words_cube_centred: "Cube at %(value)s.",
  not_complete: "Move on",
  cannot_move_there: "Nothing moves there",
  cannot_go: "Not from %(from)s to %(to)s with %(roll)s",
  no_double: "No double now",
  suspended: "Suspended",
  said_pass: "%(name)s passes",
  said_set_position: "position set",
  said_suspend: "suspended",
  said_match_end: "ended",
  said_set_length: "length corrected to %(n)s",
  said_penalty: "penalty to %(name)s: %(points)s",
  keep_recording: "keep_recording",
  unsent_now: "unsent_now %(count)s",
  unsent_minutes: "unsent_minutes %(count)s %(minutes)s",
  unsent_hours: "unsent_hours %(count)s %(hours)s",
  waiting_opening: "They roll first",
  waiting_for: "Waiting for %(name)s",
  to_move: "%(name)s to play %(roll)s",
  wins_match: "%(name)s wins %(points)s to %(other)s",
  over_without: "Over without a winner",
  result_unsent: "Not sent yet",
  result_final: "Final",
  result_waiting: "Waits for %(names)s",
  result_until: "until %(at)s",
};

/** Everything that this device keeps. */
export const keptRows = (name) => [...stores.get(name).rows.values()];
export const forgetAll = () => {
  for (const store of stores.values()) store.rows.clear();
};

const FORMATS = {
  zone: "Europe/Madrid",
  patterns: { date: "j M Y", time: "H:i", datetime: "j M Y, H:i" },
  names: { M: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] },
  decimal: ".",
};
/** @type {Record<string, { textContent: string }>} */
const PARTS = {
  "sheet-words": { textContent: JSON.stringify(WORDS) },
  formats: { textContent: JSON.stringify(FORMATS) },
};
const page = new EventTarget();
setMaxListeners(0, page); // every page that a test opens listens here
const window = new EventTarget();
setMaxListeners(0, window);
const document = Object.assign(page, {
  cookie: "csrftoken=of%20today",
  visibilityState: "visible",
  documentElement: { lang: "en", dataset: {} },
  getElementById: (name) => PARTS[name] ?? null,
});
Object.assign(globalThis, { indexedDB, window, document, location: { pathname: "/matches/abc/sheet/" } });
Object.defineProperty(globalThis, "navigator", { value: { onLine: true }, configurable: true });
// The modules say when they are at work; what shows it is the script of every page itself.
await import("../../clubs/static/clubs/settled.js");
// Nothing is done by the clock here: a test says when a page asks again.
globalThis.setInterval = mock.fn();

/** Wait until `condition()` holds, for as many turns of the loop as a database on the device takes. */
export const until = async (condition) => {
  for (let turn = 0; turn < 1000; turn += 1) {
    if (condition()) return;
    await new Promise((resolve) => setTimeout(resolve));
  }
  throw new Error(`never: ${condition}`);
};
