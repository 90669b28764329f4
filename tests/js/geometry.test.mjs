// Where things are on a board: the places cover it, and what is seen from the other side is the same board.

import assert from "node:assert/strict";
import { test } from "node:test";

import { BAR, Geometry, OFF } from "../../scoring/static/scoring/sheets/geometry.js";

const WIDE = {
  pitch: 44,
  radius: 20,
  stack: 38,
  reach: 200,
  middle: 60,
  bar: 48,
  tray: 56,
  strip: 20,
  slab: 12,
  turned: false,
};
const TALL = { ...WIDE, turned: true, edge: 8 };
const SLOTS = Array.from({ length: 26 }, (_none, slot) => slot);

/** @returns {[number, number]} */
const middle = ({ x, y, width, height }) => [x + width / 2, y + height / 2];
const within = ([x, y], box) => x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;

for (const [name, layout] of Object.entries({ WIDE, TALL })) {
  for (const home of /** @type {const} */ (["left", "right"])) {
    const seen = (bottom = /** @type {any} */ ("white")) => new Geometry(layout, bottom, home);

    test(`${name}, home on the ${home}: no two places of a side overlap, and each holds its checkers`, () => {
      const g = seen();
      const [width, height] = g.size;
      for (const slot of SLOTS) {
        const place = g.place("white", slot);
        assert.ok(within(middle(place), { x: 0, y: 0, width, height }), `${slot} is on the board`);
        assert.ok(within(g.spot("white", slot, 0), place), `the first checker of ${slot} is on it`);
        const others = SLOTS.filter((other) => other !== slot);
        assert.ok(!others.some((other) => within(middle(place), g.place("white", other))), `only ${slot}`);
      }
    });

    test(`${name}, home on the ${home}: a point is the other side's 25 less it`, () => {
      const g = seen();
      for (const point of SLOTS.slice(1, 25))
        assert.deepEqual(g.place("white", point), g.place("black", 25 - point));
      for (const slot of [BAR, OFF]) assert.notDeepEqual(g.place("white", slot), g.place("black", slot));
    });

    test(`${name}, home on the ${home}: whoever sits below sees their own checkers where the other would`, () => {
      for (const slot of SLOTS)
        assert.deepEqual(seen("white").spot("white", slot, 2), seen("black").spot("black", slot, 2));
    });
  }
}

test("a home on the left is one on the right in a mirror", () => {
  const [right, left] = [new Geometry(WIDE, "white", "right"), new Geometry(WIDE, "white", "left")];
  for (const slot of SLOTS) {
    const [[x, y], [mirrored, same]] = [right.spot("white", slot, 0), left.spot("white", slot, 0)];
    assert.deepEqual([mirrored, same], [right.length - x, y]);
  }
});

test("checkers above the fifth lie on the fifth", () => {
  const g = new Geometry(WIDE, "white", "right");
  assert.notDeepEqual(g.spot("white", 6, 3), g.spot("white", 6, 4));
  assert.deepEqual(g.spot("white", 6, 4), g.spot("white", 6, 14));
});

test("the cube lies in the middle, with its owner, or before whom it is offered to", () => {
  const g = new Geometry(WIDE, "white", "right");
  const height = (cube) => g.cube({ owner: null, offered_to: null, ...cube })[1];
  assert.equal(height({}), g.depth / 2);
  assert.ok(height({ owner: "white" }) > height({}) && height({ owner: "black" }) < height({}));
  assert.ok(height({ offered_to: "white" }) > height({}) && height({ offered_to: "black" }) < height({}));
  assert.equal(
    new Geometry({ ...TALL, turned: false }, "white", "right").cube({ owner: null, offered_to: null })[0],
    new Geometry({ ...TALL, turned: false }, "white", "right").barAt,
  );
});

test("two or four dice lie on the half of whoever moves, side by side, the first on the reader's left", () => {
  for (const home of /** @type {const} */ (["left", "right"])) {
    const g = new Geometry(WIDE, "white", home);
    for (const count of [2, 4]) {
      const dice = Array.from({ length: count }, (_none, n) => g.die("white", n, count));
      for (const [n, [x, y]] of dice.entries()) {
        assert.ok(n === 0 || x === dice[n - 1][0] + 40);
        assert.ok(y > g.depth / 2 && g.die("black", n, count)[1] < g.depth / 2);
      }
      const middle = (dice[0][0] + dice[count - 1][0]) / 2;
      assert.equal(middle, g.at(...g.dice("white"))[0]);
    }
  }
});
