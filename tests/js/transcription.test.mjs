// Lines that are typed: in order, one at a time, and the refused one first.

import assert from "node:assert/strict";
import { test } from "node:test";

import * as completing from "../../scoring/static/scoring/sheets/completions.js";
import { Transcription, timeIn, UNREACHED } from "../../scoring/static/scoring/sheets/transcription.js";
import { legalSequences } from "../../scoring/static/scoring/rules/plays.js";
import { notation } from "../../scoring/static/scoring/sheets/play.js";
import { writtenPlays } from "../../scoring/static/scoring/sheets/written_plays.js";

/** A sheet that takes every line but those with a question mark; `answers` lets each line's answer wait. */
const sheet = () => {
  const sent = [];
  const answers = [];
  let [changes, made] = [0, 0];
  const kept = [];
  const keys = [];
  let isReached = true;
  const transcription = new Transcription({
    send: ({ text, key }) => {
      sent.push(text);
      keys.push(key);
      const refusal = text.includes("?") ? { text, problem: "unreadable", readings: [] } : null;
      return new Promise((resolve) => answers.push(() => resolve(isReached ? refusal : UNREACHED)));
    },
    newKey: () => {
      made += 1;
      return `key-${made}`;
    },
    keep: (lines) => kept.push(lines.map(({ text }) => text)),
    changed: () => {
      changes += 1;
    },
  });
  const answer = async () => {
    answers.shift()();
    await new Promise((resolve) => setTimeout(resolve));
  };
  const reach = (/** @type {boolean} */ is) => {
    isReached = is;
  };
  const waiting = () => transcription.lines.map(({ text }) => text);
  return { transcription, sent, keys, kept, answer, reach, waiting, changes: () => changes };
};

test("what is typed while a line is on its way goes after it, in order", async () => {
  const { transcription, sent, answer, waiting } = sheet();
  for (const text of ["one", "two", "three"]) transcription.add(text);
  assert.deepEqual(sent, ["one"]);
  await answer();
  await answer();
  assert.deepEqual([sent, waiting()], [["one", "two", "three"], []]);
  await answer();
  assert.equal(transcription.isSending, false);
});

test("a refused line holds those behind it back until it is corrected", async () => {
  const { transcription, sent, answer, changes, waiting } = sheet();
  transcription.add("31?");
  transcription.add("next");
  await answer();
  assert.deepEqual([transcription.refused.text, sent, changes()], ["31?", ["31?"], 1]);
  transcription.add("and next");
  assert.deepEqual([waiting(), changes()], [["next", "and next"], 2]);
  transcription.answer("31");
  assert.equal(transcription.refused, null);
  for (let n = 0; n < 3; n += 1) await answer();
  assert.deepEqual(sent, ["31?", "31", "next", "and next"]);
});

test("a refused line that is left out is not sent again; one refused twice is asked for twice", async () => {
  const { transcription, sent, answer } = sheet();
  transcription.add("x?");
  await answer();
  transcription.answer("y?");
  await answer();
  assert.equal(transcription.refused.text, "y?");
  transcription.answer("");
  transcription.add("z");
  await answer();
  assert.deepEqual([sent, transcription.refused], [["x?", "y?", "z"], null]);
});

test("without a connection lines are held, kept for a reload, and go on as the same lines", async () => {
  const { transcription, sent, keys, kept, answer, reach, waiting } = sheet();
  reach(false);
  transcription.add("one");
  transcription.add("two");
  await answer();
  assert.deepEqual([transcription.isHeld, waiting(), kept.at(-1)], [true, ["one", "two"], ["one", "two"]]);
  reach(true);
  transcription.goOn();
  transcription.goOn(); // told twice
  await answer();
  assert.deepEqual([transcription.isHeld, kept.at(-1)], [false, ["two"]]);
  await answer();
  assert.deepEqual([sent, kept.at(-1)], [["one", "one", "two"], []]);
  assert.equal(keys[0], keys[1]); // what had arrived after all is not entered twice
  assert.notEqual(keys[1], keys[2]);
  transcription.add("three?");
  await answer();
  transcription.goOn();
  assert.deepEqual([sent.length, kept.at(-1)], [4, ["three?"]]); // a refused line waits for an answer
});

test("a line can begin with its time in the video", () => {
  assert.deepEqual(timeIn(" @12:34 31 85 65"), { words: "12:34", seconds: 754 });
  assert.deepEqual(timeIn("@1:02:34 d"), { words: "1:02:34", seconds: 3754 });
  assert.equal(timeIn("31 85 65"), null);
});

const START = [0, 0, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0];

/** @type {(game: any, text: string) => string[]} */
const completions = (seen, text) =>
  completing.completions(seen, text, writtenPlays({ legalSequences, notation }));

/** @type {(changes?: object) => any} a game as the page has it, before its opening roll */
const game = (changes) => ({
  phase: "opening",
  on_roll: null,
  roll: null,
  position: { white: START, black: START },
  ...changes,
});

test("a line is completed by the legal plays that have what is typed", () => {
  assert.deepEqual(completions(game(), "31 85 6"), ["31 8/5 6/5"]);
  assert.deepEqual(completions(game(), "31 85 24"), ["31 24/23 8/5"]);
  assert.ok(completions(game(), "31 8").every((line) => / 8\//.test(line)));
  assert.equal(completions(game(), "31").length, 8); // the first of them
  for (const whole of ["31 8/5 6/5", "31 65 85 13", "33", "3", "31 85 65 ", "d", "hello", "77 1"])
    assert.ok(
      completions(game(), whole).every((line) => line === "31 8/5 6/5"),
      whole,
    );
  assert.deepEqual(completions(game(), "31 8/5 6/5"), []);
});

test("what is typed before the roll stays, however the roll and its moves are spelled", () => {
  const turn = game({ phase: "turn", on_roll: "black" });
  for (const head of ["64", "6-4:", "@12:34 d t 64", "doubles, takes 64:", "12) 64:"])
    assert.deepEqual(completions(turn, `${head} 24/14`), [], head);
  assert.deepEqual(completions(turn, "@1:00 d/t 6–4: 24-18 18-1"), ["@1:00 d/t 6-4: 24/14"]);
  assert.deepEqual(completions(turn, "66 24/18(2) 13/7 13"), ["66 24/18(2) 13/7(2)"]);
  assert.deepEqual(completions({ ...turn, phase: "offered" }, "t 64 2414"), ["t 64 24/14"]);
  for (const phase of ["resign_offered", "over"])
    assert.deepEqual(completions({ ...turn, phase }, "64 2"), []);
});

test("after a roll that was tapped the moves alone are completed, from the bar and off the board", () => {
  const entering = START.map((count, slot) => (slot === 25 ? 1 : slot === 24 ? 1 : count));
  const bar = game({
    phase: "moving",
    on_roll: "white",
    roll: [4, 3],
    position: { white: entering, black: START },
  });
  for (const typed of ["b22 ", "bar/22 ", "BAR22 "])
    assert.ok(completions(bar, `${typed}24`).includes("bar/22 24/20"), typed);
  const home = Array.from({ length: 26 }, (_, slot) => (slot === 6 || slot === 5 ? 1 : slot ? 0 : 13));
  const last = game({
    phase: "moving",
    on_roll: "white",
    roll: [6, 5],
    position: { white: home, black: START },
  });
  for (const typed of ["6", "6o 5", "6/of", "5/off 6"])
    assert.deepEqual(completions(last, typed), ["6/off 5/off"]);
});
