// Charts, the wall, overlays, clocks and whom a browser follows: the figures behind what is drawn.

import "./static.mjs";

import assert from "node:assert/strict";
import { test } from "node:test";

import { clockFace } from "../../clubs/static/clubs/formats.js";
import {
  axisWords,
  columns,
  dateShape,
  decimalsOf,
  endWords,
  nearest,
  padded,
} from "../../scoring/static/scoring/drawing/chart_scales.js";
import { followed, readFollowed, toggled } from "../../tournaments/static/tournaments/following/followed.js";
import * as overlay from "../../tournaments/static/tournaments/display/overlay_clock.js";
import {
  aspectOf,
  below,
  endedBetween,
  following,
  isOld,
  minutesSince,
  overflows,
  screenfuls,
  secondsLeft,
  step,
  whole,
} from "../../tournaments/static/tournaments/display/wall_pace.js";

const sheetClock = await import("../../scoring/static/scoring/sheets/time_left.js");

const DAY = 86400;
/** @type {(at: number, value: number) => [number, number, number, number, string, string]} */
const point = (at, value) => [at, value, value - 1, value + 2, `at ${at}`, ""];

test("lines of a chart share one axis, each with values at its own times alone", () => {
  const ana = { points: [point(10, 1500), point(30, 1520)] };
  const ben = { points: [point(20, 1400), point(30, 1390)] };
  const { data, behind } = columns([ana, ben]);
  assert.deepEqual(data, [
    [10, 20, 30],
    [1502, null, 1522],
    [1499, null, 1519],
    [1500, null, 1520],
    [null, 1402, 1392],
    [null, 1399, 1389],
    [null, 1400, 1390],
  ]);
  assert.deepEqual(behind[1], [null, ben.points[0], ben.points[1]]);
  assert.equal(nearest(behind, 1), ben.points[0]);
  assert.equal(nearest(behind, 2), ana.points[1]);
  assert.equal(nearest(behind, null), null);
  assert.equal(nearest(behind, 7), null);
});

test("times of an axis are in order, whatever order the points have", () => {
  assert.deepEqual(columns([{ points: [point(100, 1), point(20, 2), point(3, 3)] }]).data[0], [3, 20, 100]);
});

for (const [days, shape] of /** @type {const} */ ([
  [10, "monthDay"],
  [121, "yearMonth"],
  [901, "year"],
])) {
  test(`dates of ${days} days are written by ${shape}`, () =>
    assert.equal(dateShape({ min: 5, max: 5 + days * DAY }), shape));
}

test("no mark of an axis repeats the word before it", () =>
  assert.deepEqual(axisWords(["19 Oct", "20 Oct", "20 Oct", "21 Oct"]), ["19 Oct", "20 Oct", "", "21 Oct"]));

for (const [splits, most, expected] of /** @type {const} */ ([
  [[1500, 1520], 0, 0],
  [[5, 5.5, 6], 2, 1],
  [[5.25, 5.5], 2, 2],
  [[0.1 + 0.2], 2, 1],
  [[], 2, 0],
  [[1.005], 1, 0],
])) {
  test(`marks ${splits} with at most ${most} decimals have ${expected}`, () =>
    assert.equal(decimalsOf([...splits], most), expected));
}

test("an axis has air, also around a single value", () => {
  assert.deepEqual(padded(1500, 1500, 0), [1490, 1510]);
  assert.deepEqual(padded(6, 6, 1), [5.5, 6.5]);
  assert.deepEqual(padded(1000, 2000, 0), [880, 2120]);
});

test("a line ends in its value, under its name where there are several", () => {
  const line = (label) => ({ label, points: [point(1, 7), point(2, 8)] });
  assert.deepEqual(endWords([line("Ana")], String), [["8"]]);
  assert.deepEqual(endWords([line("Ana"), line("Ben")], String), [
    ["Ana", "8"],
    ["Ben", "8"],
  ]);
});

// The wall ------------------------------------------------------------------------------------------------------------

test("panels follow one another, and the first comes after the last and where none is shown", () => {
  assert.deepEqual(
    ["a", "b", "c", undefined, "gone"].map((shown) => following(["a", "b", "c"], shown)),
    ["b", "c", "a", "a", "a"],
  );
});

const place = (scrollHeight, clientHeight, scrollTop = 0) => ({ scrollHeight, clientHeight, scrollTop });

test("what fits does not roll, nor what is off by a pixel", () => {
  assert.deepEqual(
    [overflows(place(500, 500)), overflows(place(502, 500)), overflows(place(503, 500))],
    [false, false, true],
  );
});

test("it rolls 45 pixels a second, and never stands still on a quick screen", () => {
  assert.deepEqual([step(1000), step(100), step(16), step(4), step(-3)], [45, 5, 1, 1, 1]);
  assert.equal(below(place(1200, 500, 300)), 400);
});

/** Rows of these heights, one below the other, a gap of 5 between them. */
const rowsOf = (...heights) =>
  heights.map((height, n) => {
    const top = heights.slice(0, n).reduce((sum, each) => sum + each + 5, 0);
    return { top, bottom: top + height };
  });

test("calls turn by the screenful: whole rows, each of them once", () => {
  assert.deepEqual(screenfuls([], 100), [[0, 0]]);
  assert.deepEqual(screenfuls(rowsOf(45, 45), 95), [[0, 2]]);
  assert.deepEqual(screenfuls(rowsOf(45, 45), 94), [
    [0, 1],
    [1, 2],
  ]);
  assert.deepEqual(screenfuls(rowsOf(45, 95, 45, 45, 200, 10), 95), [
    [0, 1],
    [1, 2],
    [2, 4],
    [4, 5],
    [5, 6],
  ]);
});

test("of what comes next whole rows are shown, and a line counts the others", () => {
  const rows = rowsOf(45, 45, 45);
  assert.equal(whole(rows, 3, 145, 50), 3);
  assert.equal(whole(rows, 3, 144, 50), 1);
  assert.equal(whole(rows, 3, 145.5, 45), 3);
  assert.equal(whole(rows, 9, 145, 50), 2, "others wait that have no row");
  assert.equal(whole(rows, 3, 40, 50), 0);
});

test("the shape of a screen is its width in percent of its height, in steps of five", () => {
  assert.deepEqual(
    [aspectOf(1920, 1080), aspectOf(1920, 1075), aspectOf(768, 1024), aspectOf(100, 0)],
    [180, 180, 75, 10000],
  );
});

test("the wall says how old it is after 45 seconds, and minutes are whole and never fewer than none", () => {
  assert.deepEqual([isOld(0, 44999), isOld(0, 45000)], [false, true]);
  const since = "2026-05-01T20:00:00Z";
  const at = (seconds) => Date.parse(since) + seconds * 1000;
  assert.deepEqual(
    [-30, 0, 59, 60, 3599].map((seconds) => minutesSince(since, at(seconds))),
    [0, 0, 0, 1, 59],
  );
});

// Clocks --------------------------------------------------------------------------------------------------------------

const NOW = Date.parse("2026-05-01T20:00:00Z");
const ago = (ms) => new Date(NOW - ms).toISOString();

test("a clock of the overlay runs after its delay, stands still without a beginning, and ends at nought", () => {
  const left = (since, ms = "60000") => overlay.secondsLeft({ ms, since, delay: "12000" }, NOW);
  assert.deepEqual(
    [left(""), left(undefined), left(ago(12000)), left(ago(12000 + 5000)), left(ago(500000))],
    [60, 60, 60, 55, 0],
  );
  assert.equal(left(ago(-4000)), 60); // the screen's own clock is slow
  assert.deepEqual([0, 9, 60, 754].map(clockFace), ["0:00", "0:09", "1:00", "12:34"]);
});

test("a match clock is counted on from when it was seen, whatever time this device has", () => {
  /** @type {import("../../scoring/static/scoring/sheets/time_left.js").MatchClock} */
  const clock = {
    white_ms: 60000,
    black_ms: 30000,
    running: "white",
    since: ago(20000),
    now: ago(0),
    delay_ms: 12000,
    seen: 777000,
  };
  assert.equal(sheetClock.timeLeft(clock, "black", 999999), 30000);
  assert.equal(sheetClock.timeLeft(clock, "white", 777000), 52000);
  assert.equal(sheetClock.timeLeft(clock, "white", 777000 + 60000), -8000);
  assert.equal(sheetClock.timeLeft({ ...clock, since: ago(5000) }, "white", 777000), 60000);
  assert.equal(sheetClock.timeLeft({ ...clock, running: null }, "white", 999999), 60000);
  assert.equal(sheetClock.timeLeft({ ...clock, since: null }, "white", 999999), 60000);
});

test("a match clock counts the last ten seconds aloud, and sounds its end once", () => {
  /** @type {import("../../scoring/static/scoring/sheets/time_left.js").MatchClock} */
  const clock = {
    white_ms: 14000,
    black_ms: 3000,
    running: "white",
    since: ago(0),
    now: ago(0),
    delay_ms: 12000,
    seen: 0,
  };
  /** @type {(shown: typeof clock | null, moments: number[]) => (string | null)[]} what is sounded at these moments */
  const heard = (shown, moments) => {
    /** @type {ReturnType<typeof sheetClock.counting>} */
    let before = null;
    return moments.map((now) => {
      const counted = sheetClock.counting(shown, now);
      const sound = sheetClock.sounded(before, counted);
      before = counted;
      return sound && `${sound} ${counted?.seconds}`;
    });
  };
  const everyHalf = Array.from({ length: 62 }, (_, n) => n * 500);
  assert.deepEqual(heard(clock, everyHalf).filter(Boolean), [
    ...[10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map((seconds) => `second ${seconds}`),
    "flag 0",
  ]);
  assert.deepEqual(heard(clock, [11000, 24500, 40000, 41000]), [null, null, "flag -14", null]);
  assert.deepEqual(heard({ ...clock, running: "" }, everyHalf).filter(Boolean), []);
  assert.deepEqual(heard(null, everyHalf).filter(Boolean), []);
});

test("a count is that of one side: a tap on the clock sounds nothing of the other's seconds", () => {
  const white = { side: /** @type {const} */ ("white"), seconds: 200 };
  for (const seconds of [8, 0, -5]) assert.equal(sheetClock.sounded(white, { side: "black", seconds }), null);
  assert.equal(sheetClock.sounded(null, { side: "black", seconds: 8 }), null);
  assert.equal(sheetClock.sounded({ side: "black", seconds: 9 }, { side: "black", seconds: 9 }), null);
});

test("a match clock shows whole seconds, a second that has begun as one, and what it ran over with a sign", () => {
  assert.deepEqual([0, 1, 1000, 59001, 720000, -1, -61000].map(sheetClock.inMinutes), [
    "0:00",
    "0:01",
    "0:01",
    "1:00",
    "12:00",
    "−0:01",
    "−1:01",
  ]);
});

// Followed ------------------------------------------------------------------------------------------------------------

test("who is followed is a text of refs, and following twice is following no longer", () => {
  const [one, two] = [toggled(new Set(), "abc"), toggled(new Set(["abc"]), "xyz")];
  assert.deepEqual([[...one], [...two], [...toggled(two, "abc")]], [["abc"], ["abc", "xyz"], ["xyz"]]);
  assert.deepEqual([...readFollowed(JSON.stringify([...two]))], ["abc", "xyz"]);
});

for (const text of [null, undefined, "", "{", "{}", "7", "null", '"abc"']) {
  test(`a browser that holds ${text} follows nobody`, () => assert.deepEqual([...readFollowed(text)], []));
}
test("a browser whose storage is shut off follows nobody", () => {
  Object.defineProperty(globalThis, "localStorage", {
    configurable: true,
    get: () => {
      throw new DOMException("storage is shut off", "SecurityError");
    },
  });
  assert.deepEqual([...followed()], []);
});
test("what is no ref is left out", () => assert.deepEqual([...readFollowed('["abc", 7, null]')], ["abc"]));

test("the timer of a break counts whole seconds to its end, which is noticed once", () => {
  const until = "2026-05-01T12:00:00Z";
  const end = Date.parse(until);
  assert.deepEqual(
    [90000, 1, 0, -5000].map((before) => secondsLeft(until, end - before)),
    [90, 1, 0, 0],
  );
  assert.deepEqual(
    [-1500, -500, 500].map((at) => endedBetween(until, end + at, end + at + 1000)),
    [false, true, false],
  );
});
