// A draw: the path of a name, who can still be met, and how names and matches are found.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  candidates,
  first,
  found,
  matchIn,
  pathOf,
  pinched,
} from "../../tournaments/static/tournaments/stages/draw_ways.js";
import { elsewhere, sameDay } from "../../tournaments/static/tournaments/pages/zones.js";
import { rowOrder } from "../../tournaments/static/tournaments/stages/table_order.js";

/** @type {(entrant: string, won?: boolean, points?: string) => any} */
const side = (entrant, won = false, points = "") => ({ entrant, name: `P${entrant}`, won, points });
/** @type {(words: string) => any} */
const slot = (words) => ({ entrant: "", name: words, won: false, points: "" });
/** @type {(number: string, to: string, round: string, sides: any[], open?: boolean, loser?: string) => any} */
const match = (number, to, round, sides, open = false, loser = "") => ({
  number,
  to,
  loser,
  open,
  round,
  sides,
});

// Eight: the upper half has one result in the semi-final's feeders, the lower half has not begun.
const DRAW = [
  match("1", "5", "Quarter-finals", [side("1", true, "7"), side("8", false, "3")]),
  match("2", "5", "Quarter-finals", [side("4"), side("5")], true),
  match("3", "6", "Quarter-finals", [side("2"), side("7")], true),
  match("4", "6", "Quarter-finals", [side("3", true, "7"), side("6", false, "6")]),
  match("5", "7", "Semi-finals", [side("1"), slot("winner of 2")], true),
  match("6", "7", "Semi-finals", [slot("winner of 3"), side("3")], true),
  match("7", "", "Final", [slot("winner of 5"), slot("winner of 6")], true),
];
const told = (/** @type {string} */ entrant) =>
  pathOf(DRAW, entrant).map(({ kind, round, names, score }) => [kind, round, names.join(), score]);

test("a path has the results, the next match, and who can be met after it", () => {
  assert.deepEqual(told("1"), [
    ["won", "Quarter-finals", "P8", "7–3"],
    ["next", "Semi-finals", "P4,P5", ""],
    ["later", "Final", "P3,P2,P7", ""],
  ]);
  assert.deepEqual(told("4"), [
    ["next", "Quarter-finals", "P5", ""],
    ["later", "Semi-finals", "P1", ""],
    ["later", "Final", "P3,P2,P7", ""],
  ]);
});

test("in a consolation a loser of the main bracket can be met", () => {
  const consolation = [
    match("1", "3", "Semi-finals", [side("1", true, "5"), side("4", false, "0")], false, "4"),
    match("2", "3", "Semi-finals", [side("2"), side("3")], true, "4"),
    match("3", "", "Final", [side("1"), slot("winner of 2")], true),
    match("4", "", "Consolation", [side("4"), slot("loser of 2")], true),
  ];
  const [lost, next] = pathOf(consolation, "4");
  assert.deepEqual([lost.kind, next.kind, next.names], ["lost", "next", ["P2", "P3"]]);
  assert.deepEqual(candidates(consolation, consolation[0], true), [side("4", false, "0")]);
});

test("who has lost has no next match, and an unknown entrant no path", () => {
  assert.deepEqual(told("8"), [["lost", "Quarter-finals", "P1", "3–7"]]);
  assert.deepEqual(told("99"), []);
});

test("a decided match sends its winner, an open one both, and nobody twice", () => {
  const sent = (/** @type {number} */ n) => candidates(DRAW, DRAW[n - 1]).map((each) => each.entrant);
  assert.deepEqual([1, 2, 5, 7].map(sent), [
    ["1"],
    ["4", "5"],
    ["1", "4", "5"],
    ["1", "4", "5", "3", "2", "7"],
  ]);
});

test("a name is found by the beginnings of its words, without accents, whole names first", () => {
  const names = new Map([
    ["1", "Inês Carvalhal"],
    ["2", "Marta Albuquerque"],
    ["3", "Carla Lund / Ana Meyer-Inez"],
  ]);
  assert.deepEqual(found(names, "INES"), ["1"]);
  assert.deepEqual(found(names, "car"), ["3", "1"]);
  assert.deepEqual(found(names, "mar alb"), ["2"]);
  assert.deepEqual([found(names, "  "), found(names, "quer")], [[], []]);
});

test("a long list is cut where at least two names are left", () => {
  assert.deepEqual(first(["a", "b", "c"], 2), { shown: ["a", "b", "c"], more: 0 });
  assert.deepEqual(first(["a", "b", "c", "d"], 2), { shown: ["a", "b"], more: 2 });
});

test("a sheet grows as two fingers part, within its bounds", () => {
  assert.equal(pinched(1, 100, 120, 0.3, 1.6), 1.2);
  assert.equal(pinched(1, 100, 1000, 0.3, 1.6), 1.6);
  assert.equal(pinched(1, 100, 1, 0.3, 1.6), 0.3);
  assert.equal(pinched(0.8, 0, 50, 0.3, 1.6), 0.8);
});

test("an address names a match on the sheet or as a card, and nothing else", () => {
  assert.deepEqual(["#m13", "#c13", "#main", "#m13x", ""].map(matchIn), ["13", "13", "", "", ""]);
});

test("a column is sorted by number or by words, what is empty last, what is alike in its order", () => {
  assert.deepEqual(rowOrder(["10", "9", "–", "9,5"], false), [1, 3, 0, 2]);
  assert.deepEqual(rowOrder(["10", "9", "–", "9,5"], true), [0, 3, 1, 2]);
  assert.deepEqual(rowOrder(["3–1", "1–3", "3–0"], true), [0, 2, 1]);
  assert.deepEqual(rowOrder(["Émile", "Zoë", "eva"], false), [0, 2, 1]);
});

test("a clock elsewhere reads another time, another zone with the same clock does not", () => {
  const at = "2026-11-28T10:30:00+00:00";
  assert.equal(elsewhere(at, "Europe/Lisbon", "Europe/Madrid"), true);
  assert.equal(elsewhere(at, "Europe/Lisbon", "Europe/London"), false);
  assert.equal(elsewhere("soon", "Europe/Lisbon", "Europe/Madrid"), false);
});

test("two clocks agree on the day unless one is past midnight", () => {
  assert.equal(sameDay("2026-11-28T22:30:00+00:00", "Europe/Lisbon", "Europe/London"), true);
  assert.equal(sameDay("2026-11-28T22:30:00+00:00", "Europe/Lisbon", "Europe/Helsinki"), false);
});
