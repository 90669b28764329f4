// Entries of a scoresheet or a chouette on their way: in order, each once, never in another one's name.

import { device, forgetAll, keptRows, until } from "./browser.mjs";
import { SheetServer, URLS } from "./sheet_server.mjs";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const { Sync } = await import("../../scoring/static/scoring/sheets/sync.js");

const ANA = { ref: "login-1", name: "Ana" };
let server;
let unsent = 0;
document.addEventListener("midpoint:unsent", ({ detail }) => {
  unsent = detail.count;
});

beforeEach(() => {
  forgetAll();
  server = new SheetServer();
});

const opened = async (writer = ANA) => {
  const sync = new Sync({ match: "m1", urls: URLS, view: server.view, writer, changed() {} });
  await sync.open();
  return sync;
};
const entry = (kind, body = {}, rest = {}) => ({ kind, body, words: kind, ...rest });
const game = (winner, rest) => entry("game_result", { winner, win: 1, cube: 1, ended: "pass" }, rest);
const winners = () =>
  server.lines.filter(({ kind, undone }) => kind === "game_result" && !undone).map(({ body }) => body.winner);

/** Entered one by one without a line, as a phone in a cellar does. */
const offline = async (sync, ...entries) => {
  server.isReachable = false;
  for (const each of entries) await sync.record([each]);
  assert.equal(sync.online, false);
};
const reached = async (sync) => {
  server.isReachable = true;
  await sync.wake();
};

test("what is entered without a line goes in its order, once there is one", async () => {
  const sync = await opened();
  await offline(
    sync,
    entry("opening_roll", { white: 3, black: 1 }),
    entry("play"),
    entry("roll", { dice: [4, 2] }),
  );
  assert.equal(unsent, 3);
  await reached(sync);
  assert.deepEqual(server.kinds, ["opening_roll", "play", "roll"]);
  assert.deepEqual([sync.queue, unsent, keptRows("queue"), sync.online], [[], 0, [], true]);
  // The first was on its way when the line broke: what came later goes together, after it.
  assert.deepEqual(server.sent, [["opening_roll"], ["play", "roll"]]);
});

test("what something between answers in the server's place is no answer: the entry waits", async () => {
  const sync = await opened();
  server.stands = () =>
    new Response("<h1>Welcome to our Wi-Fi</h1>", { headers: { "Content-Type": "text/html" } });
  await sync.record([game("white")]);
  assert.deepEqual([sync.queue.length, sync.online, winners()], [1, false, []]);
  server.stands = null;
  await reached(sync);
  assert.deepEqual([sync.queue, sync.online, winners()], [[], true, ["white"]]);
});

test("a line that breaks within the answer is a lost line", async () => {
  const sync = await opened();
  server.stands = () => {
    const body = new ReadableStream({ pull: (answer) => answer.error(new TypeError("the line broke")) });
    return new Response(body, { headers: { "Content-Type": "application/json" } });
  };
  await sync.record([game("white")]);
  assert.deepEqual([sync.queue.length, sync.online], [1, false]);
  server.stands = null;
  await reached(sync);
  assert.deepEqual([sync.queue, winners()], [[], ["white"]]);
});

test("a batch whose answer got lost goes again with its keys and doubles nothing", async () => {
  const sync = await opened();
  server.losesAnswers = 1;
  await sync.record([game("white")]);
  assert.deepEqual([winners(), sync.queue.length, sync.online], [["white"], 1, false]);
  await reached(sync);
  assert.deepEqual([winners(), sync.queue.length], [["white"], 0]);
});

test("what was entered after a batch whose answer got lost goes in a batch of its own, after it", async () => {
  const sync = await opened();
  server.losesAnswers = 1;
  await sync.record([game("white")]);
  await offline(sync, game("black"));
  await reached(sync);
  assert.deepEqual(winners(), ["white", "black"]);
  assert.deepEqual(server.sent, [["game_result"], ["game_result"], ["game_result"]]);
});

test("what is entered while a request is under way is shown at once, and goes after it", async () => {
  const sync = await opened();
  const shown = [];
  sync.changed = () => shown.push(sync.queue.length);
  const answer = server.hold();
  const first = sync.record([game("white")]);
  await until(() => shown.at(-1) === 1);
  await sync.record([game("black")]); // shown, though nobody has answered
  assert.deepEqual([shown.at(-1), server.sent], [2, []]);
  answer();
  await first;
  assert.deepEqual([winners(), sync.queue, shown.at(-1)], [["white", "black"], [], 0]);
});

test("what is entered is on the page before it is kept, and sent once it is", async () => {
  const sync = await opened();
  const shown = [];
  sync.changed = () => shown.push(sync.queue.map(({ order }) => order));
  const recorded = sync.record([game("white")]);
  assert.deepEqual([shown, server.sent], [[[undefined]], []]);
  const more = sync.record([game("black"), game("white")]);
  assert.deepEqual(shown.at(-1).length, 3);
  await Promise.all([recorded, more]);
  assert.deepEqual([winners(), sync.queue], [["white", "black", "white"], []]);
});

test("twenty entries a second, each before the last one is kept, all go in their order", async () => {
  const sync = await opened();
  const entered = Array.from({ length: 60 }, (_entry, n) => (n % 3 ? "white" : "black"));
  const recorded = entered.map((winner) => sync.record([game(winner)]));
  assert.equal(sync.queue.length, 60);
  await Promise.all(recorded);
  assert.deepEqual([winners(), keptRows("queue")], [entered, []]);
  assert.ok(server.sent.length < 60); // what has been entered meanwhile goes together
});

test("between an answer and what it settles the page shows every entry once", async () => {
  const sync = await opened();
  const shown = [];
  const drop = sync.waiting.drop.bind(sync.waiting);
  sync.waiting.drop = (rows) => {
    const dropped = drop(rows);
    queueMicrotask(() => shown.push(sync.view.lines.length + sync.queue.length));
    return dropped;
  };
  await sync.record([game("white")]);
  await sync.record([game("black")]);
  assert.deepEqual(shown, [1, 2]);
});

test("a whole match that was entered without a line goes in requests of at most 200 entries", async () => {
  const sync = await opened();
  server.isReachable = false;
  await sync.record(Array.from({ length: 450 }, () => game("white")));
  await reached(sync);
  assert.deepEqual([server.sent.map((kinds) => kinds.length), sync.queue], [[200, 200, 50], []]);
});

test("what is entered while the device is still being read comes after what it kept", async () => {
  await offline(await opened(), game("white"));
  server.isReachable = true;
  const sync = new Sync({ match: "m1", urls: URLS, view: server.view, writer: ANA, changed() {} });
  const opening = sync.open();
  await Promise.all([opening, sync.record([game("black")])]);
  await until(() => !sync.queue.length);
  assert.deepEqual(winners(), ["white", "black"]);
});

test("a try without a line redraws nothing under the finger that is on the page", async () => {
  const sync = await opened();
  await offline(sync, game("white"));
  let drawn = 0;
  sync.changed = () => (drawn += 1);
  await sync.wake();
  assert.equal(drawn, 0);
  await offline(sync, game("black"));
  assert.equal(drawn, 1); // what is entered is shown
  await reached(sync);
  assert.deepEqual([winners(), sync.queue], [["white", "black"], []]);
});

test("the last entry is let go of while another is on its way", async () => {
  const sync = await opened();
  const answer = server.hold();
  const first = sync.record([game("white")]);
  await until(() => sync.onItsWay.length === 1);
  await sync.record([game("black")]);
  await sync.dropLast();
  answer();
  await first;
  assert.deepEqual([winners(), keptRows("queue")], [["white"], []]);
});

for (const follows of [false, true]) {
  test(`what is on its way is undone once it has arrived${follows ? ", unless something follows it" : ""}`, async () => {
    const sync = await opened();
    const answer = server.hold();
    const first = sync.record([game("white")]);
    await until(() => sync.onItsWay.length === 1);
    const undone = sync.dropLast();
    if (follows) await sync.keep([game("black")]);
    answer();
    await Promise.all([first, undone]);
    assert.deepEqual([winners(), sync.queue], [follows ? ["white", "black"] : [], []]);
  });
}

test("a server that fails counts as none: the entry waits", async () => {
  const sync = await opened();
  server.forbids = [503, {}];
  await sync.record([game("white")]);
  assert.deepEqual([sync.online, sync.queue.length, sync.isStopped], [false, 1, false]);
  server.forbids = null;
  await sync.wake();
  assert.deepEqual(winners(), ["white"]);
});

test("after a reload what waits is there with the same keys, in the same order", async () => {
  const first = await opened();
  await offline(first, entry("opening_roll", { white: 3, black: 1 }), entry("play"));
  const second = await opened();
  assert.deepEqual(
    second.queue.map(({ key }) => key),
    first.queue.map(({ key }) => key),
  );
  await reached(second);
  assert.deepEqual(server.kinds, ["opening_roll", "play"]);
});

test("what another window of this device has sent meanwhile is not sent again", async () => {
  const [one, other] = [await opened(), await opened()];
  await offline(one, game("white"));
  const same = await opened();
  await reached(one);
  const before = server.sent.length;
  await same.flush();
  await other.flush();
  assert.deepEqual([winners(), server.sent.length, same.queue], [["white"], before, []]);
});

test("a sheet as it was seen last is there without a line, but never instead of a newer one", async () => {
  const sync = await opened();
  await sync.record([game("white")]);
  await until(() => keptRows("views")[0]?.view.seq === 1);
  const old = { ...server.view, seq: 0, version: 0, lines: [] };
  server.isReachable = false;
  const reloaded = new Sync({ match: "m1", urls: URLS, view: old, writer: ANA, changed() {} });
  await reloaded.open();
  assert.equal(reloaded.view.seq, 1);
  reloaded.take(old);
  assert.equal(reloaded.view.seq, 1);
});

test("what somebody else entered on this device waits for them and is never sent in this one's name", async () => {
  await offline(await opened(), game("white"));
  server.writer = "login-2";
  const bjorn = await opened({ ref: "login-2", name: "Björn" });
  await reached(bjorn);
  assert.deepEqual([winners(), bjorn.queue, unsent], [[], [], 1]);
  assert.deepEqual(
    bjorn.kept().map(({ writer, rows }) => [writer.name, rows.length]),
    [["Ana", 1]],
  );
  await bjorn.record([game("black")]);
  assert.deepEqual(winners(), ["black"]);
  assert.equal(keptRows("queue").length, 1);
});

test("entries of a code that has no person are taken over by whoever asks, in their place in the order", async () => {
  const code = { ref: "code-7", name: "White's phone" };
  server.writer = code.ref;
  await offline(await opened(code), game("white"));
  server.writer = ANA.ref;
  const ana = await opened();
  await offline(ana, game("black"));
  const [{ rows }] = ana.kept();
  await ana.adopt(rows);
  assert.deepEqual(
    ana.queue.map(({ body }) => body.winner),
    ["white", "black"],
  );
  await reached(ana);
  assert.deepEqual([winners(), ana.kept()], [["white", "black"], []]);
});

test("a device that is signed in as somebody else by now sends nothing", async () => {
  const sync = await opened();
  await offline(sync, game("white"));
  server.writer = "login-2";
  server.forbids = [403, { code: "other_writer" }];
  await reached(sync);
  assert.deepEqual([sync.stranger, sync.isStopped, sync.queue.length], [true, true, 1]);
  const seq = sync.view.seq;
  await sync.refresh();
  assert.equal(sync.view.seq, seq);
});

for (const status of [401, 403, 404]) {
  test(`who may not write any more (${status}) keeps the entries; signed in again they go`, async () => {
    const sync = await opened();
    await offline(sync, game("white"));
    server.forbids = [status, { code: "not_signed_in", detail: "Sign-in required" }];
    await reached(sync);
    assert.deepEqual([sync.blocked, sync.queue.length], ["You may not enter here.", 1]);
    server.forbids = null;
    await sync.wake(); // it asks, and learns that it may
    await sync.wake();
    assert.deepEqual([sync.blocked, winners()], ["", ["white"]]);
  });
}

test("every request says as whom it was entered", async () => {
  const sync = await opened();
  await sync.record([game("white")]);
  await sync.undo();
  await sync.send(URLS.claims, {}, "DELETE");
  assert.deepEqual(server.named, [ANA.ref, ANA.ref, ANA.ref]);
});

// Two at once ---------------------------------------------------------------------------------------------------------

test("what both entered alike is settled without a question", async () => {
  const sync = await opened();
  await offline(sync, entry("roll", { dice: [4, 2] }), game("white"));
  server.enter("roll", { dice: [2, 4] }); // the order of two dice is no difference
  server.enter("game_result", { ended: "pass", cube: 1, win: 1, winner: "white" });
  await reached(sync);
  assert.deepEqual([server.lines.length, sync.queue, sync.conflict], [2, [], null]);
  assert.equal(sync.notice.name, "same_entered");
});

test("the rest of what was alike at first goes on after it", async () => {
  const sync = await opened();
  await offline(sync, game("white"), game("black"));
  server.enter("game_result", { winner: "white", win: 1, cube: 1, ended: "pass" });
  await reached(sync);
  assert.deepEqual([winners(), sync.conflict], [["white", "black"], null]);
});

const differing = async () => {
  const sync = await opened();
  await offline(sync, game("white"), game("black"), game("black"));
  for (const winner of ["white", "white"])
    server.enter("game_result", { winner, win: 1, cube: 1, ended: "pass" });
  await reached(sync);
  return sync;
};

test("the question begins with the first that differs, and is the same after a reload", async () => {
  for (const sync of [await differing(), await opened()]) {
    assert.deepEqual(
      sync.conflict.theirs.map(({ seq }) => seq),
      [2],
    );
    assert.deepEqual(
      sync.conflict.mine.map(({ body }) => body.winner),
      ["black", "black"],
    );
    await sync.record([game("white")]); // nothing is sent before people have decided
    await sync.drop(sync.queue.slice(-1));
    assert.deepEqual(winners(), ["white", "white"]);
  }
});

for (const [choice, expected] of Object.entries({
  theirs: ["white", "white"],
  mine: ["white", "black", "black"],
  both: ["white", "white", "black", "black"],
})) {
  test(`of two at once people take ${choice}`, async () => {
    const sync = await differing();
    await sync.settle(choice);
    assert.deepEqual([winners(), sync.queue, sync.conflict], [expected, [], null]);
  });
}

const rolls = (...dice) => {
  for (const roll of dice) server.enter("roll", { dice: roll });
};

test("of two at once the page adds the lines that it lacks to those that it has", async () => {
  server.enter("opening_roll", { white: 3, black: 1 });
  const sync = await opened();
  await offline(sync, game("white"));
  rolls([4, 2], [6, 5]);
  const before = server.asked;
  await reached(sync);
  assert.deepEqual([sync.view.lines, sync.view.seq, sync.view.version], [server.lines, 3, 3]);
  assert.deepEqual(
    sync.conflict.theirs.map(({ seq }) => seq),
    [2, 3],
  );
  assert.equal(server.asked, before); // the whole sheet was not needed
});

test("lines that the page has by now are not added twice when a batch from before goes again", async () => {
  const sync = await opened();
  await offline(sync, game("white"), game("black"));
  rolls([4, 2]);
  server.isReachable = true;
  const before = server.asked;
  const again = await opened(); // the page is loaded again, and shows what the batch does not follow
  assert.deepEqual([again.view.lines, server.asked], [server.lines, before]);
  assert.deepEqual(
    again.conflict.theirs.map(({ seq }) => seq),
    [1],
  );
});

test("a page that shows another version than the answer follows asks for the whole sheet", async () => {
  const sync = await opened();
  await offline(sync, game("white"));
  rolls([4, 2]);
  server.behindBy = -1;
  const before = server.asked;
  await reached(sync);
  assert.deepEqual([sync.view.lines, server.asked - before], [server.lines, 1]);
});

test("what others entered and took back again, and a seat for a phone, are no difference", async () => {
  const sync = await opened();
  await offline(sync, game("white"));
  server.enter("seat");
  server.enter("game_result", { winner: "black", win: 1, cube: 1, ended: "pass" });
  server.takeBack();
  await reached(sync);
  assert.deepEqual([winners(), sync.conflict], [["white"], null]);
});

test("that others took back what stood there before is asked, whatever else is alike", async () => {
  server.enter("game_result", { winner: "black", win: 1, cube: 1, ended: "pass" });
  const sync = await opened();
  await offline(sync, game("white"));
  server.takeBack();
  await reached(sync);
  assert.deepEqual(
    sync.conflict.shown.map(({ words }) => words),
    ["Undone: their game_result"],
  );
  assert.deepEqual([winners(), sync.queue.length, sync.conflict.theirs], [[], 1, []]);
});

// What does not fit ---------------------------------------------------------------------------------------------------

test("an entry that was refused while there was a line is dropped, and said why", async () => {
  const sync = await opened();
  server.refuses = () => "The match is over.";
  await sync.record([game("white")]);
  assert.deepEqual(
    [sync.queue, sync.refused, sync.notice],
    [[], null, { level: "error", words: "The match is over." }],
  );
});

test("one that waited for the line is kept when it is refused, until somebody has looked at it", async () => {
  const sync = await opened();
  await offline(sync, game("white"));
  server.refuses = () => "The match is over.";
  const asked = ({ refused, queue, notice }) => [refused.detail, queue.length, notice];
  await reached(sync);
  assert.deepEqual(asked(sync), ["The match is over.", 1, null]);
  const reloaded = await opened();
  assert.deepEqual(asked(reloaded), ["The match is over.", 1, null]);
  await reloaded.forget({ all: false });
  assert.deepEqual([reloaded.queue, reloaded.refused, keptRows("queue")], [[], null, []]);
});

const misfit = async () => {
  const sync = await opened();
  server.isReachable = false; // all three go in one batch
  await sync.record(
    ["opening_roll", "play", "roll"].map((kind) => entry(kind, { dice: [1, 2] }, { unchecked: true })),
  );
  server.refuses = ({ kind }) => kind === "play" && "No such play.";
  await reached(sync);
  return sync;
};

test("what comes before a misfit goes, what comes after it waits, and a reload asks again", async () => {
  for (const sync of [await misfit(), await opened()]) {
    assert.deepEqual(server.kinds, ["opening_roll"]);
    assert.deepEqual(
      [sync.refused.row.kind, sync.refused.detail, sync.queue.length],
      ["play", "No such play.", 2],
    );
  }
});

test("a corrected misfit goes in its place, with a key of its own", async () => {
  const sync = await misfit();
  const { key } = sync.refused.row;
  server.refuses = () => null;
  await sync.replaceRefused({ kind: "play", body: { moves: [[8, 5]] } });
  assert.deepEqual(server.kinds, ["opening_roll", "play", "roll"]);
  assert.ok(!server.known.has(key));
});

for (const [all, expected] of /** @type {const} */ ([
  [false, ["opening_roll", "roll"]],
  [true, ["opening_roll"]],
])) {
  test(`a misfit is let go of, ${all ? "with all that follow" : "alone"}`, async () => {
    const sync = await misfit();
    await sync.forget({ all });
    assert.deepEqual([server.kinds, sync.queue, sync.refused], [expected, [], null]);
  });
}

// Everything else -----------------------------------------------------------------------------------------------------

test("an undo on top of what others entered meanwhile does nothing and says what they entered", async () => {
  server.enter("roll");
  const sync = await opened();
  server.enter("play");
  assert.equal(await sync.undo(), null);
  assert.deepEqual(
    [server.kinds, sync.notice],
    [["roll", "play"], { name: "changed_meanwhile", values: { what: "their play" } }],
  );
  assert.ok(await sync.undo());
  assert.deepEqual(server.kinds, ["roll"]);
});

test("an undo that is tapped again before it is answered takes back one entry, and blames nobody else", async () => {
  server.enter("roll");
  server.enter("play");
  const sync = await opened();
  await Promise.all([sync.undo(), sync.undo()]);
  assert.deepEqual([server.kinds, sync.notice], [["roll"], null]);
});

test("what needs the line says so without one", async () => {
  const sync = await opened();
  server.isReachable = false;
  assert.equal(await sync.undo(), null);
  assert.equal(sync.notice.name, "needs_line");
});

test("on a device that keeps nothing entries go at once all the same", async (t) => {
  const warned = t.mock.method(console, "warn", () => {});
  device.keeps = false;
  t.after(() => {
    device.keeps = true;
  });
  const sync = await opened();
  await sync.record([game("white")]);
  assert.deepEqual([winners(), sync.queue], [["white"], []]);
  assert.ok(warned.mock.callCount() > 0);
});

test("where the storage fails later, the page knows what is not kept, and all is sent once", async (t) => {
  t.mock.method(console, "warn", () => {});
  const sync = await opened();
  await offline(sync, game("white"));
  device.keeps = false;
  t.after(() => {
    device.keeps = true;
  });
  await offline(sync, game("black"));
  assert.deepEqual(
    sync.waiting.unkept.map(({ body }) => body.winner),
    ["black"],
  );
  await reached(sync);
  assert.deepEqual([winners(), sync.queue], [["white", "black"], []]);
  // What the full device still has goes again with its key, and is there already.
  device.keeps = true;
  await opened();
  assert.deepEqual([winners(), keptRows("queue")], [["white", "black"], []]);
});

test("storage that the browser has closed while the page slept is opened again", async () => {
  const sync = await opened();
  device.isClosed = true;
  await offline(sync, game("white"));
  assert.equal(keptRows("queue").length, 1);
});

test("who may not record here any more is told at once, and what waits is kept", async () => {
  const sync = await opened();
  const problem = (status, type) => () =>
    new Response('{"code": "not_found"}', { status, headers: { "Content-Type": type } });
  server.stands = problem(403, "text/html"); // a network that asks for a sign-in of its own
  await sync.refresh();
  assert.equal(sync.blocked, "");
  await offline(sync, game("white"));
  server.stands = problem(404, "application/problem+json");
  await reached(sync);
  assert.deepEqual([sync.isStopped, sync.queue.length, keptRows("queue").length], [true, 1, 1]);
  server.stands = null;
  await sync.refresh();
  await sync.wake();
  assert.deepEqual([sync.blocked, sync.queue, winners()], ["", [], ["white"]]);
  server.stands = problem(404, "application/problem+json");
  await sync.refresh();
  assert.deepEqual([Boolean(sync.blocked), sync.isStopped, sync.view.seq], [true, true, server.view.seq]);
});

test("a refusal goes when it is closed, told elsewhere, or read and followed by an event; a lost line when it is back", async (t) => {
  t.mock.timers.enable({ apis: ["Date"] });
  const sync = await opened();
  const others = () =>
    server.lines.push({ seq: server.lines.length + 1, kind: "roll", words: "roll", undone: false });
  server.refuses = ({ kind }) => (kind === "pass" ? "there is no double to answer" : null);
  const refused = async () => {
    await sync.record([entry("pass")]);
    assert.equal(sync.notice?.words, "there is no double to answer");
  };
  await refused();
  t.mock.timers.tick(10_000);
  await sync.refresh();
  assert.ok(sync.notice); // nothing has happened since
  others();
  await sync.refresh();
  assert.equal(sync.notice, null);
  await refused();
  others();
  await sync.refresh();
  assert.ok(sync.notice); // nobody can have read it yet
  await refused();
  assert.equal(sync.takeNotice(), "there is no double to answer");
  await refused();
  sync.dismiss();
  assert.equal(sync.notice, null);
  server.isReachable = false;
  await sync.undo();
  assert.equal(sync.notice?.name, "needs_line");
  await reached(sync);
  assert.equal(sync.notice, null);
});
