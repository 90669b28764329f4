// Which of two views is the newer, what an answer changes of one, and where two who wrote at once part.

import assert from "node:assert/strict";
import { test } from "node:test";

import { differences, recordedPayments } from "../../scoring/static/scoring/sheets/differences.js";
import { continued, isOlder, seen, told } from "../../scoring/static/scoring/sheets/views.js";

const line = (seq, kind = "roll", rest = {}) => ({
  seq,
  kind,
  body: { dice: [2, 1] },
  words: `${seq}`,
  ...rest,
});
const view = (...lines) => ({ seq: lines.length, version: lines.length, lines, earlier: null, points: 0 });

test("of two views the one with more events is newer, and of as many the later version", () => {
  const at = (seq, version) => ({ seq, version });
  assert.deepEqual(
    [
      [at(1, 9), at(2, 1)],
      [at(2, 1), at(2, 2)],
      [at(2, 2), at(2, 2)],
      [at(3, 1), at(2, 9)],
    ].map(([one, other]) => isOlder(one, other)),
    [true, true, false, false],
  );
});

test("an answer that follows the view adds its lines and changes; the view itself stays as it is", () => {
  const before = view(line(1));
  const answer = {
    follows: 1,
    seq: 2,
    version: 2,
    keep: 30,
    changes: { points: 3 },
    lines: [line(1), line(2)],
  };
  assert.deepEqual(continued(before, answer), { ...view(line(1), line(2)), points: 3 });
  assert.deepEqual(before, view(line(1)));
});

test("of more lines than a page keeps the oldest go, and it learns where they are", () => {
  const answer = {
    follows: 2,
    seq: 3,
    version: 3,
    keep: 2,
    earlier: "/log/",
    changes: {},
    theirs: [line(3)],
  };
  const after = continued(view(line(1), line(2)), answer);
  assert.deepEqual([after.lines.map(({ seq }) => seq), after.earlier], [[2, 3], "/log/"]);
});

test("an answer to another version, or with a gap before its lines, comes to nothing", () => {
  const answer = { follows: 1, seq: 3, version: 3, keep: 30, changes: {}, lines: [line(3)] };
  assert.equal(continued(view(line(1)), answer), null);
  assert.equal(continued(view(line(1)), { ...answer, seq: 2, follows: 0 }), null);
  const whole = view(line(1), line(2));
  assert.equal(continued(view(line(1)), whole), whole);
});

test("when a clock was told is no news, what it shows is", () => {
  const clock = (white, now) => seen({ ...view(), clock: { white, now } });
  assert.equal(
    told(clock(60, "12:00")),
    told({ ...clock(60, "12:01"), clock: { white: 60, now: "", seen: 5 } }),
  );
  assert.notEqual(told(clock(60, "12:00")), told(clock(59, "12:00")));
  assert.equal(seen({ clock: { seen: 7 } }).clock.seen, 7); // what was told before runs on from then
});

const parted = (theirs, queue, shown = theirs) => {
  const { lines, alikes, older } = differences(theirs, shown, queue);
  return [lines.map(({ seq }) => seq), alikes, older];
};
const entry = (kind, body) => ({ kind, body });

test("two part at the first entry that differs; the order of dice and of keys is no difference", () => {
  const theirs = [line(1), line(2, "play", { body: { moves: [[8, 7]], by: "white" } }), line(3)];
  const queue = [
    entry("roll", { dice: [1, 2] }),
    entry("play", { by: "white", moves: [[8, 7]] }),
    entry("roll", { dice: [6, 6] }),
  ];
  assert.deepEqual(parted(theirs, queue), [[1, 2, 3], 2, false]);
  assert.deepEqual(parted(theirs, queue.slice(0, 1)), [[1, 2, 3], 1, false]);
  assert.deepEqual(parted(theirs, [entry("play", { dice: [2, 1] })]), [[1, 2, 3], 0, false]);
});

test("what they took back of their own is none; what they took back of what stood before is told", () => {
  const own = [line(1, "roll", { undone: true }), line(2, "voided", { replaces: 1 })];
  assert.deepEqual(parted(own, []), [[], 0, false]);
  assert.deepEqual(parted([line(2, "voided", { replaces: 1 })], []), [[], 0, true]);
  assert.deepEqual(parted([line(1, "seat")], []), [[], 0, false]);
});

test("a payment contradicts nothing, and nothing contradicts it; one that others have recorded is made once", () => {
  const paid = (payer, minor) => ({ payer, receiver: "ana", minor });
  const over = line(1, "game_over", { body: { box_won: true } });
  const theirs = [over, line(2, "paid", { body: paid("eva", 100) }), line(3, "nothing", { replaces: 9 })];
  const mine = [entry("paid", paid("jon", 100)), entry("paid", paid("eva", 100))];
  assert.deepEqual(parted(theirs, mine), [[], 0, false]);
  assert.deepEqual(recordedPayments(theirs, theirs, mine), [mine[1]]);
  assert.deepEqual(parted(theirs, [entry("game_over", { box_won: false })]), [[1, 2], 0, true]);
  const undone = [over, { ...theirs[1], undone: true }];
  assert.deepEqual(recordedPayments(theirs, undone, mine), []);
});

test("a player who joins with their own phone contradicts nothing; what differs besides is shown with it", () => {
  const arrives = [line(1, "join", { body: { player: "n" } }), line(2, "agree", { body: { player: "n" } })];
  const over = (seq, won) => line(seq, "game_over", { body: { box_won: won } });
  const mine = [entry("game_over", { box_won: true }), entry("game_start", {})];
  assert.deepEqual(parted(arrives, mine), [[], 0, false]);
  assert.deepEqual(parted([...arrives, over(3, true)], mine), [[3], 1, false]);
  assert.deepEqual(parted([...arrives, over(3, false)], mine), [[1, 2, 3], 0, false]);
  const same = arrives.map(({ kind, body }) => entry(kind, body));
  assert.deepEqual(parted(arrives, [...same, ...mine]), [[1, 2], 2, false]);
  assert.deepEqual(parted([...arrives, line(4, "nothing", { replaces: 9 })], mine), [[1, 2], 0, true]);
});

test("players who double or answer each on their own phone contradict nobody but themselves", () => {
  const answers = (seq, by, rest) => line(seq, "answer", { body: { by, ...rest } });
  const mine = [entry("answer", { by: "jon", passes: ["jon"] })];
  const eva = answers(1, "eva", { takes: ["eva"] });
  assert.deepEqual(parted([eva], mine), [[], 0, false]);
  assert.deepEqual(parted([eva, answers(2, "jon", { takes: ["jon"] })], mine), [[1, 2], 0, false]);
  assert.deepEqual(parted([eva], [...mine, entry("game_over", {})]), [[1], 0, false]);
  const offers = line(1, "offer", { body: { by: "eva", cubes: ["eva"] } });
  assert.deepEqual(parted([offers], [entry("offer", { by: "jon", cubes: ["jon"] })]), [[], 0, false]);
  assert.deepEqual(parted([offers], mine), [[1], 0, false]);
});
