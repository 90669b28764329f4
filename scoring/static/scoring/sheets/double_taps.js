// The second of two quick taps, which was meant for what the first one has done: a finger is slower than the page.

const TOO_SOON = 400; // milliseconds
const NEAR = 24; // pixels
// The same dice can follow one another at once, as can games, whose form is empty after each. The same of anything
// else, so soon, is one button tapped twice.
const REPEATED = new Set(["roll", "opening_roll", "play", "game_result"]);

export class DoubleTaps {
  constructor() {
    this.tapped = { x: 0, y: 0, at: -TOO_SOON };
    this.recorded = { entry: "", at: -TOO_SOON };
  }

  /**
   * Whether a tap is the second one in one place, on a button that the first one may have brought under the finger.
   * A mouse counts its clicks itself, not every phone does.
   * @param {Pick<PointerEvent, "clientX" | "clientY" | "detail" | "pointerType">} event
   */
  isSecond({ clientX: x, clientY: y, detail, pointerType }) {
    if (!detail) return false; // a key has no place
    const before = this.tapped;
    this.tapped = { x, y, at: performance.now() };
    const isNear = Math.hypot(x - before.x, y - before.y) < NEAR;
    const isQuick = isNear && this.tapped.at - before.at < TOO_SOON;
    return detail > 1 || (isQuick && pointerType !== "mouse");
  }

  /**
   * Whether an entry is the last one again, by one button.
   * @param {string} kind
   * @param {object} body
   */
  isRepeated(kind, body) {
    const before = this.recorded;
    this.recorded = { entry: JSON.stringify([kind, body]), at: performance.now() };
    const isAlike = this.recorded.entry === before.entry && this.recorded.at - before.at < TOO_SOON;
    return isAlike && !REPEATED.has(kind);
  }
}
