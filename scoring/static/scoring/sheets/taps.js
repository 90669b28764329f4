// What a tap on the dock and on the board does.

import { whyIllegal } from "../rules/explain.js";
import { playEntry, rollEntry } from "./entries.js";
import { placeName } from "./position_words.js";
import { can } from "./sheet.js";
import { say } from "./words.js";

/**
 * @typedef {object} Does what the buttons of the dock do
 * @property {(value: number) => void} die
 * @property {(first: number, second: number) => void} roll both dice at once
 * @property {() => void} done
 * @property {() => void} undo
 * @property {() => void} takeBack
 * @property {(kind: string, body: object) => void} act
 * @property {(reason: string) => void} refuse
 * @property {() => void} resign
 *
 * @typedef {object} Touched what fingers on the board do
 * @property {(slot: number) => void} tap
 * @property {(from: number, to: number) => void} drop
 * @property {(slot: number) => Set<number> | null} press where the checker may land
 * @property {() => void} dice
 * @property {() => void} cube
 *
 * @typedef {object} Parts
 * @property {import("./sheet.js").Sheet} sheet
 * @property {import("./turn.js").Turn} turn
 * @property {() => void} resign
 */

/**
 * Why moves are no play of the roll, as the server would say it.
 * @type {(turn: import("./turn.js").Turn, moves: import("./play.js").Move[]) => string}
 */
const whyNoPlay = (turn, moves) => {
  const why = whyIllegal(turn.view.game.position, turn.mover, turn.dice ?? [], moves);
  return why ? say(`illegal_${why.code}`, why.values) : say("not_complete");
};

/** @type {(parts: Parts) => Does} */
export const dockTaps = ({ sheet, turn, resign }) => ({
  die(value) {
    sheet.aside = null;
    if (turn.isMoving && !turn.isComplete) return;
    if (turn.die === null) {
      turn.die = value;
      sheet.render();
      return;
    }
    const first = turn.die;
    turn.die = null;
    this.roll(first, value);
  },
  roll(first, second) {
    const next = turn.isMoving;
    if (next && !turn.isComplete) return;
    const roll = rollEntry(first, second, next ? "turn" : turn.view.game.phase);
    if (next) {
      const play = playEntry(turn);
      sheet.record(play.kind, play.body, [roll]);
    } else {
      sheet.record(roll.kind, roll.body);
    }
  },
  done() {
    if (!turn.isMoving) return;
    if (!turn.isComplete) {
      sheet.tellWhyNot(whyNoPlay(turn, turn.moves));
      return;
    }
    const play = playEntry(turn);
    const isPlayedAgain = turn.mode === "illegal" && turn.status === "illegal_corrected";
    if (!sheet.record(play.kind, play.body) || !isPlayedAgain) return;
    // The position is what it was before: the same dice are played once more, properly.
    turn.again();
    sheet.render();
  },
  undo() {
    sheet.aside = null;
    turn.undo();
    sheet.render();
  },
  async takeBack() {
    const { sync } = sheet;
    sheet.aside = null;
    if (turn.die !== null) {
      turn.die = null;
      sheet.render();
    } else if (sync.queue.length) {
      await sync.dropLast();
    } else if (!sync.sending) {
      await sync.undo();
    }
  },
  act(kind, body) {
    sheet.record(kind, body);
  },
  refuse(reason) {
    sheet.tellWhyNot(reason);
  },
  resign,
});

/** @type {(parts: Omit<Parts, "resign"> & { done: () => void }) => Touched} */
export const boardTaps = ({ sheet, turn, done }) => ({
  tap(slot) {
    sheet.aside = null;
    if (sheet.mayTouch && !turn.tap(slot) && turn.isMoving && !turn.isComplete)
      sheet.aside = say("cannot_move_there");
    sheet.render();
  },
  drop(from, to) {
    sheet.aside = null;
    if (sheet.mayTouch && !turn.drop(from, to))
      sheet.aside = turn.sequences
        ? whyNoPlay(turn, [...turn.moves, [from, to]])
        : say("cannot_go", { from: placeName(from), to: placeName(to), roll: turn.dice?.join("-") ?? "" });
    sheet.render();
  },
  press: (slot) => turn.landing(slot),
  dice() {
    if (turn.isComplete && turn.sequences && turn.moves.length) done();
    else if (!turn.isComplete || !turn.sequences) {
      turn.swap();
      sheet.render();
    }
  },
  cube() {
    const view = sheet.shown();
    if (can(view, "double")) sheet.record("double", {});
    else sheet.tellWhyNot(view.refusals?.double ?? say("no_double"));
  },
});
