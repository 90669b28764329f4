// What is drawn after the frame of a tap: once, however often it was asked for, and without frames all the same.

import assert from "node:assert/strict";
import { test } from "node:test";
import { inNextFrame, inPause } from "../../scoring/static/scoring/sheets/late.js";

/** A page whose frames come when the test says so. */
const page = () => {
  const frames = new Map();
  let last = 0;
  globalThis.requestAnimationFrame = (work) => frames.set(++last, work) && last;
  globalThis.cancelAnimationFrame = (frame) => frames.delete(frame);
  return {
    frame() {
      for (const [frame, work] of [...frames]) {
        frames.delete(frame);
        work();
      }
    },
  };
};

/**
 * A drawing that counts how often it was drawn.
 * @param {(draw: () => void) => import("../../scoring/static/scoring/sheets/late.js").Late} kind
 */
const counted = (kind) => {
  let count = 0;
  const late = kind(() => {
    count += 1;
  });
  return { late, drawn: () => count };
};

test("what is asked for several times is drawn once, in the frame after the tap's", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const screen = page();
  const { late, drawn } = counted(inNextFrame);
  for (let n = 0; n < 3; n += 1) late.ask();
  screen.frame();
  assert.equal(drawn(), 0);
  screen.frame();
  assert.equal(drawn(), 1);
  late.ask();
  screen.frame();
  late.ask(); // does not begin anew
  screen.frame();
  assert.equal(drawn(), 2);
});

test("a page without frames is drawn all the same", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  page();
  const { late, drawn } = counted(inNextFrame);
  late.ask();
  t.mock.timers.tick(100);
  assert.equal(drawn(), 1);
});

test("what is drawn at once is not drawn again", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const screen = page();
  for (const kind of [inNextFrame, inPause]) {
    const { late, drawn } = counted(kind);
    late.ask();
    late.now();
    for (let n = 0; n < 2; n += 1) screen.frame();
    t.mock.timers.tick(1000);
    late.now();
    assert.equal(drawn(), 1);
  }
});

test("what waits for a pause is drawn once nobody taps, or after two seconds of taps", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let now = 0;
  t.mock.method(performance, "now", () => now);
  const pass = (/** @type {number} */ ms) => {
    now += ms;
    t.mock.timers.tick(ms);
  };
  const { late, drawn } = counted(inPause);
  late.ask();
  pass(50);
  late.ask();
  pass(99);
  assert.equal(drawn(), 0);
  pass(1);
  assert.equal(drawn(), 1);
  for (let taps = 0; taps < 40; taps += 1) {
    late.ask();
    pass(50);
  }
  assert.equal(drawn(), 2);
});
