// What is typed into the dialogs of a scoresheet.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  CORRECTABLE,
  corrected,
  ENTRIES,
  readCheckers,
  readDice,
  readPlay,
  UnreadableError,
  writeCheckers,
} from "../../scoring/static/scoring/sheets/reading.js";

const NAMES = { bar: "Bar", off: "raus" };
const START = [0, 0, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0];

for (const [text, dice] of Object.entries({ "3-1": [3, 1], 31: [3, 1], "6 6": [6, 6], " 5, 2 ": [5, 2] })) {
  test(`dice typed as “${text}”`, () => assert.deepEqual(readDice(text), dice));
}

for (const [text, moves] of Object.entries({
  "24/18/13": [
    [24, 18],
    [18, 13],
  ],
  "6/4(2)": [
    [6, 4],
    [6, 4],
  ],
  "24/18(2)  13/7*(2)": [
    [24, 18],
    [24, 18],
    [13, 7],
    [13, 7],
  ],
  "bar/20*/15*": [
    [25, 20],
    [20, 15],
  ],
  "25/20, 6/off": [
    [25, 20],
    [6, 0],
  ],
  "BAR/21 3/raus 2/0": [
    [25, 21],
    [3, 0],
    [2, 0],
  ],
  "8-5 6-5": [
    [8, 5],
    [6, 5],
  ],
  "": [],
})) {
  test(`a play typed as “${text}”`, () => assert.deepEqual(readPlay(text, NAMES), moves));
}

for (const [read, text, words] of /** @type {const} */ ([
  [readDice, "3", "unreadable_dice"],
  [readDice, "3-1-1", "unreadable_dice"],
  [readDice, "0-7", "unreadable_dice"],
  [readPlay, "26/20", "unreadable_point"],
  [readPlay, "13/x", "unreadable_point"],
  [readPlay, "13/7.5", "unreadable_point"],
  [readPlay, "13/", "unreadable_point"],
  [readPlay, "6/4(0)", "unreadable_point"],
  [readPlay, "13", "unreadable_play"],
  [readCheckers, "24:two", "unreadable_checkers"],
  [readCheckers, "24:1.5", "unreadable_checkers"],
  [readCheckers, "30:2", "unreadable_point"],
])) {
  test(`“${text}” cannot be read: ${words}`, () =>
    assert.throws(
      () => read(text, NAMES),
      (error) => error instanceof UnreadableError && error.words === words && error.values.text !== undefined,
    ));
}

test("checkers are written as they are read", () => {
  assert.equal(writeCheckers(START), "24:2 13:5 8:3 6:5");
  assert.deepEqual(readCheckers("24:2 13:5 8:3 6:5", NAMES), START);
  const ends = [13, ...Array(24).fill(0), 2];
  assert.equal(writeCheckers(ends), "bar:2 off:13");
  assert.deepEqual(readCheckers(writeCheckers(ends), NAMES), ends);
  assert.deepEqual(readCheckers("6:3 6:2 8", NAMES)[6], 5);
});

test("a position without fifteen checkers a side says that it is irregular", () => {
  /** @returns {any} */
  const typed = (white) =>
    ENTRIES.set_position({ white, black: writeCheckers(START), reason: "as it stood", on_roll: "" }, NAMES);
  assert.deepEqual(typed(writeCheckers(START)), {
    kind: "set_position",
    body: { position: { own: START, opponent: START }, reason: "as it stood" },
  });
  assert.equal(typed("24:2 13:5 8:3 6:4").body.position.irregular, true);
});

for (const [kind, body] of Object.entries({
  roll: { dice: [6, 5] },
  opening_roll: { white: 3, black: 1 },
  play: {
    moves: [
      [25, 20],
      [6, 0],
      [13, 7],
    ],
  },
})) {
  test(`a correction of a ${kind} begins with what stands there`, () => {
    assert.deepEqual(CORRECTABLE[kind].read(CORRECTABLE[kind].write(body), NAMES), body);
  });
}

test("a play that was emptied is one without a move", () => {
  assert.deepEqual(CORRECTABLE.play.read("  ", NAMES), {});
  assert.equal(CORRECTABLE.play.write({}), "");
});

const GAME = { winner: "white", win: 1, cube: 2, ended: "pass" };
for (const [what, line, fields, entry] of /** @type {[string, any, Record<string, string>, object][]} */ ([
  [
    "a roll",
    { kind: "roll", body: { dice: [3, 1] } },
    { value: "6-5" },
    { kind: "roll", body: { dice: [6, 5] } },
  ],
  [
    "a roll that does not count",
    { kind: "roll", body: { dice: [3, 1], void: "cocked" } },
    { value: "6-5" },
    { kind: "roll", body: { void: "cocked", dice: [6, 5] } },
  ],
  [
    "the result of a game",
    { kind: "game_result", body: GAME },
    { winner: "black", win: "3", cube: "4", ended: "borne_off", value: "" },
    { kind: "game_result", body: { winner: "black", win: 3, cube: 4, ended: "borne_off" } },
  ],
  [
    "what is taken away",
    { kind: "take", body: {} },
    { away: "on", why: "not said" },
    { kind: "voided", body: { reason: "not said" } },
  ],
])) {
  test(`${what} is corrected`, () => assert.deepEqual(corrected(line, fields, NAMES), entry));
}

test("what has no text can only be taken away", () => {
  for (const line of [
    { kind: "take", body: {} },
    { kind: "roll", body: null },
  ])
    assert.throws(() => corrected(line, { value: "3-1" }, NAMES), { words: "only_away" });
});
