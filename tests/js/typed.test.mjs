// What the forms of a chouette's table record.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  corrected,
  decimalOf,
  entriesOf,
  gameOver,
  moveUp,
  wayOf,
} from "../../scoring/static/scoring/chouettes/typed.js";

/** @type {[form: string, fields: Record<string, string>, kind: string, body: object][]} */
const FORMS = [
  ["settle", { cube: "b", points: "3", direction: "gets" }, "settle", { cube: "b", points: 3 }],
  ["settle", { cube: "b", points: "3", direction: "pays" }, "settle", { cube: "b", points: -3 }],
  [
    "take_over",
    { cube: "b", by: "c", points: "2", direction: "pays" },
    "take_over",
    { cube: "b", by: "c", points: -2 },
  ],
  ["sit_out", { player: "b" }, "sit_out", { player: "b" }],
  ["stake", { player: "b", stake: "2,50" }, "stake", { player: "b", stake: 250 }],
  ["proxy", { player: "b", proxy: "c" }, "proxy", { player: "b", proxy: "c" }],
  ["proxy", { player: "b", proxy: "" }, "proxy", { player: "b" }],
  ["swap", { player: "b", other: "c" }, "swap", { one: "b", other: "c" }],
  ["chouette_end", {}, "chouette_end", {}],
];
for (const [form, fields, kind, body] of FORMS) {
  test(`${form} with ${JSON.stringify(fields)}`, () =>
    assert.deepEqual(entriesOf(form, fields, 2), [{ kind, body }]));
}

test("a newcomer joins under a name of the log's own, and agrees", () => {
  const [join, agree] = /** @type {any[]} */ (entriesOf("join", { name: " Emre ", stake: "1" }, 2));
  const { player } = join.body;
  assert.deepEqual(
    [join, agree.body],
    [{ kind: "join", body: { player, stake: 100, name: "Emre" } }, { player }],
  );
  const [member] = /** @type {any[]} */ (entriesOf("join", { member: "abc", name: "" }, 0));
  assert.deepEqual([member.body.member, member.body.stake, "name" in member.body], ["abc", 0, false]);
});

test("the end of a game is over the board unless somebody resigned; its button names its way", () => {
  const button = { winner: "box", win: "2" };
  assert.equal(wayOf(button), "box_gammon");
  assert.deepEqual(gameOver(button).body, { box_won: true, win: 2 });
  assert.deepEqual(gameOver({ winner: "team", win: "1" }, "on").body, {
    box_won: false,
    win: 1,
    ended: "resignation",
  });
});

test("a player who goes up in the rotation changes places with the one before", () => {
  const line = ["a", "b", "c", "d"];
  assert.deepEqual(
    [moveUp(line, 1), moveUp(line, 3)],
    [
      ["b", "a", "c", "d"],
      ["a", "b", "d", "c"],
    ],
  );
  assert.deepEqual(line, ["a", "b", "c", "d"]);
});

/** @type {[what: string, line: { kind: string, body: any }, fields: Record<string, string>, body: object][]} */
const CORRECTED = [
  [
    "a game",
    { kind: "game_over", body: { box_won: true, win: 1, ended: "resignation" } },
    { winner: "team", win: "3", ended: "borne_off" },
    { box_won: false, win: 3 },
  ],
  [
    "answers",
    { kind: "answer", body: { by: "b", takes: ["b"] } },
    { "answer b": "pass", "answer c>a": "take", why: "wrong" },
    { by: "b", takes: ["c>a"], passes: ["b"] },
  ],
  [
    "a price",
    { kind: "settle", body: { cube: "b", points: 3 } },
    { points: "-2" },
    { cube: "b", points: -2 },
  ],
  [
    "a stake",
    { kind: "stake", body: { player: "b", stake: 100 } },
    { stake: "2,50" },
    { player: "b", stake: 250 },
  ],
];
for (const [what, line, fields, body] of CORRECTED) {
  test(`${what} is corrected`, () => assert.deepEqual(corrected(line, fields, 2), { kind: line.kind, body }));
}

test("an entry is taken away whatever its kind; a kind without fields here is corrected elsewhere", () => {
  assert.deepEqual(corrected({ kind: "tie", body: {} }, { away: "on" }, 2), { kind: "nothing", body: {} });
  assert.equal(corrected({ kind: "tie", body: {} }, {}, 2), null);
  assert.equal(decimalOf(250, 2), "2.50");
});
