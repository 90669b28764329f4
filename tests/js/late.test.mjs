// What is drawn in the frame after: once, however often it was asked for, and without frames all the same.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Late } from "../../scoring/static/scoring/sheets/late.js";

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

/** A drawing that counts how often it was drawn, and what lets the test end. */
const counted = () => {
  let count = 0;
  const late = new Late(() => {
    count += 1;
  });
  return { late, drawn: () => count, end: () => late.channel.port1.close() };
};

const message = () => new Promise((resolve) => setTimeout(resolve, 20));

test("what is asked for several times is drawn once, after the frame", async () => {
  const screen = page();
  const { late, drawn, end } = counted();
  for (let n = 0; n < 3; n += 1) late.ask();
  assert.equal(drawn(), 0);
  screen.frame();
  assert.equal(drawn(), 0);
  await message();
  assert.equal(drawn(), 1);
  late.ask();
  screen.frame();
  await message();
  assert.equal(drawn(), 2);
  end();
});

test("a page without frames is drawn all the same", async () => {
  page();
  const { late, drawn, end } = counted();
  late.ask();
  await new Promise((resolve) => setTimeout(resolve, 150));
  assert.equal(drawn(), 1);
  end();
});

test("what is drawn at once is not drawn again", async () => {
  const screen = page();
  const { late, drawn, end } = counted();
  late.ask();
  late.now();
  screen.frame();
  await message();
  late.now();
  assert.equal(drawn(), 1);
  end();
});
