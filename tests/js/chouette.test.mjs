// A chouette without a line: the table ahead of the server, and what fingers have chosen and not recorded.
// That the rules are the server's is shown in tests/scoring/chouettes/test_page_rules.py.

import { until } from "./browser.mjs";
import { SheetServer, URLS } from "./sheet_server.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";

const { Choice } = await import("../../scoring/static/scoring/chouettes/choice.js");
const { Entering } = await import("../../scoring/static/scoring/chouettes/entering.js");
const { changesStakes, stepsOf } = await import("../../scoring/static/scoring/chouettes/steps.js");
const { Sync } = await import("../../scoring/static/scoring/sheets/sync.js");
const { boxOf, here, leaving, live, projected } = await import(
  "../../scoring/static/scoring/chouettes/projection.js"
);

const OPTIONS = {
  multi_cube: true,
  jacoby: true,
  beavers: true,
  raccoons: false,
  lone_taker_beavers: false,
  takes_half: false,
  takes_captain: false,
  three_players: "free",
  automatic: "never",
  extras: "none",
  settlements: false,
  box_keeps: "beat_captain",
  new_box: "acting_captain",
  double_stand_up: false,
  partner_from: 6,
  partner_must: null,
  newcomers_last: false,
  opening_dice: 1,
  consultation: "cube_turned",
  proxies: true,
  max_cube: null,
};
const NAMES = { a: "Ana", b: "Björn", c: "Chen", d: "Dora" };
const seat = (player) => ({ player, stake: 0, presence: "playing", agreed: true, proxy: null });

/** @returns {any} */
const table = (options = {}) => {
  const line = Object.keys(NAMES);
  const ahead = {
    options: { ...OPTIONS, ...options },
    usual: OPTIONS,
    name: "",
    announced: null,
    line,
    seats: line.map(seat),
    placed: true,
    tied: [],
    partner: null,
    game: null,
    played: 0,
    closed: false,
  };
  return {
    ahead,
    status: "open",
    players: line.map((ref) => ({ ref, name: NAMES[ref], points: 0, balance: "" })),
    games: [],
    payments: [1],
    lines: [],
    actions: [],
  };
};
const after = (view, ...entries) =>
  projected(
    view,
    entries.map(([kind, body, label]) => ({ kind, body, label })),
  );
const roles = (view) => Object.fromEntries(view.players.map(({ ref, role }) => [ref, role]));
const GAME = ["game_start", {}];
const cubes = (view) =>
  Object.fromEntries(view.game.cubes.map(({ key, value, owner, state }) => [key, [value, owner, state]]));

test("nothing unsent is the table itself, and so is one that the server tells nothing ahead of", () => {
  const view = table();
  assert.equal(projected(view, []), view);
  const blind = { ...view, ahead: null };
  assert.equal(after(blind, GAME), blind);
});

test("a game that was started has its box, its captain and a cube for each of the crew", () => {
  const view = table();
  const before = structuredClone(view);
  const ahead = after(view, GAME);
  assert.deepEqual(view, before);
  assert.deepEqual([roles(ahead), boxOf(ahead)], [{ a: "box", b: "captain", c: "crew", d: "crew" }, "a"]);
  assert.deepEqual(cubes(ahead), {
    b: [1, "middle", "open"],
    c: [1, "middle", "open"],
    d: [1, "middle", "open"],
  });
  assert.deepEqual([ahead.game.number, ahead.payments, ahead.possible_gains], [1, [], {}]);
});

test("doubles that are taken and passed leave who took them in the game, and pass the captaincy on", () => {
  const ahead = after(
    table(),
    GAME,
    ["offer", { by: "a", cubes: ["b", "c", "d"] }],
    ["answer", { by: "b", passes: ["b"] }],
    ["answer", { by: "c", takes: ["c"] }],
  );
  assert.deepEqual(cubes(ahead), {
    b: [1, "middle", "passed"],
    c: [2, "team", "in_game"],
    d: [1, "middle", "offered"],
  });
  assert.deepEqual(
    [
      ahead.players.find(({ ref }) => ref === "c").role,
      ahead.players.find(({ ref }) => ref === "b").still_in,
    ],
    ["acting_captain", false],
  );
  assert.deepEqual(ahead.game.cubes.map(live), [false, true, true]);
  const told = ahead.actions.find(({ kind }) => kind === "beaver");
  assert.ok(told === undefined || told.label); // whatever is offered has words
});

test("what no longer fits is left for the server to say; what comes after it still counts", () => {
  const ahead = after(
    table(),
    GAME,
    ["game_start", {}],
    ["answer", { by: "b", takes: ["b"] }],
    ["offer", { by: "b", cubes: ["b"] }],
  );
  assert.deepEqual(cubes(ahead).b, [1, "middle", "offered"]);
});

test("somebody new is called as they were entered and sits at the bottom", () => {
  const ahead = after(
    table(),
    ["join", { player: "new", name: "Emre", stake: 0 }],
    ["join", { player: "known", stake: 0 }, "Fay"],
  );
  assert.deepEqual(
    ahead.players.slice(4).map(({ name, place, points }) => [name, place, points]),
    [
      ["Emre", 5, 0],
      ["Fay", 6, 0],
    ],
  );
});

test("who stands up during a game goes on in it, and is out after it", () => {
  const playing = after(table(), GAME, ["sit_out", { player: "d" }]);
  const dora = (view) => view.players.find(({ ref }) => ref === "d");
  assert.deepEqual([dora(playing).role, leaving(dora(playing)), here(dora(playing))], ["crew", true, true]);
  const later = after(table(), GAME, ["sit_out", { player: "d" }], ["game_over", { box_won: true, win: 1 }]);
  assert.deepEqual([dora(later).role, here(dora(later)), later.game], ["out", false, null]);
});

test("a night that ended lets nothing more be recorded", () => {
  const ahead = after(table(), ["chouette_end", {}], GAME);
  assert.deepEqual([ahead.status, ahead.actions, ahead.game], ["closed", [], null]);
});

test("totals are not those of the table once an unsent entry ends a game", () => {
  const over = ["game_over", { box_won: true, win: 1 }];
  assert.deepEqual(
    [after(table(), GAME), after(table(), GAME, over), after(table(), GAME, over, GAME)].map(
      ({ unscored }) => unscored,
    ),
    [false, true, true],
  );
});

test("a lone taker who must beaver is named", () => {
  const ahead = after(
    table({ lone_taker_beavers: true }),
    GAME,
    ["offer", { by: "a", cubes: ["b", "c", "d"] }],
    ["answer", { by: "b", passes: ["b"] }],
    ["answer", { by: "c", passes: ["c"] }],
    ["answer", { by: "d", takes: ["d"] }],
  );
  assert.deepEqual(ahead.refusals, { game_over: "Dora must beaver" });
});

// What is chosen ------------------------------------------------------------------------------------------------------

test("the box doubles the cubes that were chosen, each of the crew their own", () => {
  const view = after(table(), GAME);
  const choice = new Choice();
  assert.deepEqual(choice.possible(view, "box", "a"), [{ by: "a", cubes: ["b", "c", "d"] }]);
  choice.toggle("b");
  choice.toggle("d");
  assert.deepEqual(choice.offers(view, "box", "a"), [{ by: "a", cubes: ["b", "d"] }]);
  assert.deepEqual(choice.offers(view, "crew", "a"), [
    { by: "b", cubes: ["b"] },
    { by: "d", cubes: ["d"] },
  ]);
  choice.toggle("b");
  assert.deepEqual([...choice.cubes], ["d"]);
});

const doubled = () => after(table(), GAME, ["offer", { by: "a", cubes: ["b", "c", "d"] }]);

test("answers go out one for each who is asked; the rest do what is said of the rest", () => {
  const view = doubled();
  const choice = new Choice();
  choice.answer("b", "take");
  assert.deepEqual(
    choice.replies(view).map(({ by, takes, passes }) => [by, takes, passes]),
    [["b", ["b"], []]],
  );
  assert.deepEqual(
    choice.replies(view, "pass").map(({ by, takes, passes }) => [by, takes, passes]),
    [
      ["b", ["b"], []],
      ["c", [], ["c"]],
      ["d", [], ["d"]],
    ],
  );
  choice.answer("b", "take");
  assert.deepEqual(choice.replies(view), []);
});

test("the box answers all or nothing", () => {
  const view = after(
    table(),
    GAME,
    ["offer", { by: "b", cubes: ["b"] }],
    ["offer", { by: "c", cubes: ["c"] }],
  );
  const choice = new Choice();
  choice.answer("b", "take");
  assert.deepEqual(
    choice.replies(view).map(({ by, whole }) => [by, whole]),
    [["a", false]],
  );
  choice.answer("c", "pass");
  assert.deepEqual(choice.replies(view), [{ by: "a", takes: ["b"], passes: ["c"], whole: true }]);
});

test("a choice forgets what the table no longer asks or knows", () => {
  const choice = new Choice();
  choice.toggle("b");
  choice.follow(after(table(), GAME));
  assert.deepEqual([...choice.cubes], ["b"]);
  choice.follow(doubled()); // first the answers
  assert.deepEqual([...choice.cubes], []);
  choice.answer("b", "take");
  choice.follow(table());
  assert.deepEqual([...choice.answers], []);
});

test("a side that doubles is offered its own double alone", () => {
  const view = after(table(), GAME);
  const choice = new Choice();
  choice.side = "crew";
  choice.toggle("b");
  assert.deepEqual(choice.offers(view, "box", "a"), []);
  assert.deepEqual(choice.offers(view, "crew", "a"), [{ by: "b", cubes: ["b"] }]);
  choice.toggle("b");
  choice.follow(view);
  assert.equal(choice.side, null);
});

// Steps that change stakes --------------------------------------------------------------------------------------------

test("steps that change stakes tell first which cubes they turn and who pays", () => {
  const told = (view, kind) => {
    const action = view.actions.find((each) => each.kind === kind && changesStakes(each));
    return action && stepsOf(view, action);
  };
  const begun = after(table({ automatic: "box_wishes" }), GAME);
  assert.deepEqual(told(begun, "tie"), { words: ["Björn, Chen, and Dora: 1 → 2"], value: 2 });
  const answered = (options) =>
    after(
      table(options),
      GAME,
      ["offer", { by: "a", cubes: ["b", "c", "d"] }],
      ["answer", { by: "b", passes: ["b"] }],
      ["answer", { by: "c", takes: ["c"] }],
      ["answer", { by: "d", takes: ["d"] }],
    );
  const view = answered({ extras: "optional" });
  assert.deepEqual(told(view, "beaver"), { words: ["2 → 4"], value: 4 });
  assert.equal(view.actions.find(({ kind }) => kind === "beaver").label, "Chen beavers"); // their own cube
  assert.deepEqual(told(view, "extra"), {
    words: ["new cube Chen – Björn: 2", "points from Björn to Chen: 1"],
    value: 2,
  });
  assert.deepEqual(view.actions.filter(({ kind }) => kind === "extra_refused").map(changesStakes), [
    false,
    false,
  ]);
  const choice = new Choice();
  choice.step = view.actions.find(({ kind }) => kind === "beaver");
  choice.follow(view);
  assert.equal(choice.step.kind, "beaver");
  choice.follow(after(view, ["beaver", { by: "c", cube: "c" }]));
  assert.equal(choice.step, null);
});

// What is tapped ------------------------------------------------------------------------------------------------------

const START = [{ kind: "game_start", body: {} }];
const TIE = [{ kind: "tie", body: { doubled: true } }];

const entered = async (match) => {
  const server = new SheetServer();
  const view = { ...server.view, ...table({ automatic: "box_wishes" }) };
  const sync = new Sync({ match, urls: URLS, view, writer: { ref: "login-1", name: "Ana" }, changed() {} });
  await sync.open();
  return { server, sync, entering: new Entering(sync) };
};
const waits = ({ queue }) => queue.map(({ kind, words, unchecked }) => [kind, words, unchecked]);

test("what is tapped while an entry is on its way is recorded after it", async () => {
  const { server, sync, entering } = await entered("on-its-way");
  const answer = server.hold();
  const first = entering.record(START);
  await until(() => sync.onItsWay.length === 1);
  await entering.record(TIE);
  assert.deepEqual(waits(sync), [
    ["game_start", "Game started", false],
    ["tie", "Equal dice", true],
  ]);
  answer();
  await first;
  assert.deepEqual([server.kinds, sync.queue], [["game_start", "tie"], []]);
});

test("of what is tapped before the page shows the tap before, the same is one entry and another its own", async () => {
  const { server, entering } = await entered("unseen");
  await Promise.all([
    entering.record(START),
    entering.record(START),
    entering.record(TIE),
    entering.record(TIE),
  ]);
  await until(() => server.kinds.length === 2);
  assert.deepEqual(server.kinds, ["game_start", "tie"]);
  await entering.record(TIE); // seen by now: another throw
  assert.deepEqual(server.kinds, ["game_start", "tie", "tie"]);
});
