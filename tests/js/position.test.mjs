// What a tap on the editor's board makes of a position.

import assert from "node:assert/strict";
import { test } from "node:test";

import { tapped } from "../../scoring/static/scoring/positions/edit.js";

const START = "-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10";
const FIELDS = ":0:0:1:00:0:0:0:7:10";

test("a tap removes a checker of whoever stands there", () => {
  assert.equal(tapped(START, "none", 6).xgid, `-b----D-C---eE---c-e----B-${FIELDS}`);
  assert.equal(tapped(START, "none", 12).xgid, `-b----E-C---dE---c-e----B-${FIELDS}`);
  assert.equal(tapped(START, "none", 2).xgid, START);
});

test("a tap adds a checker that is off", () => {
  const fourteen = tapped(START, "none", 6).xgid;
  assert.equal(tapped(fourteen, "white", 2).xgid, `-bA---D-C---eE---c-e----B-${FIELDS}`);
  assert.equal(tapped(fourteen, "white", 25).xgid, `-b----D-C---eE---c-e----BA${FIELDS}`);
});

test("a sixteenth checker and a point of the other side are refused", () => {
  assert.deepEqual(tapped(START, "white", 2), { xgid: START, refused: "full" });
  const fourteen = tapped(START, "none", 6).xgid;
  assert.deepEqual(tapped(fourteen, "white", 12), { xgid: fourteen, refused: "held" });
});

test("points are numbered by the side on roll", () => {
  const black = START.replace(":1:00:", ":-1:00:");
  assert.equal(tapped(black, "none", 6).xgid, black.replace("c-e----", "c-d----"));
});

test("each side has its bar", () => {
  const empty = `--------------------------${FIELDS}`;
  const black = tapped(empty, "black", 25).xgid;
  assert.equal(black, `a-------------------------${FIELDS}`);
  const both = tapped(black, "white", 25).xgid;
  assert.equal(both, `a------------------------A${FIELDS}`);
  assert.equal(tapped(both, "none", 25).xgid, black);
  assert.equal(tapped(black, "none", 25).xgid, empty);
});
