// Lines that are typed: in order, one at a time, and the refused one first.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Transcription, timeIn } from "../../scoring/static/scoring/sheets/transcription.js";

/** A sheet that takes every line but those with a question mark; `answers` lets each line's answer wait. */
const sheet = () => {
  const sent = [];
  const answers = [];
  let changes = 0;
  const transcription = new Transcription({
    send: (text) => {
      sent.push(text);
      const refusal = text.includes("?") ? { text, problem: "unreadable", readings: [] } : null;
      return new Promise((resolve) => answers.push(() => resolve(refusal)));
    },
    changed: () => {
      changes += 1;
    },
  });
  const answer = async () => {
    answers.shift()();
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { transcription, sent, answer, changes: () => changes };
};

test("what is typed while a line is on its way goes after it, in order", async () => {
  const { transcription, sent, answer } = sheet();
  for (const text of ["one", "two", "three"]) transcription.add(text);
  assert.deepEqual(sent, ["one"]);
  await answer();
  await answer();
  assert.deepEqual([sent, transcription.lines], [["one", "two", "three"], []]);
  await answer();
  assert.equal(transcription.isSending, false);
});

test("a refused line holds those behind it back until it is corrected", async () => {
  const { transcription, sent, answer, changes } = sheet();
  transcription.add("31?");
  transcription.add("next");
  await answer();
  assert.deepEqual([transcription.refused.text, sent, changes()], ["31?", ["31?"], 1]);
  transcription.add("and next");
  assert.deepEqual([transcription.lines, changes()], [["next", "and next"], 2]);
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

test("a line can begin with its time in the video", () => {
  assert.deepEqual(timeIn(" @12:34 31 85 65"), { words: "12:34", seconds: 754 });
  assert.deepEqual(timeIn("@1:02:34 d"), { words: "1:02:34", seconds: 3754 });
  assert.equal(timeIn("31 85 65"), null);
});
