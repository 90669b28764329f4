// What the first taps run is run once before them, while nobody taps: a browser compiles code when it first runs, and a
// slow phone takes two frames for that.

import { BoardDrawing } from "./board_drawing.js";
import { boardSeen } from "./board_state.js";
import { refusalWords } from "./checking.js";
import { Dock } from "./dock.js";
import { playEntry, rollEntry } from "./entries.js";
import { Geometry } from "./geometry.js";
import { inWords } from "./log.js";
import { barred, projected } from "./projection.js";
import { basisOf, Turn } from "./turn.js";

/**
 * @typedef {import("./sheet.js").View} View
 *
 * @typedef {object} Stage
 * @property {View} view
 * @property {import("./play.js").Position} starting
 * @property {Parameters<typeof boardSeen>[1]} looks
 * @property {boolean} grid
 * @property {import("./taps.js").Does} does
 */

const ROLL = /** @type {const} */ ([3, 1]);

/**
 * Roll, move and pick up the dice, on a board and a dock that nobody sees; nothing of it is recorded.
 * @param {Stage} stage
 */
const play = ({ view, starting, looks, grid, does }) => {
  const board = new BoardDrawing(new Geometry(looks.layout, looks.bottom, looks.home), "");
  const dock = new Dock(document.createElement("div"), does);
  const turn = new Turn();
  /** @param {View} shown */
  const draw = (shown) => {
    if (shown !== turn.view) turn.follow(shown, basisOf(shown));
    const seen = boardSeen({ view: shown, turn, mine: true }, looks);
    board.draw(seen);
    board.targets.draw(seen);
    dock.draw({ view: shown, turn, writes: true, grid, pending: null });
  };
  const never = barred(view, starting);
  /** @type {(before: View, entry: { kind: string, body: object }) => View} */
  const after = (before, entry) => {
    refusalWords(entry, before, starting);
    inWords(entry, before);
    return projected(before, [entry], starting, never);
  };
  draw(view);
  const rolled = after(view, rollEntry(...ROLL, view.game.phase));
  draw(rolled);
  while (!turn.isComplete && turn.tap(Math.max(...turn.can()))) draw(rolled);
  if (turn.isComplete) draw(after(rolled, playEntry(turn)));
};

/** @type {(done: () => void) => void} */
const whenIdle = window.requestIdleCallback ?? ((done) => setTimeout(done, 200));

/**
 * Rehearse a turn once the browser has nothing else to do, where the next tap is a roll.
 * @param {() => Stage | null} stage what is there then; null where nothing is to be tapped
 */
export const rehearse = (stage) =>
  whenIdle(() => {
    const set = stage();
    if (set && ["opening", "turn"].includes(set.view.game.phase)) play(set);
  });
