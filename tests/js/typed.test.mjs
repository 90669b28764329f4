// What the forms of a chouette's table record.

import assert from "node:assert/strict";
import { test } from "node:test";

import { entriesOf } from "../../scoring/static/scoring/chouettes/typed.js";

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
