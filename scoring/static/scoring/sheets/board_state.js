// What the board of a sheet shows: the position with the turn that is being entered, and what can be touched of it.

import { other } from "./game.js";
import { diceOnBoard } from "./play.js";
import { cubeWords, hasCube, placeName } from "./position_words.js";
import { say } from "./words.js";

/**
 * @typedef {import("./board_drawing.js").Seen} Seen
 * @typedef {import("./game.js").SheetView} SheetView
 * @typedef {import("./turn.js").Turn} Turn
 *
 * @typedef {object} Shown
 * @property {SheetView} view
 * @property {Turn} turn
 * @property {boolean} mine whether who looks at it may touch it
 */

/** @type {(view: SheetView) => Seen["cube"]} */
const shownCube = (view) => {
  const { cube, to_act } = view.game;
  if (!hasCube(view)) return null;
  return { value: cube.offered ?? cube.value, owner: cube.owner, offered_to: cube.offered ? to_act : null };
};

/** @type {(turn: Turn, dice: number[]) => string} "" where there is nothing to swap */
const diceLabel = (turn, dice) => {
  const roll = dice.join("-");
  if (turn.isComplete && turn.moves.length) return say("dice_up", { roll });
  return dice[0] === dice[1] ? "" : say("dice_swap", { roll });
};

/** @type {(shown: Shown, position: Seen["position"], dice: number[] | null) => Seen["labels"]} */
const labels = ({ view, turn, mine }, position, dice) => ({
  place: (slot) => {
    const to = [...(turn.landing(slot) ?? [])].map(placeName).join(", ");
    return say(to ? "place_from" : "place", {
      place: slot === 25 ? say("bar") : slot === 0 ? say("tray") : say("point_name", { point: slot }),
      own: position[turn.mover][slot],
      theirs: slot % 25 ? position[other(turn.mover)][25 - slot] : 0,
      to,
    });
  },
  dice: mine && dice ? diceLabel(turn, dice) : "",
  cube: mine && view.game.phase === "turn" ? say("cube_label", { words: cubeWords(view) }) : "",
});

/**
 * The points have the numbers of whoever moves, or where they are fixed those of the player below.
 * @type {(shown: Shown, looks: Pick<Seen, "layout" | "bottom" | "home"> & { isFixed?: boolean }) => Seen}
 */
export const boardSeen = (shown, { isFixed, ...looks }) => {
  const { view, turn, mine } = shown;
  const side = view.game.phase === "opening" ? null : view.game.to_act;
  const position = turn.isMoving ? turn.position : view.game.position;
  const dice = turn.isMoving ? turn.dice : null;
  return {
    ...looks,
    position,
    mover: turn.mover,
    turn: side,
    numbers: (isFixed ? null : side) ?? looks.bottom,
    cube: shownCube(view),
    dice: dice && diceOnBoard(dice, turn.left),
    can: mine ? turn.can() : new Set(),
    to: mine ? turn.to() : new Set(),
    free: mine && turn.isMoving && !turn.sequences,
    title: say("board_title"),
    labels: labels(shown, position, dice),
  };
};
