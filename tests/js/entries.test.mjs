// Entries of the desk on their way: in their order, each once, never in another director's name.

import { device, forgetAll, keptRows } from "./browser.mjs";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const { Entries } = await import("../../tournaments/static/tournaments/desk/entries.js");

const ANA = { ref: "login-1", name: "Ana" };
let server;

/** What the addresses of the desk answer: each key is taken once, `says` may answer instead. */
const newServer = () => ({
  writer: ANA.ref,
  isReachable: true,
  loses: 0,
  says: (/** @type {any} */ _entry) => null,
  keys: [],
  taken: [],
  asked: 0,
  async post(entry) {
    this.asked += 1;
    if (!this.isReachable) return null;
    const said = this.says(entry);
    if (said) return said;
    if (!this.keys.includes(entry.key)) {
      this.keys.push(entry.key);
      this.taken.push([entry.words, entry.body.seen]);
    }
    if (this.loses) {
      this.loses -= 1;
      return null;
    }
    return { status: 200, data: { seen: (entry.body.seen ?? 0) + 1 } };
  },
});

beforeEach(() => {
  forgetAll();
  server = newServer();
});

const opened = async (writer = ANA, queue = "desk:e1") => {
  const shown = { stopped: [], overtaken: [], offline: false, sent: 0 };
  const page = {
    changed() {},
    resumed() {},
    sent: () => {
      shown.sent += 1;
    },
    offline: (is) => {
      shown.offline = is;
    },
    stopped: (why) => shown.stopped.push(why),
    overtaken: (entry, why) => shown.overtaken.push([entry.words, why]),
  };
  const entries = new Entries({
    queue,
    writer,
    page,
    post: (entry) => server.post(entry),
    isWriter: async () => (server.isReachable ? server.writer === writer.ref : null),
  });
  await entries.open();
  return Object.assign(entries, { shown });
};
let count = 0;
const result = (words, seen = 1, target = "m1") => {
  count += 1;
  return { key: `key-${count}`, url: "/results", writer: ANA, words, target, body: { seen } };
};
const enter = async (entries, ...all) => {
  for (const each of all) await entries.keep(each);
  await entries.flush();
};
const words = () => server.taken.map(([each]) => each);

test("results entered without a line go in their order, each once, and leave the device", async () => {
  const entries = await opened();
  server.isReachable = false;
  await enter(entries, result("1", 1, "m1"), result("2", 1, "m2"), result("3", 1, "m3"));
  assert.deepEqual([entries.shown.offline, entries.waiting.length, keptRows("queue").length], [true, 3, 3]);
  server.isReachable = true;
  await entries.flush();
  assert.deepEqual(
    [words(), entries.waiting, keptRows("queue"), entries.shown.offline],
    [["1", "2", "3"], [], [], false],
  );
});

test("one whose answer got lost goes again with its key, and those behind it wait for that", async () => {
  const entries = await opened();
  server.loses = 1;
  await enter(entries, result("1"), result("2", 1, "m2"));
  assert.deepEqual([words(), entries.waiting.length], [["1"], 2]);
  await entries.flush();
  assert.deepEqual([words(), entries.waiting], [["1", "2"], []]);
});

test("after a reload what waits goes before what is entered then", async () => {
  server.isReachable = false;
  await enter(await opened(), result("before"));
  const entries = await opened();
  server.isReachable = true;
  await enter(entries, result("after", 1, "m2"));
  assert.deepEqual(words(), ["before", "after"]);
});

test("what is entered while the device is still read comes after what it kept, and stands there once", async () => {
  server.isReachable = false;
  await enter(await opened(), result("kept"));
  const entries = await opened(ANA, "desk:e1");
  entries.waiting = [];
  const late = result("late", 1, "m2");
  await entries.keep(late);
  await entries.open();
  assert.deepEqual(
    entries.waiting.map((each) => each.words),
    ["kept", "late"],
  );
});

test("another event's entries are another queue", async () => {
  server.isReachable = false;
  await enter(await opened(ANA, "desk:e1"), result("of e1"));
  assert.deepEqual((await opened(ANA, "desk:e2")).waiting, []);
});

test("what another director entered here waits for them", async () => {
  server.isReachable = false;
  await enter(await opened(), result("Ana's"));
  server.isReachable = true;
  server.writer = "login-2";
  const entries = await opened({ ref: "login-2", name: "Björn" });
  await entries.flush();
  assert.deepEqual([entries.waiting, entries.others, words(), keptRows("queue").length], [[], 1, [], 1]);
});

test("nothing is sent where somebody else is signed in by now", async () => {
  const entries = await opened();
  server.writer = "login-2";
  await enter(entries, result("1"));
  assert.deepEqual([server.asked, entries.shown.stopped, entries.waiting.length], [0, [""], 1]);
  server.writer = ANA.ref;
  await entries.flush();
  assert.deepEqual(words(), ["1"]);
});

test("a second entry of one match, made before the first was answered, follows the state that the first made", async () => {
  const entries = await opened();
  server.isReachable = false;
  await enter(entries, result("call", 4), result("score", 4), result("other match", 4, "m2"));
  server.isReachable = true;
  await entries.flush();
  assert.deepEqual(server.taken, [
    ["call", 4],
    ["score", 5],
    ["other match", 4],
  ]);
});

test("that it follows is kept, too: also where the line breaks in between", async () => {
  const entries = await opened();
  server.isReachable = false;
  await enter(entries, result("call", 4), result("score", 4));
  server.isReachable = true;
  server.says = (entry) => (entry.words === "score" ? { status: 429, data: {} } : null);
  await entries.flush();
  assert.deepEqual(
    keptRows("queue").map(({ body }) => body.seen),
    [5],
  );
});

for (const status of [400, 404, 409, 422]) {
  test(`an entry that is answered ${status} was overtaken: it is told, and the next goes on`, async () => {
    const entries = await opened();
    server.says = ({ words: each }) =>
      each === "1" ? { status, data: { detail: "The draw was made again." } } : null;
    await enter(entries, result("1"), result("2", 1, "m2"));
    assert.deepEqual(
      [words(), entries.waiting, entries.shown.overtaken],
      [["2"], [], [["1", "The draw was made again."]]],
    );
  });
}

for (const [what, said] of Object.entries({
  "too many requests": { status: 429 },
  "the same one still at work": { status: 409, data: { code: "in_progress" } },
})) {
  test(`${what} is no answer to the entry: it waits`, async () => {
    const entries = await opened();
    server.says = () => said;
    await enter(entries, result("1"));
    assert.deepEqual([entries.waiting.length, entries.shown.overtaken], [1, []]);
    server.says = () => null;
    await entries.flush();
    assert.deepEqual(words(), ["1"]);
  });
}

test("a page that may not enter any more sends nothing else; signed out it may, signed in again", async () => {
  for (const [status, goesOn] of [
    [403, false],
    [401, true],
  ]) {
    forgetAll();
    server = newServer();
    const entries = await opened();
    server.says = () => ({ status, data: { detail: "no" } });
    await enter(entries, result("1"));
    assert.deepEqual([entries.waiting.length, entries.shown.stopped], [1, ["no"]]);
    server.says = () => null;
    await entries.flush();
    assert.deepEqual(words(), goesOn ? ["1"] : []);
  }
});

test("two that ask at once send once", async () => {
  const entries = await opened();
  await entries.keep(result("1"));
  await Promise.all([entries.flush(), entries.flush()]);
  assert.deepEqual([words(), server.asked], [["1"], 1]);
});

test("on a device that keeps nothing entries go at once all the same", async (t) => {
  t.mock.method(console, "warn", () => {});
  const entries = await opened();
  device.keeps = false;
  t.after(() => {
    device.keeps = true;
  });
  await enter(entries, result("1"), result("2", 1, "m2"));
  assert.deepEqual([words(), entries.waiting], [["1", "2"], []]);
});
