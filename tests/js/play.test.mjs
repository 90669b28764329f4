// The play that grows under a finger, and how it is written.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  diceLeft,
  diceOnBoard,
  fits,
  isComplete,
  landings,
  matching,
  moved,
  movesOfTap,
  movesToPoint,
  nextTargets,
  notation,
  pips,
  sources,
} from "../../scoring/static/scoring/sheets/play.js";
import { basisOf, Turn } from "../../scoring/static/scoring/sheets/turn.js";

const NAMES = { bar: "bar", off: "off" };
const counts = (places) => Array.from({ length: 26 }, (_each, slot) => places[slot] ?? 0);
const START = counts({ 24: 2, 13: 5, 8: 3, 6: 5 });
const at = (white, black = {}) => ({ white: counts(white), black: counts(black) });

// 3-1 from the start, as far as these tests need it.
/**
 * @typedef {import("../../scoring/static/scoring/sheets/play.js").Move} Move
 * @type {Move[][]}
 */
const THREE_ONE = [
  [
    [8, 5],
    [6, 5],
  ],
  [
    [6, 5],
    [8, 5],
  ],
  [
    [24, 23],
    [13, 10],
  ],
  [
    [13, 10],
    [24, 23],
  ],
  [
    [24, 21],
    [21, 20],
  ],
  [
    [24, 23],
    [23, 20],
  ],
  [
    [8, 5],
    [5, 4],
  ],
];

test("sequences are those that begin with what was moved", () => {
  assert.equal(matching(THREE_ONE, []).length, 7);
  assert.deepEqual(matching(THREE_ONE, [[8, 5]]), [
    [
      [8, 5],
      [6, 5],
    ],
    [
      [8, 5],
      [5, 4],
    ],
  ]);
  assert.deepEqual(matching(THREE_ONE, [[6, 2]]), []);
});

test("a play is complete when one that is offered ends there, and where there is none at once", () => {
  assert.equal(isComplete(THREE_ONE, [[8, 5]]), false);
  assert.equal(
    isComplete(THREE_ONE, [
      [8, 5],
      [6, 5],
    ]),
    true,
  );
  assert.equal(isComplete([], []), true);
});

test("a larger die bears off from a lower point, and moves nothing else too far", () => {
  assert.deepEqual(
    [fits([3, 0], 5), fits([5, 0], 5), fits([6, 0], 5), fits([8, 5], 5), fits([8, 3], 5)],
    [true, true, false, false, true],
  );
});

test("dice are used up by the moves that they fit, doubles four times", () => {
  assert.deepEqual(diceLeft([6, 5], [[13, 8]]), [6]);
  assert.deepEqual(diceLeft([6, 5], []), [6, 5]);
  assert.deepEqual(diceLeft([3, 3], [[13, 10]]), [3, 3, 3]);
  assert.deepEqual(diceLeft([6, 2], [[2, 0]]), [6]); // exactly, before with more than is needed
  assert.deepEqual(diceLeft([6, 4], [[3, 0]]), [4]);
});

test("a checker lands by one die or by several, by the fewest moves", () => {
  const found = landings(THREE_ONE, [], 24);
  assert.deepEqual([...found.keys()].sort(), [20, 21, 23]);
  assert.equal(found.get(20).length, 2);
  for (const sequences of /** @type {Move[][][]} */ ([
    [
      [[6, 4]],
      [
        [6, 5],
        [5, 4],
      ],
    ],
    [
      [
        [6, 5],
        [5, 4],
      ],
      [[6, 4]],
    ],
  ]))
    assert.deepEqual(landings(sequences, [], 6).get(4), [[6, 4]]);
  assert.deepEqual([...sources(THREE_ONE, [])].sort(), [13, 24, 6, 8]);
  assert.deepEqual([...sources(THREE_ONE, [[8, 5]])].sort(), [5, 6]);
});

test("a tap plays the first die where it can, else the other", () => {
  assert.deepEqual(movesOfTap(THREE_ONE, [], 24, [3, 1]), [[24, 21]]);
  assert.deepEqual(movesOfTap(THREE_ONE, [], 24, [1, 3]), [[24, 23]]);
  assert.deepEqual(movesOfTap(THREE_ONE, [], 8, [1, 3]), [[8, 5]]);
  assert.deepEqual(movesOfTap(THREE_ONE, [], 7, [3, 1]), []);
});

test("a tap on an empty place makes the point, or goes there", () => {
  assert.deepEqual(movesToPoint(THREE_ONE, [], 5), [
    [8, 5],
    [6, 5],
  ]);
  assert.deepEqual(movesToPoint(THREE_ONE, [], 10), [[13, 10]]);
  assert.equal(movesToPoint(THREE_ONE, [], 20).length, 2);
  assert.deepEqual(movesToPoint(THREE_ONE, [], 1), []);
});

test("the targets shown are those of the first die, of the other where it cannot be played", () => {
  assert.deepEqual([...nextTargets(THREE_ONE, [], 3)].sort(), [10, 21, 5]);
  assert.deepEqual([...nextTargets([[[24, 18]]], [], 5)], [18]);
});

test("a hit checker goes to the bar; what was given stays as it was", () => {
  const before = at({ 6: 1 }, { 20: 1, 3: 2 });
  const after = moved(before, "white", [[6, 5]]);
  assert.deepEqual([after.white[5], after.black[20], after.black[25], after.black[3]], [1, 0, 1, 2]);
  assert.deepEqual(before, at({ 6: 1 }, { 20: 1, 3: 2 }));
  const off = moved(at({ 1: 1 }, { 25: 1 }), "white", [[1, 0]]);
  assert.deepEqual([off.white[0], off.black[25]], [1, 1]); // off is nobody's point: nothing is hit there
});

/** @type {[any, any, string][]} */
const WRITTEN = [
  [
    at({ 24: 2 }),
    [
      [24, 18],
      [18, 13],
    ],
    "24/13",
  ],
  [
    at({ 6: 2 }),
    [
      [6, 4],
      [6, 4],
    ],
    "6/4(2)",
  ],
  [
    at({ 25: 2 }),
    [
      [25, 20],
      [25, 20],
    ],
    "bar/20(2)",
  ],
  [
    at({ 25: 1 }, { 5: 1 }),
    [
      [25, 20],
      [20, 15],
    ],
    "bar/20*/15",
  ],
  [
    at({ 3: 1, 2: 1 }),
    [
      [3, 0],
      [2, 0],
    ],
    "3/off 2/off",
  ],
  [
    at({ 8: 2, 6: 2 }, { 21: 1 }),
    [
      [8, 4],
      [6, 4],
    ],
    "8/4* 6/4",
  ],
  [at({ 24: 1 }), [], ""],
];
for (const [position, moves, written] of WRITTEN) {
  test(`written as “${written}”`, () => assert.equal(notation(position, "white", moves, NAMES), written));
}

test("of two dice the one that was played is used, whatever lies first", () => {
  const used = (dice, left) => diceOnBoard(dice, left).map((die) => [die.value, die.used]);
  assert.deepEqual(used([6, 1], [6, 1]), [
    [6, false],
    [1, false],
  ]);
  assert.deepEqual(used([6, 1], [1]), [
    [6, true],
    [1, false],
  ]);
  assert.deepEqual(used([1, 6], [6]), [
    [1, true],
    [6, false],
  ]);
  assert.deepEqual(used([6, 1], []), [
    [6, true],
    [1, true],
  ]);
});

test("a double is four dice, and each move uses one", () => {
  for (const moves of [0, 1, 2, 3, 4]) {
    const dice = diceOnBoard([3, 3], Array(4 - moves).fill(3));
    assert.deepEqual(
      dice.map(({ value, used }) => [value, used]),
      [0, 1, 2, 3].map((n) => [3, n < moves]),
    );
  }
});

test("pips of the start are 167, of everybody off none", () =>
  assert.deepEqual([pips(START), pips(counts({ 0: 15 })), pips(counts({ 25: 2 }))], [167, 0, 50]));

// The turn ------------------------------------------------------------------------------------------------------------

/** @param {any} [game] */
const turnOf = (game, plays = { sequences: THREE_ONE }) => {
  const view = {
    game: {
      number: 1,
      phase: "moving",
      on_roll: "white",
      to_act: "white",
      roll: [3, 1],
      position: { white: START, black: START },
      ...game,
    },
    plays,
  };
  return new Turn().follow(view, "1:0");
};

test("a turn stands as long as what it builds on, and begins again with it", () => {
  const basis = (game) => basisOf({ game: { ...turnOf().view.game, ...game } });
  const others = [
    { number: 2 },
    { phase: "turn" },
    { on_roll: "black" },
    { roll: [4, 1] },
    { position: at({}) },
  ];
  assert.equal(new Set([{}, ...others].map(basis)).size, 6);
  assert.equal(basis({ to_act: "black", pips: {}, xgid: "told" }), basis({}));
});

test("moves that are part of no play that the server knows are made again", () => {
  const turn = turnOf();
  turn.tap(8);
  turn.follow({ ...turn.view, plays: { sequences: THREE_ONE.slice(0, 1) } }, "1:0");
  assert.deepEqual(turn.moves, [[8, 5]]);
  turn.follow({ ...turn.view, plays: { sequences: THREE_ONE.slice(1, 3) } }, "1:0");
  assert.deepEqual(turn.moves, []);
});

test("a turn grows by taps and goes back by one", () => {
  const turn = turnOf();
  assert.equal(turn.isComplete, false);
  assert.ok(turn.tap(8) && turn.tap(6));
  assert.deepEqual(
    [turn.moves, turn.left, turn.isComplete, [...turn.can()]],
    [
      [
        [8, 5],
        [6, 5],
      ],
      [],
      true,
      [],
    ],
  );
  assert.equal(turn.tap(13), false);
  turn.undo();
  assert.deepEqual([turn.moves, turn.left, turn.isComplete], [[[8, 5]], [1], false]);
});

test("dice change places, doubles do not", () => {
  const turn = turnOf();
  turn.swap();
  assert.deepEqual(turn.dice, [1, 3]);
  const doubles = turnOf({ roll: [2, 2] });
  doubles.swap();
  assert.equal(doubles.swapped, false);
});

test("a forced play lies on the board already; a dance has nothing to move", () => {
  assert.deepEqual(
    turnOf(
      {},
      {
        forced: true,
        sequences: [
          [
            [24, 21],
            [21, 20],
          ],
        ],
      },
    ).moves,
    [
      [24, 21],
      [21, 20],
    ],
  );
  const dance = turnOf({}, { sequences: [] });
  assert.deepEqual([dance.isDanced, dance.isComplete, [...dance.can()]], [true, true, []]);
});

test("what changed on the sheet begins the entry anew, but keeps a first die of the same stage", () => {
  const turn = turnOf({ phase: "turn", roll: null });
  turn.die = 4;
  turn.moves = [[8, 5]];
  turn.follow(turn.view, "1:1");
  assert.deepEqual([turn.die, turn.moves], [4, []]);
  turn.follow({ ...turn.view, game: { ...turn.view.game, on_roll: "black" } }, "2:0");
  assert.equal(turn.die, null);
});

test("where the legal plays are not known any checker moves by its die, and no play is done", () => {
  const turn = turnOf({}, null);
  assert.deepEqual(
    [...turn.can()].sort((a, b) => a - b),
    [6, 8, 13, 24],
  );
  assert.ok(turn.tap(24));
  assert.deepEqual([turn.moves, turn.left, turn.isComplete], [[[24, 21]], [1], false]);
  assert.equal(turn.tap(22), false);
  assert.ok(turn.drop(13, 12));
  assert.deepEqual([...turn.can()], []); // no die is left
});

test("checkers as they stood on the table move wherever they are put", () => {
  const turn = turnOf();
  turn.mode = "illegal";
  assert.equal(turn.sequences, null);
  assert.ok(turn.drop(24, 7));
  assert.equal(turn.drop(2, 1), false);
  assert.deepEqual(turn.moves, [[24, 7]]);
});

test("a drop goes by the moves that bring it there, and nowhere else", () => {
  const turn = turnOf();
  assert.ok(turn.drop(24, 20));
  assert.equal(turn.moves.length, 2);
  assert.equal(turnOf().drop(24, 19), false);
  assert.deepEqual([...turnOf().landing(8)].sort(), [4, 5]);
});
