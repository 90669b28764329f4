// A scoresheet without its page: what may be entered, what a tap records, and what is shown and said of it.

import { device, forgetAll, keptRows, until } from "./browser.mjs";
import { SheetServer, URLS } from "./sheet_server.mjs";
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";

const SHEETS = "../../scoring/static/scoring/sheets";
const { boardSeen } = await import(`${SHEETS}/board_state.js`);
const { ClockTouches } = await import(`${SHEETS}/clock_touches.js`);
const { DoubleTaps } = await import(`${SHEETS}/double_taps.js`);
const { playEntry, rollEntry } = await import(`${SHEETS}/entries.js`);
const { whyNot } = await import("../../scoring/static/scoring/rules/refusals.js");
const { wrongScore } = await import(`${SHEETS}/forms.js`);
const { Notices } = await import(`${SHEETS}/notices.js`);
const { cubeWords, placeName, positionWords } = await import(`${SHEETS}/position_words.js`);
const { resultState, resultWords } = await import(`${SHEETS}/result.js`);
const { statusWords } = await import(`${SHEETS}/score.js`);
const { playsOf, projected } = await import(`${SHEETS}/projection.js`);
const { Sheet } = await import(`${SHEETS}/sheet.js`);
const { prefsIn } = await import(`${SHEETS}/prefs.js`);
const { queued, unsentSheets } = await import(`${SHEETS}/store.js`);
const { Sync } = await import(`${SHEETS}/sync.js`);
const { lastEntered } = await import(`${SHEETS}/taking_back.js`);
const { boardTaps, dockTaps } = await import(`${SHEETS}/taps.js`);
const { basisOf, Turn } = await import(`${SHEETS}/turn.js`);
const { unsentWords } = await import(`${SHEETS}/unsent.js`);

const counts = (places) => Array.from({ length: 26 }, (_each, slot) => places[slot] ?? 0);
const START = counts({ 24: 2, 13: 5, 8: 3, 6: 5 });
const STARTING = { white: START, black: START };
const CUBE = { value: 1, owner: null, offered: null, in_use: true, turned: false };
const OPTIONS = {
  cube: true,
  crawford: true,
  max_cube: null,
  holland: false,
  forbid_dead_cube: false,
  jacoby: false,
  beavers: false,
  raccoons: false,
  automatic_doubles: 0,
};
const ACTIONS = ["opening_roll", "roll", "play", "double", "game_result"].map((kind) => ({
  kind,
  by: null,
  levels: [],
}));
const SEQUENCES = [
  [
    [8, 5],
    [6, 5],
  ],
];

/**
 * @param {{ game?: object, [more: string]: any }} given
 * @returns {any}
 */
const view = ({ game = {}, ...rest } = {}) => ({
  length: 5,
  status: "playing",
  crawford: "before",
  sign: "",
  flags: [],
  games: [],
  timeline: [[0, 0]],
  ending: null,
  plays: null,
  result: null,
  options: OPTIONS,
  actions: ACTIONS,
  refusals: {},
  white: { name: "Ana", points: 0, raw: 0, away: 5 },
  black: { name: "Björn", points: 0, raw: 0, away: 5 },
  game: {
    number: 1,
    phase: "opening",
    on_roll: null,
    to_act: null,
    roll: null,
    xgid: "",
    position: structuredClone(STARTING),
    cube: CUBE,
    automatic_doubles: 0,
    rolls: { white: 0, black: 0 },
    pips: { white: 167, black: 167 },
    resign_offered: null,
    ...game,
  },
  ...rest,
});
const moving = (rest = {}) =>
  view({
    game: { phase: "moving", on_roll: "white", to_act: "white", roll: [3, 1] },
    plays: { sequences: SEQUENCES, forced: false },
    ...rest,
  });

let server;
const syncs = [];
beforeEach(() => {
  forgetAll();
  server = new SheetServer();
});
// What a test has entered is written down, or has been tried to be sent, before the next one begins.
afterEach(() => until(() => syncs.every(({ sending }) => !sending)));

/** A sheet without a line: what is entered waits, and is read from the queue. */
const opened = async (given, config = {}) => {
  server.isReachable = false;
  const sync = new Sync({
    match: "m1",
    urls: URLS,
    view: { ...server.view, ...given },
    writer: { ref: "login-1", name: "Ana" },
    changed() {},
  });
  syncs.push(sync);
  await sync.open();
  const turn = new Turn();
  const sheet = new Sheet({
    config: { match: "m1", starting: STARTING, ...config },
    sync,
    render() {
      sheet.compare();
      const shown = sheet.shown();
      turn.follow(shown, basisOf(shown));
    },
  });
  sheet.render();
  const does = dockTaps({ sheet, turn, resign() {} });
  const touched = boardTaps({ sheet, turn, done: does.done });
  return { sync, sheet, turn, does, touched };
};
const waits = ({ queue }) => queue.map(({ kind, body, words }) => [kind, body, words]);

// What may be entered -------------------------------------------------------------------------------------------------

test("the second of two quick taps in one place is told, and so is an entry that one button makes twice", () => {
  const taps = new DoubleTaps();
  const told = [
    [100, 1],
    [110, 1],
    [200, 1],
    [205, 0],
    [210, 1],
    [215, 1, "mouse"],
    [300, 2, "mouse"],
  ].map(([clientX, detail, pointerType = "touch"]) =>
    taps.isSecond(/** @type {any} */ ({ clientX, clientY: 50, detail, pointerType })),
  );
  assert.deepEqual(told, [false, true, false, false, true, false, true]);
  const twice = (kind, body) => [taps.isRepeated(kind, body), taps.isRepeated(kind, body)];
  assert.deepEqual(
    [twice("take", {}), twice("roll", { dice: [3, 1] })],
    [
      [false, true],
      [false, false],
    ],
  );
});

test("who watches, or whom the server does not let write, enters nothing", async () => {
  for (const [given, config] of [
    [view(), { watch: true }],
    [view({ may_write: false }), {}],
  ]) {
    const { sheet, sync } = await opened(given, config);
    assert.equal(sheet.mayWrite, false);
    assert.equal(sheet.record("opening_roll", { white: 3, black: 1 }), undefined);
    assert.deepEqual(sync.queue, []);
  }
});

test("on a suspended sheet one may write, and moves nothing", async () => {
  const { sheet } = await opened(moving({ status: "suspended" }));
  assert.deepEqual([sheet.mayWrite, sheet.mayTouch], [true, false]);
});

test("the side below is the reader's own, and White where the reader plays neither", async () => {
  const sides = [];
  for (const side of ["black", ""]) sides.push((await opened(view(), { side })).sheet.below);
  assert.deepEqual(sides, ["black", "white"]);
});

test("entries that go together are worded each as the sheet was before it", async () => {
  const { sheet, sync } = await opened(moving());
  await sheet.record("play", { moves: SEQUENCES[0] }, [{ kind: "roll", body: { dice: [6, 5] } }]);
  assert.deepEqual(waits(sync), [
    ["play", { moves: SEQUENCES[0] }, "Ana played 8/5 6/5"],
    ["roll", { dice: [6, 5] }, "Björn rolled 6-5"],
  ]);
  assert.equal(sheet.isKnown, false);
});

const RACE = Array.from({ length: 26 }, (_none, slot) => (slot === 6 ? 15 : 0));

test("a position that is none is refused on the page, in words", async () => {
  const gone = Array.from({ length: 26 }, (_none, slot) => (slot === 19 ? 15 : 0));
  for (const [own, opponent, name] of /** @type {[number[], number[], string][]} */ ([
    [RACE, RACE.map((count) => 3 * count), "refused_checkers"],
    [RACE, gone, "refused_shared_point"],
  ])) {
    const entry = {
      kind: "set_position",
      body: { position: { own, opponent, irregular: true }, reason: "x" },
    };
    assert.equal(whyNot(moving(), entry, STARTING)?.name, name);
  }
});

test("without a line a penalty and a corrected length count at once, and what follows them is checked", async () => {
  const actions = ["penalty", "set_length"].map((kind) => ({ kind, by: null, levels: [] }));
  const { sheet } = await opened(view({ actions }));
  await sheet.record("penalty", { to: "black", points: 4, reason: "late" });
  const { black, crawford } = sheet.shown();
  assert.deepEqual([black.raw, black.penalty_points, crawford], [4, 4, "now"]);
  await sheet.record("set_length", { length: 7, reason: " " });
  assert.equal(sheet.aside, "a new length needs a reason");
  await sheet.record("set_length", { length: 3, reason: "mistyped" });
  assert.deepEqual([sheet.shown().status, sheet.shown().ending], ["over", "played"]);
  await sheet.record("penalty", { to: "black", points: 1, reason: "late" });
  assert.equal(sheet.aside, "the match is over");
  await sheet.record("set_length", { length: 9, reason: "mistyped" });
  const reopened = sheet.shown();
  assert.deepEqual([reopened.status, reopened.crawford, reopened.black.away], ["playing", "before", 5]);

  const only = "only directors can enter this";
  const ended = view({
    status: "over",
    ending: "played",
    length: 1,
    timeline: [
      [0, 0],
      [1, 0],
    ],
    actions: actions.slice(1),
    refusals: { penalty: only },
  });
  const player = await opened(ended);
  await player.sheet.record("set_length", { length: 3, reason: "mistyped" });
  await player.sheet.record("penalty", { to: "white", points: 1, reason: "late" });
  assert.deepEqual([player.sheet.shown().status, player.sheet.aside], ["playing", only]);
});

test("where the server told other plays than the page finds, the page says so with its next entry", async () => {
  const { sequences } = playsOf(moving().game);
  const alike = await opened(moving({ plays: { sequences, forced: false } }));
  assert.equal(alike.sync.differs, "");
  const { sync, sheet } = await opened(moving());
  const { on_roll, roll, position } = moving().game;
  assert.deepEqual(JSON.parse(sync.differs), { on_roll, roll, position });
  server.isReachable = true;
  await sheet.record("play", { moves: SEQUENCES[0] });
  assert.deepEqual([server.told.length, sync.differs], [1, ""]);
});

// What a tap does -----------------------------------------------------------------------------------------------------

test("two dice are a roll, before a game one of each side", () => {
  assert.deepEqual(rollEntry(3, 1, "opening"), { kind: "opening_roll", body: { white: 3, black: 1 } });
  assert.deepEqual(rollEntry(3, 1, "turn"), { kind: "roll", body: { dice: [3, 1] } });
});

test("the second die records the roll; taking back before it forgets the first", async () => {
  const { does, turn, sync } = await opened(view());
  does.die(3);
  assert.deepEqual([turn.die, sync.queue], [3, []]);
  await does.takeBack();
  assert.equal(turn.die, null);
  does.die(3);
  does.die(1);
  await until(() => sync.queue.length);
  assert.deepEqual(waits(sync)[0].slice(0, 2), ["opening_roll", { white: 3, black: 1 }]);
});

test("both dice with one tap are a roll; after a whole play, the play and the next roll", async () => {
  const { does, sync } = await opened(view({ game: { phase: "turn", on_roll: "white", to_act: "white" } }));
  does.roll(6, 5);
  assert.deepEqual(waits(sync)[0].slice(0, 2), ["roll", { dice: [6, 5] }]);
  forgetAll();
  const after = await opened(moving());
  after.does.roll(6, 5);
  assert.deepEqual(after.sync.queue, []); // the play is not whole
  for (const point of [8, 6]) after.touched.tap(point);
  after.does.roll(6, 5);
  await until(() => after.sync.queue.length);
  assert.deepEqual(
    waits(after.sync).map(([kind, body]) => [kind, body]),
    [
      ["play", { moves: SEQUENCES[0] }],
      ["roll", { dice: [6, 5] }],
    ],
  );
});

test("done before everything is moved says so and records nothing", async () => {
  const { does, sheet, sync } = await opened(moving());
  does.done();
  const why = "no checker was moved, but 2 dice of the roll 31 can be played";
  assert.deepEqual([sheet.aside, sync.queue], [why, []]);
});

test("a tap where nothing moves says so; the next one that moves takes that away", async () => {
  const { sheet, touched, turn } = await opened(moving());
  touched.tap(24);
  assert.equal(sheet.aside, "Nothing moves there");
  touched.tap(8);
  assert.deepEqual([sheet.aside, turn.moves], [null, [[8, 5]]]);
});

test("a checker that is dragged where it cannot go is told from where to where", async () => {
  const { sheet, touched, turn } = await opened(moving());
  touched.drop(24, 0);
  assert.deepEqual([sheet.aside, turn.moves], ["24/off cannot be made with 3 and 1", []]);
});

test("a turn goes on from what is on its way: a quick 1-1 stays 1-1, and what was moved stays moved", async () => {
  const { sync, sheet, turn, touched, does } = await opened(moving());
  server.isReachable = true;
  server.whole = (told) => projected(moving(told), server.lines, STARTING);
  sync.changed = () => sheet.render();
  await sync.wake();
  const answer = server.hold();
  for (const point of [8, 6]) touched.tap(point);
  for (const value of [1, 1, 1]) does.die(value); // the third is one of the next roll, and nothing to tap now
  await until(() => sync.onItsWay.length);
  assert.deepEqual([turn.isMoving, turn.dice, turn.mover], [true, [1, 1], "black"]);
  for (const point of [24, 24]) touched.tap(point);
  answer();
  await until(() => !sync.queue.length && !sync.sending);
  const moves = [
    [24, 23],
    [24, 23],
  ];
  assert.deepEqual([turn.dice, turn.moves], [[1, 1], moves]);
  for (const point of [6, 6]) touched.tap(point);
  does.done();
  await until(() => !sync.queue.length && !sync.sending);
  assert.deepEqual(server.kinds, ["play", "roll", "play"]);
  assert.deepEqual(server.lines[1].body, { dice: [1, 1] });
});

test("a button that is tapped twice enters once; the same dice and games can follow one another", async () => {
  const { sheet, sync } = await opened(view({ game: { phase: "turn", on_roll: "white", to_act: "white" } }));
  for (const _tap of [1, 2]) sheet.record("double", {});
  assert.equal(sync.queue.length, 1);
  for (const _tap of [1, 2]) sheet.record("game_result", { winner: "black", win: 1, cube: 2, ended: "pass" });
  assert.equal(sync.queue.length, 1); // a pass pays the cube before the double, to the doubler
  assert.match(sheet.aside, /^after a pass Ana wins with the cube at 1/);
  sheet.record("pass", {});
  for (const _tap of [1, 2]) sheet.record("game_result", { winner: "black", win: 1, cube: 1, ended: "pass" });
  assert.equal(sync.queue.length, 4);
});

test("the dice on the board are swapped, and picked up once the play is whole", async () => {
  const { sync, touched, turn } = await opened(moving());
  touched.dice();
  assert.equal(turn.swapped, true);
  for (const point of [8, 6]) touched.tap(point);
  assert.equal(turn.isComplete, true);
  touched.dice();
  await until(() => sync.queue.length);
  assert.deepEqual(waits(sync)[0].slice(0, 2), ["play", { moves: SEQUENCES[0] }]);
});

test("a cube that cannot be turned says why", async () => {
  const { sheet, touched } = await opened(view({ actions: [], refusals: { double: "Crawford game" } }));
  touched.cube();
  assert.equal(sheet.aside, "Crawford game");
  sheet.sync.view.refusals = {};
  touched.cube();
  assert.equal(sheet.aside, "No double now");
});

test("an illegal play is recorded as it stood, with who let it stand", () => {
  const turn = new Turn().follow(moving(), "1");
  assert.deepEqual(playEntry(turn), { kind: "play", body: {} });
  Object.assign(turn, { mode: "illegal", status: "illegal_accepted", noticed: true, moves: [[24, 21]] });
  const { body } = playEntry(turn);
  assert.deepEqual([body.status, body.accepted_by, body.result.own[21]], ["illegal_accepted", "black", 1]);
  assert.equal("irregular" in body.result, false);
  const short = { white: START.with(6, 4), black: START };
  turn.follow(moving({ game: { ...moving().game, position: short } }), "2");
  Object.assign(turn, { mode: "illegal", status: "illegal_accepted", moves: [[24, 21]] });
  assert.equal(playEntry(turn).body.result.irregular, true);
  turn.status = "illegal_corrected";
  assert.equal("accepted_by" in playEntry(turn).body, false);
});

test("touches of the clock are shown at once and wait for the line, with their age and in their order", async () => {
  const { sync } = await opened(view());
  const touches = new ClockTouches(sync);
  const now = new Date().toISOString();
  const clock = {
    white_ms: 9000,
    black_ms: 9000,
    delay_ms: 5000,
    running: "",
    since: null,
    now,
    seen: Date.now(),
  };
  await touches.touch("start", "white");
  await touches.touch("press", "white");
  assert.equal(touches.ahead(clock)?.running, "black");
  assert.equal(touches.ahead(null), null);
  assert.equal(sync.online, false);
  server.isReachable = true;
  await touches.flush();
  assert.deepEqual(
    server.touches.map(({ action, side }) => [action, side]),
    [
      ["start", "white"],
      ["press", "white"],
    ],
  );
  assert.ok(server.touches.every(({ ago_ms: ago }) => ago >= 0 && ago < 60_000));
  assert.deepEqual([touches.waiting, sync.online], [[], true]);
  server.forbids = [422, { detail: "the match is suspended" }];
  await touches.touch("pause");
  assert.deepEqual([touches.waiting, sync.notice?.words], [[], "the match is suspended"]);
});

test("touches of the clock outlive the page, for whoever made them", async () => {
  const { sync } = await opened(view());
  const before = new ClockTouches(sync);
  await before.touch("start", "white");
  await before.touch("press", "white");
  assert.equal(keptRows("queue").length, 2);

  const theirs = (await opened(view())).sync;
  theirs.writer = { ref: "login-2", name: "Björn" };
  const others = new ClockTouches(theirs);
  await others.open();
  assert.deepEqual(others.waiting, []);

  const again = new ClockTouches((await opened(view())).sync);
  await again.touch("press", "black"); // before the kept ones are read
  await again.open();
  assert.deepEqual(
    again.waiting.map(({ action, side }) => [action, side]),
    [
      ["start", "white"],
      ["press", "white"],
      ["press", "black"],
    ],
  );
  assert.deepEqual(
    again.waiting.slice(0, 2).map(({ at }) => at),
    before.waiting.map(({ at }) => at),
  );
  assert.deepEqual(await queued("m1"), []); // they are no entries of the sheet
  assert.equal((await unsentSheets())[0].count, 3);
  server.isReachable = true;
  await again.flush();
  assert.deepEqual(
    server.touches.map(({ side }) => side),
    ["white", "white", "black"],
  );
  assert.deepEqual(keptRows("queue"), []);
});

test("touches of the clock wait while somebody else is signed in, and are sent where nothing is kept", async () => {
  const { sync } = await opened(view());
  server.isReachable = true;
  const touches = new ClockTouches(sync);
  server.forbids = [403, { code: "other_writer" }];
  await touches.touch("start", "white");
  await touches.flush();
  assert.deepEqual([sync.stranger, touches.waiting.length, keptRows("queue").length], [true, 1, 1]);

  server.forbids = null;
  forgetAll();
  device.keeps = false;
  const shut = new ClockTouches((await opened(view())).sync);
  server.isReachable = true;
  await shut.open();
  await shut.touch("start", "white");
  assert.deepEqual([server.touches.length, shut.waiting], [1, []]);
  device.keeps = true;
});

test("a message that is told twice appears once, and one that is there already is left as it is", () => {
  const told = (textContent) => /** @type {any} */ ({ textContent });
  const host = {
    children: [],
    drawn: 0,
    replaceChildren(...parts) {
      Object.assign(this, { children: parts, drawn: this.drawn + 1 });
    },
  };
  const notices = new Notices(/** @type {any} */ (host));
  const once = told("This entry was refused.");
  notices.draw([once, told("Your line is gone."), told("This entry was refused.")]);
  assert.deepEqual(
    host.children.map(({ textContent }) => textContent),
    ["This entry was refused.", "Your line is gone."],
  );
  notices.draw([told("This entry was refused."), told("Your line is gone.")]);
  assert.deepEqual([host.children[0], host.drawn], [once, 1]);
});

// What is shown and said ----------------------------------------------------------------------------------------------

const LOOKS = { layout: null, bottom: "white", home: "right" };

test("the board shows the turn as it is entered, and which dice are used", () => {
  const turn = new Turn().follow(moving(), "1");
  turn.tap(8);
  const seen = boardSeen({ view: moving(), turn, mine: true }, LOOKS);
  assert.equal(seen.position.white[5], 1);
  assert.deepEqual(seen.dice, [
    { value: 3, used: true },
    { value: 1, used: false },
  ]);
  assert.deepEqual([seen.turn, [...seen.can], seen.labels.dice], ["white", [6], "Swap 3-1"]);
  assert.equal(seen.labels.place(6), "point 6: 5 and 0, to 5");
});

test("who may not touch the board sees no place to touch", () => {
  const turn = new Turn().follow(moving(), "1");
  const seen = boardSeen({ view: moving(), turn, mine: false }, LOOKS);
  assert.deepEqual([seen.can.size, seen.to.size, seen.free, seen.labels.dice], [0, 0, false, ""]);
});

test("the Crawford game and a match to one point have no cube; an offered one lies with who is asked", () => {
  const shown = (given) =>
    boardSeen({ view: given, turn: new Turn().follow(given, "1"), mine: true }, LOOKS).cube;
  assert.equal(shown(view({ crawford: "now" })), null);
  assert.equal(shown(view({ length: 1 })), null);
  assert.equal(shown(view({ game: { cube: { ...CUBE, in_use: false } } })), null);
  const game = { phase: "offered", on_roll: "white", to_act: "black", cube: { ...CUBE, offered: 2 } };
  assert.deepEqual(shown(view({ game })), { value: 2, owner: null, offered_to: "black" });
});

test("the position in words has bar and off, and the cube with its owner", () => {
  const position = { white: counts({ 25: 1, 6: 2, 0: 12 }), black: START };
  assert.equal(
    positionWords(view(), position),
    "Ana (White): 1 on the bar, 2 on 6, 12 off, 37 pips. " +
      "Björn (Black): 2 on 24, 5 on 13, 3 on 8, 5 on 6, 167 pips. Cube at 1.",
  );
  assert.deepEqual([25, 0, 7].map(placeName), ["bar", "off", "7"]);
  const cubes = [
    { ...CUBE, value: 2, owner: "black" },
    { ...CUBE, offered: 2 },
  ].map((cube) => cubeWords(view({ game: { cube } })));
  assert.deepEqual(
    [...cubes, cubeWords(view({ crawford: "now" }))],
    ["Björn's cube at 2.", "Cube offered at 2.", "No cube."],
  );
});

test("who enters nothing reads whom the match waits for", () => {
  const waiting = view({ game: { phase: "turn", to_act: "black" } });
  assert.deepEqual(
    [view(), moving(), waiting, view({ status: "over" })].map((given) => statusWords(given, false)),
    ["They roll first", "Ana to play 3-1", "Waiting for Björn", ""],
  );
  assert.deepEqual(
    [moving(), view({ status: "suspended" })].map((given) => statusWords(given, true)),
    ["", "Suspended"],
  );
});

test("a match that is over has a winner by its result, or by its points, or none", () => {
  const points = (white, black, result = null) =>
    resultWords(
      view({ result, white: { name: "Ana", points: white }, black: { name: "Björn", points: black } }),
    );
  assert.equal(points(5, 3), "Ana wins 5 to 3");
  assert.equal(points(2, 3, { winner: "white" }), "Ana wins 2 to 3");
  assert.equal(points(3, 3), "Over without a winner");
  const voided = view({ ending: "void", white: { points: 1 }, black: { points: 0 }, result: { winner: "" } });
  assert.equal(resultWords(voided), "Over without a winner");
  const unsent = { ...view(), ended: { winner: /** @type {"black"} */ ("black") } };
  assert.equal(resultWords(/** @type {any} */ (unsent)), "Björn wins 0 to 0");
});

test("a result says what it waits for, unless it is final or not sent yet", () => {
  const state = (result, isKnown = true) => resultState(view({ result }), isKnown);
  const waiting = { waiting_for: ["Ana", "Björn"], dispute_until: null, final: false };
  assert.equal(state(waiting), "Waits for Ana, Björn");
  assert.equal(
    state({ ...waiting, dispute_until: "2026-11-23T16:00:00Z" }),
    "Waits for Ana, Björn until 23 Nov 2026, 17:00",
  );
  assert.equal(state({ ...waiting, final: true }), "Final");
  assert.equal(state(waiting, false), "Not sent yet");
});

test("a final score that cannot be is named, with whose points are wrong", () => {
  const given = view({ white: { name: "Ana", raw: 2 }, black: { name: "Ben", raw: 0 } });
  for (const [white, black, words, sides] of [
    [5, 3, "", []],
    [Number.NaN, 5, "Enter both scores.", ["white"]],
    [1, 5, "Ana cannot end with 1 points", ["white"]],
    [9, 9, "Ana cannot end a match to 5 with 9 points", ["white", "black"]],
    [5, 6, "Ben cannot end a match to 5 with 6 points", ["black"]],
    [5, 5, "5-5 is not a score in a match to 5: both players would have won", ["white", "black"]],
    [4, 3, "4-3 does not finish a match to 5", ["white", "black"]],
  ])
    assert.deepEqual(wrongScore(given, { white, black }), { words, sides });
  assert.deepEqual(wrongScore({ ...given, length: 0 }, { white: 2, black: 7 }), { words: "", sides: [] });
});

test("the number and the age of unsent entries are said, unless they are just on their way", () => {
  const minute = 60_000;
  const said = (sync, now) => unsentWords({ online: true, isStopped: false, queue: [], ...sync }, now);
  const queue = [{ at: 0 }, { at: 2 * minute }];
  /** @type {[object, number, string][]} */
  const cases = [
    [{}, 0, ""],
    [{ online: false }, 0, "keep_recording"],
    [{ queue }, 4_000, ""],
    [{ queue, isStopped: true }, 4_000, "unsent_now 2"],
    [{ queue }, 6_000, "unsent_now 2"],
    [{ queue, online: false }, 0, "unsent_now 2"],
    [{ queue, online: false }, 4.9 * minute, "unsent_minutes 2 4"],
    [{ queue, online: false }, 130 * minute, "unsent_hours 2 2"],
    [{ queue: [{}], online: false }, 9, "unsent_now 1"],
  ];
  for (const [sync, now, words] of cases) assert.equal(said(sync, now), words);
});

test("the last entry that counts can be taken back, until the result is final", () => {
  const line = (kind, undone = false) => ({ kind, undone, words: kind });
  const lines = [line("match_start"), line("roll"), line("play", true), line("voided")];
  const last = (result, pending = null, told = lines) =>
    lastEntered({ view: view({ lines: told, result }), pending });
  assert.equal(last(null), "roll");
  assert.equal(last({ final: false }), "roll");
  assert.equal(last({ final: true }), "");
  assert.equal(last(null, null, lines.slice(0, 1)), "");
  assert.equal(last({ final: true }, "Ana resigns"), "Ana resigns"); // unsent: nobody but this device has it
});

test("what another version kept of how the sheet looks is left out where it has another form", () => {
  const usual = prefsIn(null);
  const kept = { home: "left", bottom: null, depth: "games", colours: 7, gone: true };
  assert.deepEqual(prefsIn(JSON.stringify(kept)), { ...usual, home: "left" });
  for (const text of ["null", "[]", "7", '"wood"']) assert.deepEqual(prefsIn(text), usual);
});
