// The drawing of a board: the one of scoring/drawing/board.py, redrawn as the checkers move.
// Nothing here knows which plays are legal: who draws says what can be moved and where it may land.

import { Targets } from "./board_targets.js";
import { OFF, SHOWN } from "./geometry.js";
import { morph } from "./morph.js";
import { lettering, svg } from "./svg.js";

/**
 * @typedef {import("./geometry.js").Geometry} Geometry
 * @typedef {import("./geometry.js").Layout} Layout
 * @typedef {import("./play.js").Side} Side
 * @typedef {import("./svg.js").Attributes} Attributes
 * @typedef {{ value: number, owner: Side | null, offered_to: Side | null }} ShownCube
 *
 * @typedef {object} Seen what is to be drawn
 * @property {Layout} layout
 * @property {Side} bottom
 * @property {"left" | "right"} home
 * @property {import("./play.js").Position} position
 * @property {Side} mover
 * @property {Side | null} turn
 * @property {Side} numbers whose numbers are at the points
 * @property {ShownCube | null} cube
 * @property {{ value: number, used: boolean }[] | null} dice
 * @property {Set<number>} can
 * @property {Set<number>} to
 * @property {Set<number> | null} [held] where the checker under the finger may land
 * @property {boolean} free whether anything can be dragged
 * @property {string} title
 * @property {{ place(slot: number): string, dice: string, cube: string }} labels
 */

/** @type {Side[]} */
const SIDES = ["white", "black"];
const BOLD = { "font-size": 18, "font-weight": "bold" };
/** @type {Record<number, number[][]>} */
const PIPS = {
  1: [[0, 0]],
  2: [
    [-1, -1],
    [1, 1],
  ],
  3: [
    [-1, -1],
    [0, 0],
    [1, 1],
  ],
  4: [
    [-1, -1],
    [-1, 1],
    [1, -1],
    [1, 1],
  ],
  5: [
    [-1, -1],
    [-1, 1],
    [0, 0],
    [1, -1],
    [1, 1],
  ],
  6: [
    [-1, -1],
    [-1, 0],
    [-1, 1],
    [1, -1],
    [1, 0],
    [1, 1],
  ],
};

/** @param {Geometry} g */
const points = (g) => {
  const { layout } = g;
  const paths = ["", ""];
  for (let point = 1; point <= 24; point += 1) {
    const top = point > 12;
    const x = g.along(point);
    const corners = [
      [x - layout.pitch * 0.43, 0],
      [x, layout.reach * 0.94],
      [x + layout.pitch * 0.43, 0],
    ];
    paths[point % 2] += `M${corners.map(([a, b]) => g.at(a, g.across(b, top)).join(" ")).join("L")}Z`;
  }
  return [
    svg("path", { class: "points-one", d: paths[1] }),
    svg("path", { class: "points-two", d: paths[0] }),
  ];
};

/**
 * The numbers of the points as a side has them.
 * @param {Geometry} g
 * @param {Side} side
 */
const numbers = (g, side) => {
  const group = svg("g", { class: "numbers", "font-size": 14, "aria-hidden": "true" });
  for (let point = 1; point <= 24; point += 1) {
    const [x, y] = g.at(g.along(point), g.across(-g.layout.strip / 2, point > 12));
    group.append(lettering(x, y, String(side === g.bottom ? point : 25 - point)));
  }
  return group;
};

/** @param {Geometry} g */
const ground = (g) => {
  const { layout } = g;
  const inner = g.depth - 2 * layout.strip;
  const half = 6 * layout.pitch;
  /** @type {(attributes: Attributes, x: number, y: number, width: number, height: number) => SVGElement} */
  const box = (attributes, x, y, width, height) =>
    svg("rect", { ...g.box(x, y, width, height), ...attributes });
  return [
    box({ class: "frame", rx: 14 }, 0.75, 0.75, g.length - 1.5, g.depth - 1.5),
    ...[g.edge, g.edge + half + layout.bar].map((x) =>
      box({ class: "field", rx: 3 }, x, layout.strip, half, inner),
    ),
    ...[layout.strip, g.depth - layout.strip - layout.reach].map((y) =>
      box({ class: "tray", rx: 4 }, g.length - layout.tray + 8, y, layout.tray - 16, layout.reach),
    ),
    ...points(g),
  ];
};

/**
 * @param {Geometry} g
 * @param {Side} side
 * @param {number} slot
 * @param {number} count
 */
const stack = (g, side, slot, count) => {
  const shapes = [];
  for (let index = 0; index < Math.min(count, SHOWN); index += 1) {
    const [cx, cy] = g.spot(side, slot, index);
    shapes.push(svg("circle", { cx, cy, r: g.layout.radius }));
  }
  if (count > SHOWN) {
    const [x, y] = g.spot(side, slot, SHOWN - 1);
    shapes.push(lettering(x, y, String(count), { class: "count", ...BOLD }));
  }
  return shapes;
};

/**
 * @param {Geometry} g
 * @param {Side} side
 * @param {number} count
 */
const borneOff = (g, side, count) => {
  const { layout } = g;
  const top = side !== g.bottom;
  const shapes = [];
  for (let index = 0; index < count; index += 1) {
    const far = g.across((index + 1) * layout.slab, top);
    const near = g.across(index * layout.slab + 1, top);
    const box = g.box(g.length - layout.tray + 11, Math.min(far, near), layout.tray - 22, layout.slab - 1);
    shapes.push(svg("rect", { ...box, class: "slab", rx: 2.5 }));
  }
  const [x, y] = g.at(g.length - layout.tray / 2, g.depth / 2 + ((top ? -1 : 1) * layout.middle) / 4);
  shapes.push(lettering(x, y, String(count), { class: "off", ...BOLD }));
  return shapes;
};

/**
 * @param {Geometry} g
 * @param {Seen} seen
 */
const cube = (g, { cube: shown }) => {
  if (!shown) return [];
  const [cx, cy] = g.cube(shown);
  const size = { 1: 21, 2: 20, 3: 16, 4: 13 }[String(shown.value).length] ?? 11;
  return [
    svg(
      "g",
      { class: `cube${shown.offered_to ? " offered" : ""}` },
      svg("rect", { x: cx - 18, y: cy - 18, width: 36, height: 36, rx: 7, "stroke-width": 1.75 }),
      lettering(cx, cy, String(shown.value), { "font-size": size, "font-weight": "bold" }),
    ),
  ];
};

/**
 * The n-th die.
 * @param {Geometry} g
 * @param {Seen} seen
 * @param {number} n
 */
const die = (g, { dice, mover }, n) => {
  const shown = dice?.[n];
  if (!shown) return [];
  const { value, used } = shown;
  const [cx, cy] = g.die(mover, n, dice.length);
  const dots = (PIPS[value] ?? []).map(([across, down]) =>
    svg("circle", { cx: cx + 8.5 * across, cy: cy + 8.5 * down, r: 3.1 }),
  );
  const square = svg("rect", { x: cx - 16, y: cy - 16, width: 32, height: 32, rx: 7 });
  const pips = svg("g", { class: "pips", stroke: "none" }, ...dots);
  const drawn = svg("g", { class: `die${used ? " used" : ""}` }, square, pips);
  return [svg("g", { class: `dice ${mover}`, "stroke-width": 1.75 }, drawn)];
};

/**
 * @param {Geometry} g
 * @param {Seen} seen
 */
const turn = (g, { turn: side }) => {
  if (!side) return [];
  const x = g.length - g.layout.tray / 2;
  const corners = [
    [-7, -16],
    [7, -16],
    [0, -5],
  ].map(([dx, dy]) => g.at(x + dx, g.across(dy, side !== g.bottom)).join(","));
  return [svg("polygon", { class: "turn", points: corners.join(" ") })];
};

/**
 * Where a checker may land wears a dot, a larger one while it is held.
 * @param {Geometry} g
 * @param {Seen} seen
 * @param {number} slot
 */
const landing = (g, { mover, position, to, held }, slot) => {
  if (!(held ?? to).has(slot)) return [];
  const [cx, cy] = g.spot(mover, slot, slot === OFF ? 0 : position[mover][slot]);
  const dot = svg("circle", { cx, cy, r: held ? 9 : 6 });
  return [svg("g", { class: `landing ${held ? "now" : "to"}` }, dot)];
};

/**
 * What can be moved wears a ring.
 * @param {Geometry} g
 * @param {Seen} seen
 * @param {number} slot
 */
const ring = (g, { can, mover, position }, slot) => {
  const count = position[mover][slot];
  if (!can.has(slot) || !count) return [];
  const [cx, cy] = g.spot(mover, slot, Math.min(count, SHOWN) - 1);
  return [svg("circle", { class: `can ${mover}`, cx, cy, r: g.layout.radius - 4 })];
};

const SLOTS = Array.from({ length: 26 }, (_none, slot) => slot);

/**
 * What changes on the board, from below: what a part shows, as text or a number, and how it is drawn.
 * @typedef {{ of(seen: Seen): string | number, drawn(g: Geometry, seen: Seen): SVGElement[] }} Part
 */

/** @type {(side: Side, slot: number) => Part} */
const checkersOn = (side, slot) => ({
  of: ({ position }) => position[side][slot] || "",
  drawn: (g, { position }) => {
    const count = position[side][slot];
    if (!count) return [];
    return slot === OFF ? borneOff(g, side, count) : stack(g, side, slot, count);
  },
});

/** @type {Record<Side, Part[]>} each place of a side */
const CHECKERS = {
  white: SLOTS.map((slot) => checkersOn("white", slot)),
  black: SLOTS.map((slot) => checkersOn("black", slot)),
};

/** @type {Part[]} */
const OTHERS = [
  { of: (seen) => JSON.stringify(seen.cube), drawn: cube },
  ...[0, 1, 2, 3].map((n) => ({
    of: (/** @type {Seen} */ { dice, mover }) =>
      dice?.[n] ? `${dice[n].value} ${dice[n].used} ${mover} ${dice.length}` : "",
    drawn: (/** @type {Geometry} */ g, /** @type {Seen} */ seen) => die(g, seen, n),
  })),
  { of: (seen) => seen.turn ?? "", drawn: turn },
  ...SLOTS.map((slot) => ({
    of: (/** @type {Seen} */ { can, mover, position }) =>
      can.has(slot) ? `${mover} ${position[mover][slot]}` : "",
    drawn: (/** @type {Geometry} */ g, /** @type {Seen} */ seen) => ring(g, seen, slot),
  })),
  ...SLOTS.map((slot) => ({
    of: (/** @type {Seen} */ { to, held, mover, position }) =>
      (held ?? to).has(slot) ? `${mover} ${Boolean(held)} ${position[mover][slot]}` : "",
    drawn: (/** @type {Geometry} */ g, /** @type {Seen} */ seen) => landing(g, seen, slot),
  })),
];

/** A group that Pico's `[role=group]:has(...)` leaves alone: these would be matched with every tap. */
const GROUP = "graphics-object group";

/** What is drawn of a part, in a group that is on the board once there is something in it. */
class DrawnPart {
  /** @type {string | number} */
  shown = "";
  /** @type {SVGGElement | null} */
  group = null;

  /**
   * @param {Part} part
   * @param {SVGElement} host
   */
  constructor(part, host) {
    this.part = part;
    this.host = host;
  }

  /**
   * @param {Geometry} g
   * @param {Seen} seen
   * @returns {boolean} whether it shows something else now
   */
  draw(g, seen) {
    const shown = this.part.of(seen);
    if (shown === this.shown) return false;
    this.shown = shown;
    const drawn = this.part.drawn(g, seen);
    if (!this.group && drawn.length) {
      this.group = svg("g");
      this.host.append(this.group);
    }
    if (this.group) morph(this.group, drawn);
    return true;
  }
}

/** The whole board. Drawn again, only those parts change that show something else. */
export class BoardDrawing {
  /**
   * @param {Geometry} g
   * @param {string} title
   */
  constructor(g, title) {
    const [width, height] = g.size;
    this.g = g;
    /** @type {Side | null} */
    this.numbered = null;
    this.numbers = svg("g");
    /** @type {Map<Side, SVGElement>} whose numbers were shown: all stay, those of one are seen */
    this.numbersOf = new Map();
    const sides = SIDES.map((side) => svg("g", { class: `checkers ${side}`, "stroke-width": 1.75 }));
    const others = OTHERS.map(() => svg("g"));
    this.parts = [
      ...SIDES.flatMap((side, n) => CHECKERS[side].map((part) => new DrawnPart(part, sides[n]))),
      ...OTHERS.map((part, n) => new DrawnPart(part, others[n])),
    ];
    this.targets = new Targets(g);
    this.element = svg(
      "svg",
      { class: "board-drawing", viewBox: `0 0 ${width} ${height}`, role: GROUP, "aria-label": title },
      ...ground(g),
      this.numbers,
      ...sides,
      ...others,
      this.targets.group,
    );
  }

  /**
   * @param {Seen} seen
   * @returns {boolean} whether a part shows something else now
   */
  draw(seen) {
    let isOther = this.number(seen.numbers);
    for (const part of this.parts) isOther = part.draw(this.g, seen) || isOther;
    return isOther;
  }

  /**
   * Show the numbers of a side. Letters are slow to lay out: those of the other side are only unseen.
   * @param {Side} side
   */
  number(side) {
    if (this.numbered === side) return false;
    this.numbered = side;
    if (!this.numbersOf.has(side)) {
      const made = numbers(this.g, side);
      this.numbersOf.set(side, made);
      this.numbers.append(made);
    }
    for (const [of, group] of this.numbersOf) group.setAttribute("opacity", of === side ? "1" : "0");
    return true;
  }
}
