// The board that is touched: its drawing in a place of the page, and the fingers and keys on it.

import { BoardDrawing } from "./board_drawing.js";
import { Geometry } from "./geometry.js";
import { svg } from "./svg.js";

/**
 * @typedef {import("./board_drawing.js").Seen} Seen
 * @typedef {import("./taps.js").Touched} Touched
 *
 * @typedef {object} Press
 * @property {string} touch
 * @property {number | null} slot
 * @property {boolean} checker
 * @property {number} x
 * @property {number} y
 * @property {SVGElement | null} ghost
 * @property {number} frame that shows where the checker may land
 */

const DRAGGED = 8; // pixels; less is a tap

export class Board {
  /**
   * @param {HTMLElement} host
   * @param {Touched} touched
   */
  constructor(host, touched) {
    this.host = host;
    this.touched = touched;
    /** @type {Map<number, Press>} what each finger is on; the board is drawn again meanwhile */
    this.presses = new Map();
    /** @type {Seen | null} */
    this.seen = null;
    /** @type {Geometry | null} */
    this.geometry = null;
    /** @type {BoardDrawing | null} */
    this.drawing = null;
    /** @type {unknown[]} what the drawing is made for: another layout or side begins another one */
    this.looks = [];
    /** Whether what is touched is not yet where the drawing shows it. */
    this.isBehind = false;
    host.addEventListener("pointerdown", (event) => this.pointerDown(event));
    host.addEventListener("pointermove", (event) => this.pointerMove(event));
    host.addEventListener("pointerup", (event) => this.pointerUp(event));
    host.addEventListener("pointercancel", (event) => this.letGo(event));
    host.addEventListener("keydown", (event) => this.keyDown(event));
  }

  /** @param {Seen} seen */
  draw(seen) {
    this.drawFirst(seen);
    this.finish();
  }

  /**
   * Draw what is seen of it. What is touched follows with `finish`, or before a finger that is faster.
   * @param {Seen} seen
   * @returns {boolean} whether it shows something else now
   */
  drawFirst(seen) {
    const looks = [seen.layout, seen.bottom, seen.home];
    if (!this.drawing || looks.some((look, n) => look !== this.looks[n])) this.begin(seen, looks);
    this.seen = seen;
    this.isBehind = true;
    return this.drawing.draw(seen);
  }

  /** Draw what is touched; what had the focus has it again. */
  finish() {
    this.isBehind = false;
    const focused = this.host.contains(document.activeElement) ? document.activeElement.dataset.touch : null;
    this.drawing.targets.draw(this.seen);
    if (focused) this.focus(focused);
  }

  /** @param {string} focused what had the focus */
  focus(focused) {
    const again =
      this.host.querySelector(`[data-touch="${focused}"][tabindex]`) ?? this.host.querySelector("[tabindex]");
    if (again !== document.activeElement) again?.focus();
  }

  /**
   * Begin a drawing of another board: the one before it is gone.
   * @param {Seen} seen
   * @param {unknown[]} looks
   */
  begin(seen, looks) {
    this.looks = looks;
    this.geometry = new Geometry(seen.layout, seen.bottom, seen.home);
    this.drawing = new BoardDrawing(this.geometry, seen.title);
    this.host.replaceChildren(this.drawing.element);
    for (const { ghost } of this.presses.values()) if (ghost) this.drawing.element.append(ghost.parentNode);
  }

  /** No checker is held any more. */
  release() {
    if (this.seen.held) this.draw({ ...this.seen, held: null });
  }

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
    if (event.button) return;
    if (this.isBehind) this.finish();
    const target = this.targetAt(event);
    if (!target) return;
    const { touch, point } = target.dataset;
    const slot = point === undefined ? null : Number(point);
    const checker = slot !== null && target.classList.contains("can-move");
    const { pointerId, clientX: x, clientY: y } = event;
    // A tap that is over by the next frame draws once: what it does.
    const frame = checker ? requestAnimationFrame(() => this.hold(slot)) : 0;
    this.presses.set(pointerId, { touch, slot, checker, x, y, ghost: null, frame });
  }

  /** @param {number} slot of the checker under a finger, whose landings are shown */
  hold(slot) {
    const held = this.touched.press(slot);
    if (held) this.draw({ ...this.seen, held });
  }

  /** @param {PointerEvent} event */
  pointerMove(event) {
    const press = this.presses.get(event.pointerId);
    if (!press?.checker) return;
    if (!press.ghost) {
      if (Math.hypot(event.clientX - press.x, event.clientY - press.y) < DRAGGED) return;
      press.ghost = svg("circle", { r: this.geometry.layout.radius + 2, "stroke-width": 1.75 });
      this.drawing.element.append(svg("g", { class: `checkers ghost ${this.seen.mover}` }, press.ghost));
      this.host.setPointerCapture(event.pointerId);
    }
    const matrix = this.drawing.element.getScreenCTM().inverse();
    const spot = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    press.ghost.setAttribute("cx", String(spot.x));
    press.ghost.setAttribute("cy", String(spot.y));
  }

  /** @param {PointerEvent} event */
  pointerUp(event) {
    const press = this.presses.get(event.pointerId);
    if (!press) return;
    this.presses.delete(event.pointerId);
    cancelAnimationFrame(press.frame);
    const target = this.targetAt(event);
    if (press.ghost) {
      press.ghost.closest("g").remove();
      const to = target?.dataset.point;
      if (to !== undefined && target.dataset.touch !== press.touch) this.touched.drop(press.slot, Number(to));
    } else if (target?.dataset.touch === press.touch) {
      this.activate(press.touch);
    }
    this.release();
  }

  /** @param {PointerEvent} event */
  letGo(event) {
    const press = this.presses.get(event.pointerId);
    if (!press) return;
    this.presses.delete(event.pointerId);
    cancelAnimationFrame(press.frame);
    press.ghost?.closest("g").remove();
    this.release();
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
