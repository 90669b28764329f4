// What fingers and keys reach on a board: every place of whoever moves, the dice and the cube.

import { BAR, OFF } from "./geometry.js";
import { svg } from "./svg.js";

/**
 * @typedef {import("./board_drawing.js").Seen} Seen
 * @typedef {import("./geometry.js").Geometry} Geometry
 * @typedef {import("./svg.js").Attributes} Attributes
 */

const SLOTS = [...Array.from({ length: 24 }, (_none, n) => 24 - n), BAR, OFF];

/** A group, not the rectangle itself: the site's buttons have a width of their own, and a rectangle would take it. */
class Target {
  key = "";

  constructor() {
    this.rectangle = svg("rect");
    this.group = svg("g", {}, this.rectangle);
  }

  /**
   * @param {string} key the same text for what is drawn the same
   * @param {() => [group: Attributes, shape: Attributes]} attributes null removes one
   */
  draw(key, attributes) {
    if (key === this.key) return;
    this.key = key;
    const [group, shape] = attributes();
    for (const [element, wanted] of /** @type {const} */ ([
      [this.group, group],
      [this.rectangle, shape],
    ]))
      for (const [name, value] of Object.entries(wanted))
        if (value === null) element.removeAttribute(name);
        else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
  }
}

/** @type {(label: string | null) => Attributes} what is reached by keys has a label */
const pressable = (label) =>
  label === null
    ? { role: null, tabindex: null, "aria-label": null }
    : { role: "button", tabindex: 0, "aria-label": label };

export class Targets {
  /** @param {Geometry} g */
  constructor(g) {
    this.g = g;
    this.places = SLOTS.map((slot) => ({ slot, target: new Target() }));
    this.dice = new Target();
    this.cube = new Target();
    const places = this.places.map(({ target }) => target.group);
    this.group = svg("g", { class: "targets", fill: "none", "pointer-events": "all" }, ...places);
  }

  /** @param {Seen} seen */
  draw(seen) {
    const { g } = this;
    const { mover, labels } = seen;
    for (const { slot, target } of this.places) {
      const can = seen.free || seen.can.has(slot);
      const label = can || seen.to.has(slot) ? labels.place(slot) : null;
      target.draw(`${mover} ${can} ${label ?? ""}`, () => [
        {
          class: `target${can ? " can-move" : ""}`,
          "data-point": slot,
          "data-touch": `point-${slot}`,
          ...pressable(label),
        },
        { ...g.place(mover, slot) },
      ]);
    }
    const [x, y] = g.dice(mover);
    const half = 20 * (seen.dice?.length ?? 0) + 4;
    const dice = { ...g.box(x - half, y - 24, 2 * half, 48) };
    this.press(this.dice, "dice", seen.dice ? labels.dice : "", dice);
    const [cx, cy] = seen.cube ? g.cube(seen.cube) : [0, 0];
    const box = { x: cx - 24, y: cy - 24, width: 48, height: 48 };
    this.press(this.cube, "cube", seen.cube ? labels.cube : "", box);
  }

  /**
   * @param {Target} target
   * @param {string} touch
   * @param {string} label "" where there is nothing to press
   * @param {Attributes} shape
   */
  press(target, touch, label, shape) {
    if (!label) {
      target.group.remove();
      return;
    }
    target.draw(`${label} ${Object.values(shape)}`, () => [
      { class: "target", "data-touch": touch, ...pressable(label) },
      shape,
    ]);
    if (!target.group.parentNode) this.group.append(target.group);
  }
}
