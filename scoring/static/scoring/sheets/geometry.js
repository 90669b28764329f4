// Where things are on the drawing of a board, seen from one side. Sizes come from scoring/drawing/board.py.

/**
 * @typedef {import("./play.js").Side} Side
 * @typedef {[x: number, y: number]} Spot
 * @typedef {{ x: number, y: number, width: number, height: number }} Rectangle
 *
 * @typedef {{ pitch: number, bar: number, tray: number, edge?: number, strip: number, reach: number, middle: number,
 *   radius: number, stack: number, slab: number, turned: boolean }} Layout
 */

/** So many checkers of a stack are drawn; a number stands on those of a higher one. */
export const SHOWN = 5;
export const BAR = 25;
export const OFF = 0;

/** Where things are on one layout, seen from one side. */
export class Geometry {
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

  /** @returns {[width: number, height: number]} */
  get size() {
    return this.layout.turned ? [this.depth, this.length] : [this.length, this.depth];
  }

  /**
   * @param {number} x
   * @param {number} y
   * @returns {Spot}
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
   * @returns {Rectangle}
   */
  box(x, y, width, height) {
    const [x1, y1] = this.at(x, y);
    const [x2, y2] = this.at(x + width, y + height);
    return {
      x: Math.min(x1, x2),
      y: Math.min(y1, y2),
      width: Math.abs(x2 - x1),
      height: Math.abs(y2 - y1),
    };
  }

  /**
   * Where a checker lies: the centre of the index-th on a place of a side's own numbering.
   * @param {Side} side
   * @param {number} slot
   * @param {number} index
   * @returns {Spot}
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
   */
  place(side, slot) {
    const { layout } = this;
    const below = side === this.bottom;
    const half = this.depth / 2;
    if (slot === BAR) return this.box(this.barAt - layout.bar / 2, below ? 0 : half, layout.bar, half);
    if (slot === OFF) return this.box(this.length - layout.tray, below ? half : 0, layout.tray, half);
    const point = below ? slot : 25 - slot;
    return this.box(this.along(point) - layout.pitch / 2, point > 12 ? 0 : half, layout.pitch, half);
  }

  /**
   * The centre of the cube: beside the board of whom it is offered to, in its owner's corner, or in the middle.
   * @param {{ owner: Side | null, offered_to: Side | null }} cube
   */
  cube({ owner, offered_to: offeredTo }) {
    const { layout } = this;
    let x = this.cubeOnBar ? this.barAt : layout.tray / 2;
    let y = this.depth / 2;
    if (offeredTo) {
      x = this.edge + 3 * layout.pitch;
      y += (layout.middle / 2 - 23) * (offeredTo === this.bottom ? 1 : -1);
    } else if (owner) {
      y = this.across(19, owner !== this.bottom);
    }
    return this.at(x, y);
  }

  /**
   * The middle between the dice of whoever moves, before it is mirrored or turned.
   * @param {Side} mover
   * @returns {Spot}
   */
  dice(mover) {
    const { layout } = this;
    const lean = (layout.middle / 2 - 20) * (mover === this.bottom ? 1 : -1);
    return [this.length - layout.tray - 3 * layout.pitch, this.depth / 2 + lean];
  }

  /**
   * The centre of the n-th of so many dice: the first on the reader's left.
   * @param {Side} mover
   * @param {number} n
   * @param {number} count
   */
  die(mover, n, count) {
    const [x, y] = this.dice(mover);
    const shift = 20 * (2 * n + 1 - count) * (this.home === "right" ? 1 : -1);
    return this.at(x + shift, y);
  }
}
