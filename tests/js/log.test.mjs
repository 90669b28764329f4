// What an entry says that is not sent yet.

import "./browser.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";

const { inWords } = await import("../../scoring/static/scoring/sheets/log.js");

/** @type {any} */
const view = { white: { name: "Ana" }, black: { name: "Ben" }, game: { on_roll: "white", number: 1 } };

test("an unsent penalty names its player and its points, a corrected length the new one", () => {
  const said = [
    { kind: "penalty", body: { to: "black", points: 2 } },
    { kind: "set_length", body: { length: 7 } },
    { kind: "suspend", body: {} },
  ].map((entry) => inWords(entry, view));
  assert.deepEqual(said, ["penalty to Ben: 2", "length corrected to 7", "suspended"]);
});
