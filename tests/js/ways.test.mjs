// Which checker went where between two steps of a match.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ways } from "../../scoring/static/scoring/matches/ways.js";

const spots = (...pairs) => pairs.map(([x, y]) => ({ x, y }));
const told = (found) => found.map(([from, to]) => [from.x, from.y, to.x, to.y]);

test("a checker that stayed has no way", () => {
  assert.deepEqual(ways(spots([1, 1], [5, 5]), spots([5, 5], [1, 1])), []);
});

test("the one that moved goes from where it lay to where it lies", () => {
  const found = ways(spots([10, 10], [50, 10]), spots([50, 10], [90, 10]));
  assert.deepEqual(told(found), [[10, 10, 90, 10]]);
});

test("of two that moved each takes the shorter way", () => {
  const found = ways(spots([0, 0], [100, 0]), spots([90, 0], [20, 0]));
  assert.deepEqual(told(found), [
    [100, 0, 90, 0],
    [0, 0, 20, 0],
  ]);
});

test("a checker more or less is left as it is", () => {
  assert.deepEqual(ways([], spots([1, 1])), []);
  assert.deepEqual(ways(spots([1, 1], [2, 30]), spots([2, 30])), []);
});
