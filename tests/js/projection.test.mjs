// What a sheet will look like once the unsent entries are on it.

import "./browser.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";

const { projected } = await import("../../scoring/static/scoring/sheets/projection.js");

const counts = (places) => Array.from({ length: 26 }, (_each, slot) => places[slot] ?? 0);
const START = counts({ 24: 2, 13: 5, 8: 3, 6: 5 });
const STARTING = { white: START, black: START };

const OPTIONS = {
  cube: true,
  max_cube: null,
  holland: false,
  forbid_dead_cube: false,
  jacoby: false,
  beavers: true,
  raccoons: true,
  automatic_doubles: 1,
};

/**
 * @param {{ game?: object, length?: number | null, crawford?: string, one_game?: boolean }} given
 * @returns {any}
 */
const view = ({ game = {}, ...rest } = {}) => ({
  length: 5,
  status: "playing",
  crawford: "before",
  games: [],
  timeline: [[0, 0]],
  ending: null,
  plays: { sequences: [] },
  result: { final: false },
  options: OPTIONS,
  actions: [],
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
    cube: { value: 1, owner: null, offered: null, in_use: true, turned: false },
    automatic_doubles: 0,
    rolls: { white: 0, black: 0 },
    pips: { white: 167, black: 167 },
    resign_offered: null,
    ...game,
  },
  ...rest,
});
const after = (given, ...entries) =>
  projected(
    given,
    entries.map(([kind, body]) => ({ kind, body: body ?? {} })),
    STARTING,
  );
const opening = ["opening_roll", { white: 3, black: 1 }];
const FIVE_POINT = [
  [8, 5],
  [6, 5],
];
const played = ["play", { moves: FIVE_POINT }];

test("the record of a game of a chouette is over with the game", () => {
  const given = view({ length: 0, one_game: true });
  const ahead = after(given, opening, played, ["resign", { by: "white", level: 1 }], ["accept"], opening);
  assert.deepEqual([ahead.status, ahead.ending, ahead.games.length], ["over", "agreed", 1]);
  assert.equal(ahead.game.phase, "opening"); // what came after the end is no roll of it
});

test("nothing unsent is the sheet itself; a sheet that is gone on with stays as it was", () => {
  const given = view();
  const before = structuredClone(given);
  assert.equal(projected(given, [], STARTING), given);
  const ahead = after(given, opening);
  assert.deepEqual(given, before);
  assert.equal(ahead.result, null); // only the server knows it
});

test("an opening roll decides who moves; a tie decides nothing", () => {
  assert.deepEqual(
    [
      after(view(), opening).game.on_roll,
      after(view(), ["opening_roll", { white: 2, black: 5 }]).game.on_roll,
    ],
    ["white", "black"],
  );
  assert.equal(after(view(), ["opening_roll", { white: 4, black: 4 }]).game.phase, "opening");
});

test("both dice show the legal plays at once; a play that is made, or another position, has none of them", () => {
  const { plays } = after(view(), opening);
  assert.equal(plays.side, "white");
  assert.ok(plays.sequences.some((moves) => String(moves) === "8,5,6,5"));
  assert.equal(plays.forced, false);
  assert.equal(after(view(), opening).plays, plays); // found once
  assert.equal(after(view(), opening, ["play", { moves: plays.sequences[0] }]).plays, null);
  const bar = after(view(), opening, played, ["roll", { dice: [6, 6] }]);
  assert.notEqual(bar.plays, plays);
  assert.deepEqual([bar.plays.side, bar.plays.sequences[0][0]], ["black", [8, 2]]);
});

test("a play moves the checkers and hands the dice over", () => {
  const { game } = after(view(), opening, [
    "play",
    {
      moves: [
        [8, 5],
        [6, 5],
      ],
    },
  ]);
  assert.deepEqual([game.position.white[5], game.phase, game.on_roll, game.roll], [2, "turn", "black", null]);
});

test("a void roll and a play as it stood are taken as they are told", () => {
  const rolled = after(view(), opening, played, ["roll", { dice: [6, 6], void: "cocked" }]);
  assert.equal(rolled.game.phase, "turn");
  const own = counts({ 5: 2, 6: 13 });
  const stood = after(view(), opening, [
    "play",
    { status: "illegal_accepted", result: { own, opponent: START } },
  ]);
  assert.deepEqual(stood.game.position, { white: own, black: START });
});

test("a double that is taken turns the cube to the taker; one that is passed ends the game", () => {
  const doubled = [opening, played, ["double"]];
  assert.deepEqual(
    [after(view(), ...doubled).game.phase, after(view(), ...doubled).game.to_act],
    ["offered", "white"],
  );
  const taken = after(view(), ...doubled, ["take"]);
  assert.deepEqual(
    [taken.game.cube, taken.game.phase, taken.game.to_act],
    [{ value: 2, owner: "white", offered: null, in_use: true, turned: true }, "roll", "black"],
  );
  const passed = after(view(), ...doubled, ["pass"]);
  assert.deepEqual(
    [passed.black.points, passed.black.away, passed.game.number, passed.games[0].ended],
    [1, 4, 2, "pass"],
  );
  assert.equal(after(view(), opening, played, ["double", { status: "void_premature" }]).game.phase, "turn");
});

for (const [loser, win, points] of /** @type {const} */ ([
  [counts({ 0: 1, 6: 14 }), "single", 2],
  [counts({ 6: 15 }), "gammon", 4],
  [counts({ 6: 14, 20: 1 }), "backgammon", 6],
  [counts({ 6: 14, 25: 1 }), "backgammon", 6],
])) {
  test(`the last checker off against ${loser
    .map((count, slot) => (count ? `${count} on ${slot}` : ""))
    .filter(Boolean)
    .join(", ")} wins a ${win} times the cube`, () => {
    const game = {
      phase: "moving",
      on_roll: "white",
      to_act: "white",
      roll: [1, 2],
      position: { white: counts({ 0: 14, 1: 1 }), black: loser },
      cube: { value: 2, owner: "white", offered: null, in_use: true, turned: true },
    };
    const ahead = after(view({ length: 11, game }), ["play", { moves: [[1, 0]] }]);
    assert.deepEqual(
      [ahead.white.points, ahead.games[0].win, ahead.games[0].ended, ahead.games[0].unsent],
      [points, win, "borne_off", true],
    );
    assert.deepEqual(
      [ahead.game.position, ahead.game.cube.value, ahead.game.phase],
      [STARTING, 1, "opening"],
    );
  });
}

test("a resignation that is accepted counts its level times the cube; one that is refused goes on where it was", () => {
  const game = {
    phase: "roll",
    on_roll: "black",
    to_act: "black",
    cube: { value: 2, owner: "black", offered: null, in_use: true, turned: true },
  };
  const accepted = after(view({ length: 11, game }), ["resign", { by: "black", level: 2 }], ["accept"]);
  assert.deepEqual(
    [accepted.white.points, accepted.games[0].win, accepted.games[0].ended],
    [4, "gammon", "resignation"],
  );
  const refused = after(view({ game }), ["resign", { by: "black", level: 1 }], ["refuse"]);
  assert.deepEqual(
    [refused.game.phase, refused.game.to_act, refused.game.resign_offered],
    ["roll", "black", null],
  );
});

const won = (winner, win = 1, cube = 1) => ["game_result", { winner, win, cube, ended: "borne_off" }];

test("the first game at match point is the Crawford game, without a cube; the next ones have it again", () => {
  assert.equal(after(view(), won("white", 3)).crawford, "before");
  const crawford = after(view(), won("white", 2, 2));
  assert.deepEqual([crawford.crawford, crawford.game.cube.in_use, crawford.white.away], ["now", false, 1]);
  const past = after(view(), won("white", 2, 2), won("black"));
  assert.deepEqual([past.crawford, past.games.map((game) => game.crawford)], ["after", [false, true]]);
  assert.equal(after(view(), won("white", 2, 2), won("black", 2)).crawford, "after");
  assert.equal(after(view({ length: 1 })).crawford, "before");
});

test("a match ends with its last point, money never", () => {
  const over = after(view(), won("black", 3, 2));
  assert.deepEqual([over.status, over.black.points, over.black.away], ["over", 5, 0]);
  const money = after(view({ length: 0, crawford: "off" }), won("black", 3, 64));
  assert.deepEqual([money.status, money.black.points, money.crawford], ["playing", 192, "off"]);
});

test("a final score stands as it was told", () => {
  const told = after(view(), ["final_score", { white: 5, black: 3 }]);
  assert.deepEqual([told.status, told.white.points, told.black.away], ["over", 5, 2]);
});

test("what makes no sense where it stands leaves the sheet as it is", () => {
  const given = view();
  for (const kind of ["roll", "no_roll", "play", "double", "take", "pass", "accept", "something new"]) {
    const ahead = after(given, [kind, { dice: [1, 2], moves: [[6, 5]] }]);
    const { plays, result, refusals } = given;
    assert.deepEqual({ ...ahead, plays, result, refusals }, given, kind);
    assert.equal(ahead.refusals.take, "a take is not possible now: the opening roll comes next");
  }
});
