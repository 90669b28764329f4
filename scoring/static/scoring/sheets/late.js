// What is drawn in the frame after the one that shows what a finger did: a slow phone has no time for both in one.

const LATEST = 100; // milliseconds; a page that is not in sight has no frames

/** Drawing that waits until the next frame is on the screen; it is done once, however often it was asked for. */
export class Late {
  isPending = false;
  frame = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;

  /** @param {() => void} draw */
  constructor(draw) {
    this.draw = draw;
    this.channel = new MessageChannel();
    this.channel.port1.onmessage = () => this.now();
  }

  ask() {
    if (this.isPending) return;
    this.isPending = true;
    // A message of a frame arrives once that frame is drawn.
    this.frame = requestAnimationFrame(() => this.channel.port2.postMessage(null));
    this.timer = setTimeout(() => this.now(), LATEST);
  }

  now() {
    if (!this.isPending) return;
    this.isPending = false;
    cancelAnimationFrame(this.frame);
    clearTimeout(this.timer);
    this.draw();
  }
}
