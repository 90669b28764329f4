// The board that is touched: the drawing of scoring/drawing/board.py, redrawn as the checkers move. Sizes come from there.
// Nothing here knows which plays are legal: who draws says what can be moved and where it may land.

/**
 * @typedef {import("./play.js").Side} Side
 * @typedef {Record<string, string | number | boolean | null | undefined>} Attributes
 * @typedef {{ value: number, owner: Side | null, offered_to: Side | null }} ShownCube
 *
 * @typedef {object} Seen what is to be drawn
 * @property {Layout} layout
 * @property {Side} bottom
 * @property {"left" | "right"} home
 * @property {import("./play.js").Position} position
 * @property {Side} mover
 * @property {Side | null} turn
 * @property {ShownCube | null} cube
 * @property {{ value: number, used: boolean }[] | null} dice
 * @property {Set<number>} can
 * @property {Set<number>} to
 * @property {boolean} free whether anything can be dragged
 * @property {string} title
 * @property {{ place(slot: number): string, dice: string, cube: string }} labels
 *
 * @typedef {object} Touched what fingers do
 * @property {(slot: number) => void} tap
 * @property {(from: number, to: number) => void} drop
 * @property {(slot: number) => Set<number> | null} press where the checker may land
 * @property {() => void} dice
 * @property {() => void} cube
 *
 * @typedef {{ target: HTMLElement, slot: number | null, checker: boolean, x: number, y: number, ghost: SVGElement | null }} Press
 *
 * @typedef {{ pitch: number, bar: number, tray: number, edge?: number, strip: number, reach: number, middle: number,
 *   radius: number, stack: number, slab: number, turned: boolean }} Layout
 */

const SVG = "http://www.w3.org/2000/svg";
/** @type {Side[]} */
const SIDES = ["white", "black"];
const SHOWN = 5;
const BAR = 25;
const OFF = 0;
const DRAGGED = 8; // pixels; less is a tap
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

/** @type {<Tag extends keyof SVGElementTagNameMap>(tag: Tag, attributes?: Attributes, ...children: Node[]) => SVGElementTagNameMap[Tag]} */
const svg = (tag, attributes = {}, ...children) => {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null && value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children);
  return element;
};

/** @type {(x: number, y: number, words: string, attributes?: Attributes) => SVGElement} */
const lettering = (x, y, words, attributes = {}) => {
  const element = svg("text", { x, y, dy: "0.36em", "text-anchor": "middle", ...attributes });
  element.textContent = words;
  return element;
};

/** Where things are on one layout, seen from one side. */
class Geometry {
  /**
   * @param {Layout} layout
   * @param {Side} bottom
   * @param {"left" | "right"} home
   */
  constructor(layout, bottom, home) {
    this.layout = layout;
    this.bottom = bottom;
    this.home = home;
    // A narrow edge in the place of the cube's tray: the cube lies on the bar then.
    this.edge = layout.edge ?? layout.tray;
    this.cubeOnBar = this.edge < layout.tray;
    this.length = 12 * layout.pitch + layout.bar + this.edge + layout.tray;
    this.barAt = this.edge + 6 * layout.pitch + layout.bar / 2;
    this.depth = 2 * (layout.strip + layout.reach) + layout.middle;
  }

  get size() {
    return this.layout.turned ? [this.depth, this.length] : [this.length, this.depth];
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  at(x, y) {
    const along = this.home === "left" ? this.length - x : x;
    return this.layout.turned ? [this.depth - y, along] : [along, y];
  }

  /** @param {number} point */
  along(point) {
    const column = point <= 12 ? 12 - point : point - 13;
    return this.edge + (column + 0.5) * this.layout.pitch + (column >= 6 ? this.layout.bar : 0);
  }

  /**
   * @param {number} distance
   * @param {boolean} top
   */
  across(distance, top) {
    return top ? this.layout.strip + distance : this.depth - this.layout.strip - distance;
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} width
   * @param {number} height
   * @param {Attributes} attributes
   */
  box(x, y, width, height, attributes) {
    const [x1, y1] = this.at(x, y);
    const [x2, y2] = this.at(x + width, y + height);
    return svg("rect", {
      x: Math.min(x1, x2),
      y: Math.min(y1, y2),
      width: Math.abs(x2 - x1),
      height: Math.abs(y2 - y1),
      ...attributes,
    });
  }

  /**
   * @param {Side} side
   * @param {number} slot
   * @param {number} index
   */
  spot(side, slot, index) {
    const { layout } = this;
    const below = side === this.bottom;
    const level =
      Math.min(index, SHOWN - 1) * (slot === BAR && this.cubeOnBar ? layout.stack / 2 : layout.stack);
    if (slot === BAR) {
      const away = layout.middle / 2 + layout.radius + level - (this.cubeOnBar ? 1 : 4);
      return this.at(this.barAt, this.depth / 2 + (below ? -away : away));
    }
    if (slot === OFF) return this.at(this.length - layout.tray / 2, this.across(layout.reach / 2, !below));
    const point = below ? slot : 25 - slot;
    return this.at(this.along(point), this.across(layout.radius + 1.5 + level, point > 12));
  }

  /**
   * The rectangle of a place of a side's own numbering.
   * @param {Side} side
   * @param {number} slot
   * @param {Attributes} attributes
   */
  place(side, slot, attributes) {
    const { layout } = this;
    const below = side === this.bottom;
    if (slot === BAR)
      return this.box(
        this.barAt - layout.bar / 2,
        below ? 0 : this.depth / 2,
        layout.bar,
        this.depth / 2,
        attributes,
      );
    if (slot === OFF)
      return this.box(
        this.length - layout.tray,
        below ? this.depth / 2 : 0,
        layout.tray,
        this.depth / 2,
        attributes,
      );
    const point = below ? slot : 25 - slot;
    return this.box(
      this.along(point) - layout.pitch / 2,
      point > 12 ? 0 : this.depth / 2,
      layout.pitch,
      this.depth / 2,
      attributes,
    );
  }
}

/**
 * The drawing in a place of the page, and the fingers on it.
 */
export class Board {
  /**
   * @param {HTMLElement} host
   * @param {Touched} touched
   */
  constructor(host, touched) {
    this.host = host;
    this.touched = touched;
    /** @type {Press | null} */
    this.press = null;
    /** @type {Seen | null} */
    this.seen = null;
    /** @type {Geometry | null} */
    this.geometry = null;
    host.addEventListener("pointerdown", (event) => this.pointerDown(event));
    host.addEventListener("pointermove", (event) => this.pointerMove(event));
    host.addEventListener("pointerup", (event) => this.pointerUp(event));
    host.addEventListener("pointercancel", () => this.letGo());
    host.addEventListener("keydown", (event) => this.keyDown(event));
  }

  /**
   * Draw it.
   * @param {Seen} seen
   */
  draw(seen) {
    const focused = this.host.contains(document.activeElement) ? document.activeElement.dataset.touch : null;
    this.seen = seen;
    this.geometry = new Geometry(seen.layout, seen.bottom, seen.home);
    const [width, height] = this.geometry.size;
    const drawing = svg("svg", {
      class: "board-drawing",
      viewBox: `0 0 ${width} ${height}`,
      role: "group",
      "aria-label": seen.title,
    });
    drawing.append(
      ...this.ground(),
      ...this.checkers(),
      ...this.cube(),
      ...this.dice(),
      ...this.turn(),
      ...this.marks(),
      this.targets(),
    );
    this.host.replaceChildren(drawing);
    if (focused) {
      const again =
        this.host.querySelector(`[data-touch="${focused}"][tabindex]`) ??
        this.host.querySelector("[tabindex]");
      again?.focus();
    }
  }

  ground() {
    const { geometry: g } = this;
    const { layout } = g;
    const inner = g.depth - 2 * layout.strip;
    const half = 6 * layout.pitch;
    /** @type {SVGElement[]} */
    const shapes = [g.box(0.75, 0.75, g.length - 1.5, g.depth - 1.5, { class: "frame", rx: 14 })];
    for (const x of [g.edge, g.edge + half + layout.bar])
      shapes.push(g.box(x, layout.strip, half, inner, { class: "field", rx: 3 }));
    for (const y of [layout.strip, g.depth - layout.strip - layout.reach]) {
      shapes.push(
        g.box(g.length - layout.tray + 8, y, layout.tray - 16, layout.reach, { class: "tray", rx: 4 }),
      );
    }
    const numbers = svg("g", { class: "numbers", "font-size": 14, "aria-hidden": "true" });
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
      const [numberX, numberY] = g.at(x, g.across(-layout.strip / 2, top));
      numbers.append(lettering(numberX, numberY, String(point)));
    }
    shapes.push(
      svg("path", { class: "points-one", d: paths[1] }),
      svg("path", { class: "points-two", d: paths[0] }),
      numbers,
    );
    return shapes;
  }

  checkers() {
    const { seen } = this;
    return SIDES.map((side) => {
      const group = svg("g", { class: `checkers ${side}`, "stroke-width": 1.75 });
      seen.position[side].forEach((count, slot) => {
        if (!count) return;
        if (slot === OFF) group.append(...this.borneOff(side, count));
        else group.append(...this.stack(side, slot, count));
      });
      return group;
    });
  }

  /**
   * @param {Side} side
   * @param {number} slot
   * @param {number} count
   */
  stack(side, slot, count) {
    const { geometry: g } = this;
    const shapes = [];
    for (let index = 0; index < Math.min(count, SHOWN); index += 1) {
      const [cx, cy] = g.spot(side, slot, index);
      shapes.push(svg("circle", { cx, cy, r: g.layout.radius }));
    }
    if (count > SHOWN) {
      const [x, y] = g.spot(side, slot, SHOWN - 1);
      shapes.push(lettering(x, y, String(count), { class: "count", "font-size": 18, "font-weight": "bold" }));
    }
    return shapes;
  }

  /**
   * @param {Side} side
   * @param {number} count
   */
  borneOff(side, count) {
    const { geometry: g } = this;
    const { layout } = g;
    const top = side !== g.bottom;
    const shapes = [];
    for (let index = 0; index < count; index += 1) {
      const far = g.across((index + 1) * layout.slab, top);
      const near = g.across(index * layout.slab + 1, top);
      shapes.push(
        g.box(g.length - layout.tray + 11, Math.min(far, near), layout.tray - 22, layout.slab - 1, {
          class: "slab",
          rx: 2.5,
        }),
      );
    }
    const [x, y] = g.at(g.length - layout.tray / 2, g.depth / 2 + ((top ? -1 : 1) * layout.middle) / 4);
    shapes.push(lettering(x, y, String(count), { class: "off", "font-size": 18, "font-weight": "bold" }));
    return shapes;
  }

  cube() {
    const { geometry: g, seen } = this;
    if (!seen.cube) return [];
    const { layout } = g;
    let x = g.cubeOnBar ? g.barAt : layout.tray / 2;
    let y = g.depth / 2;
    if (seen.cube.offered_to) {
      x = g.edge + 3 * layout.pitch;
      y += (layout.middle / 2 - 23) * (seen.cube.offered_to === g.bottom ? 1 : -1);
    } else if (seen.cube.owner) {
      y = g.across(19, seen.cube.owner !== g.bottom);
    }
    this.cubeAt = g.at(x, y);
    const [cx, cy] = this.cubeAt;
    const size = { 1: 21, 2: 20, 3: 16, 4: 13 }[String(seen.cube.value).length] ?? 11;
    return [
      svg(
        "g",
        { class: `cube${seen.cube.offered_to ? " offered" : ""}` },
        svg("rect", { x: cx - 18, y: cy - 18, width: 36, height: 36, rx: 7, "stroke-width": 1.75 }),
        lettering(cx, cy, String(seen.cube.value), { "font-size": size, "font-weight": "bold" }),
      ),
    ];
  }

  diceAt() {
    const { geometry: g, seen } = this;
    const lean = (g.layout.middle / 2 - 20) * (seen.mover === g.bottom ? 1 : -1);
    return [g.length - g.layout.tray - 3 * g.layout.pitch, g.depth / 2 + lean];
  }

  dice() {
    const { geometry: g, seen } = this;
    if (!seen.dice) return [];
    const [x, y] = this.diceAt();
    const group = svg("g", { class: `dice ${seen.mover}`, "stroke-width": 1.75 });
    seen.dice.forEach(({ value, used }, n) => {
      const shift = (n ? 20 : -20) * (g.home === "right" ? 1 : -1);
      const [cx, cy] = g.at(x + shift, y);
      const die = svg(
        "g",
        { class: `die${used ? " used" : ""}` },
        svg("rect", { x: cx - 16, y: cy - 16, width: 32, height: 32, rx: 7 }),
      );
      const dots = svg("g", { class: "pips", stroke: "none" });
      for (const [across, down] of PIPS[value] ?? [])
        dots.append(svg("circle", { cx: cx + 8.5 * across, cy: cy + 8.5 * down, r: 3.1 }));
      die.append(dots);
      group.append(die);
    });
    return [group];
  }

  turn() {
    const { geometry: g, seen } = this;
    if (!seen.turn) return [];
    const top = seen.turn !== g.bottom;
    const x = g.length - g.layout.tray / 2;
    const corners = [
      [-7, -16],
      [7, -16],
      [0, -5],
    ].map(([dx, dy]) => g.at(x + dx, g.across(dy, top)).join(","));
    return [svg("polygon", { class: "turn", points: corners.join(" ") })];
  }

  /** What can be moved wears a ring; where it may land, a dot. */
  marks() {
    const { geometry: g, seen } = this;
    const shapes = [];
    for (const slot of seen.can ?? []) {
      const count = seen.position[seen.mover][slot];
      if (!count) continue;
      const [cx, cy] = g.spot(seen.mover, slot, Math.min(count, SHOWN) - 1);
      shapes.push(svg("circle", { class: `can ${seen.mover}`, cx, cy, r: g.layout.radius - 4 }));
    }
    return [...shapes, this.landingMarks(seen.to ?? new Set(), "to")];
  }

  /**
   * @param {Iterable<number>} slots
   * @param {string} kind
   */
  landingMarks(slots, kind) {
    const { geometry: g, seen } = this;
    const group = svg("g", { class: `landing ${kind}` });
    for (const slot of slots) {
      const [cx, cy] =
        slot === OFF ? g.spot(seen.mover, OFF, 0) : g.spot(seen.mover, slot, seen.position[seen.mover][slot]);
      group.append(svg("circle", { cx, cy, r: kind === "to" ? 6 : 9 }));
    }
    return group;
  }

  targets() {
    const { geometry: g, seen } = this;
    const group = svg("g", { class: "targets", fill: "none", "pointer-events": "all" });
    const target = (/** @type {number} */ slot) => {
      const can = seen.free || seen.can?.has(slot);
      const to = seen.to?.has(slot);
      const attributes = {
        class: `target${can ? " can-move" : ""}`,
        "data-point": slot,
        "data-touch": `point-${slot}`,
      };
      if (can || to)
        Object.assign(attributes, { role: "button", tabindex: 0, "aria-label": seen.labels.place(slot) });
      return touchable(g.place(seen.mover, slot, {}), attributes);
    };
    // A group, not the rectangle itself: the site's buttons have a width of their own, and a rectangle would take it.
    const touchable = (/** @type {Node} */ shape, /** @type {Attributes} */ attributes) =>
      svg("g", attributes, shape);
    for (let slot = 24; slot >= 1; slot -= 1) group.append(target(slot));
    group.append(target(BAR), target(OFF));
    if (seen.dice && seen.labels.dice) {
      const [x, y] = this.diceAt();
      group.append(
        touchable(g.box(x - 44, y - 24, 88, 48, {}), {
          class: "target",
          "data-touch": "dice",
          role: "button",
          tabindex: 0,
          "aria-label": seen.labels.dice,
        }),
      );
    }
    if (seen.cube && seen.labels.cube) {
      const [cx, cy] = this.cubeAt;
      group.append(
        touchable(svg("rect", { x: cx - 24, y: cy - 24, width: 48, height: 48 }), {
          class: "target",
          "data-touch": "cube",
          role: "button",
          tabindex: 0,
          "aria-label": seen.labels.cube,
        }),
      );
    }
    return group;
  }

  // Fingers and keys -------------------------------------------------------------------------------------------

  /** @param {string | undefined} touch */
  activate(touch) {
    if (touch === "dice") this.touched.dice();
    else if (touch === "cube") this.touched.cube();
    else if (touch?.startsWith("point-")) this.touched.tap(Number(touch.slice(6)));
  }

  /** @param {PointerEvent} event */
  targetAt(event) {
    return document
      .elementsFromPoint(event.clientX, event.clientY)
      .find((element) => this.host.contains(element) && element.closest(".target"))
      ?.closest(".target");
  }

  /** @param {PointerEvent} event */
  pointerDown(event) {
    const target = event.target.closest?.(".target");
    if (!target || !event.isPrimary || event.button) return;
    const slot = target.dataset.point === undefined ? null : Number(target.dataset.point);
    const checker = slot !== null && target.classList.contains("can-move");
    this.press = { target, slot, checker, x: event.clientX, y: event.clientY, ghost: null };
    if (!checker) return;
    const landing = this.touched.press(slot);
    if (landing) {
      this.host.querySelector(".landing.to")?.remove();
      this.host.querySelector(".targets")?.before(this.landingMarks(landing, "now"));
    }
  }

  /** @param {PointerEvent} event */
  pointerMove(event) {
    const press = this.press;
    if (!press?.checker || !event.isPrimary) return;
    if (!press.ghost) {
      if (Math.hypot(event.clientX - press.x, event.clientY - press.y) < DRAGGED) return;
      press.ghost = svg("circle", { r: this.geometry.layout.radius + 2, "stroke-width": 1.75 });
      this.host.firstElementChild.append(
        svg("g", { class: `checkers ghost ${this.seen.mover}` }, press.ghost),
      );
      this.host.setPointerCapture(event.pointerId);
    }
    const drawing = /** @type {SVGSVGElement} */ (this.host.firstElementChild);
    const spot = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.getScreenCTM().inverse());
    press.ghost.setAttribute("cx", String(spot.x));
    press.ghost.setAttribute("cy", String(spot.y));
  }

  /** @param {PointerEvent} event */
  pointerUp(event) {
    const press = this.press;
    if (!press || !event.isPrimary) return;
    this.press = null;
    const target = this.targetAt(event);
    if (press.ghost) {
      press.ghost.closest("g").remove();
      const to = target?.dataset.point;
      if (to !== undefined && target !== press.target) this.touched.drop(press.slot, Number(to));
      else this.draw(this.seen);
    } else if (target === press.target) {
      this.activate(press.target.dataset.touch);
      if (this.host.querySelector(".landing.now")) this.draw(this.seen);
    } else {
      this.draw(this.seen);
    }
  }

  letGo() {
    if (!this.press) return;
    this.press = null;
    this.draw(this.seen);
  }

  /** @param {KeyboardEvent} event */
  keyDown(event) {
    const touch = event.target.dataset?.touch;
    if (!touch || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    event.stopPropagation();
    this.activate(touch);
  }
}
