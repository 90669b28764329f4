// What is drawn after the frame that shows what a finger did: a slow phone has no time for all of it in one.

const LATEST_FRAME = 100; // milliseconds; a page that is not in sight has no frames
const PAUSE = 100; // milliseconds without a tap
const LONGEST = 2000; // milliseconds; who taps on and on sees it then

/**
 * Begin to wait, and say how to stop it.
 * @typedef {(done: () => void, asked: number) => () => void} Wait
 */

/** @type {Wait} */
const nextFrame = (done) => {
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(done);
  });
  const timer = setTimeout(done, LATEST_FRAME);
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
};

/** @type {Wait} */
const pause = (done, asked) => {
  const timer = setTimeout(done, Math.min(PAUSE, asked + LONGEST - performance.now()));
  return () => clearTimeout(timer);
};

/** Drawing that waits; it is done once, however often it was asked for. */
export class Late {
  isPending = false;
  asked = 0;
  stop = () => {};

  /**
   * @param {() => void} draw
   * @param {Wait} wait
   * @param {boolean} begins whether each time that it is asked for begins the wait again
   */
  constructor(draw, wait, begins) {
    this.draw = draw;
    this.wait = wait;
    this.begins = begins;
  }

  ask() {
    if (this.isPending && !this.begins) return;
    if (!this.isPending) this.asked = performance.now();
    this.isPending = true;
    this.stop();
    this.stop = this.wait(() => this.now(), this.asked);
  }

  now() {
    if (!this.isPending) return;
    this.isPending = false;
    this.stop();
    this.draw();
  }
}

/** @type {(draw: () => void) => Late} in the next frame after the one that shows the tap */
export const inNextFrame = (draw) => new Late(draw, nextFrame, false);

/** @type {(draw: () => void) => Late} once nobody taps for a moment */
export const inPause = (draw) => new Late(draw, pause, true);
