// What a key does at a card.

import assert from "node:assert/strict";
import { test } from "node:test";

import { keyed } from "../../scoring/static/scoring/learning/keys.js";

const button = (key) => ({ dataset: { key } });
const skip = button("Escape");
const double = button("d");
const inside = (selector) => ({ closest: (asked) => (asked.includes(selector) ? {} : null) });
const nowhere = { closest: () => null };
const pressed = (key, target = nowhere, held = {}) => ({
  key,
  target,
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  ...held,
});

test("a key presses the button that it stands for", () => {
  assert.equal(keyed(pressed("d"), [skip, double]), double);
  assert.equal(keyed(pressed("t"), [skip, double]), null);
});

test("escape skips, also from the field; other keys in a field are text", () => {
  assert.equal(keyed(pressed("Escape", inside("input")), [skip]), skip);
  assert.equal(keyed(pressed("Escape"), []), null);
  assert.equal(keyed(pressed("d", inside("input")), [double]), null);
  assert.equal(keyed(pressed("Backspace", inside("input")), [double]), null);
});

test("keys undo a move and send the play, not from a button or a point of the board", () => {
  assert.equal(keyed(pressed("Backspace"), []), "undo");
  assert.equal(keyed(pressed("u"), []), "undo");
  assert.equal(keyed(pressed("Enter"), []), "send");
  assert.equal(keyed(pressed("Enter", inside("button")), []), null);
  assert.equal(keyed(pressed("Enter", inside("[tabindex]")), []), null);
});

test("a digit begins to type the play, from anywhere but a field", () => {
  for (const key of ["1", "8", "b"]) assert.equal(keyed(pressed(key), [skip]), "type");
  assert.equal(keyed(pressed("8", inside("[tabindex]")), []), "type");
  assert.equal(keyed(pressed("8", inside("input")), []), null);
  assert.equal(keyed(pressed("x"), []), null);
});

test("keys with a modifier belong to the browser", () => {
  for (const held of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { shiftKey: true }])
    assert.equal(keyed(pressed("d", nowhere, held), [double]), null);
});
