// What may be entered on a sheet next, as far as a page can say.

import { hasRoom, isJacoby, other, SIDES } from "./game.js";

/**
 * @typedef {import("./game.js").Action} Action
 * @typedef {import("./game.js").Game} Game
 * @typedef {import("./game.js").Phase} Phase
 * @typedef {import("./game.js").SheetView} SheetView
 * @typedef {import("./play.js").Position} Position
 */

/** @param {Game} game */
const isClosedOut = ({ position, on_roll: side }) =>
  side !== null &&
  position[side][25] > 0 &&
  position[other(side)].slice(1, 7).every((checkers) => checkers > 1);

/** @param {SheetView} view */
const isDeadDouble = ({ length, game, ...view }) => {
  const side = game.on_roll;
  const away = length && side ? (view[side].away ?? 0) : 0;
  return away > 0 && game.cube.value >= away;
};

/** @param {SheetView} view */
const mayDouble = (view) => {
  const { game, options } = view;
  const { cube, rolls } = game;
  if (game.phase !== "turn" || !cube.in_use) return false;
  if (options.holland && view.crawford === "after" && Math.min(rolls.white, rolls.black) < 2) return false;
  if (cube.owner !== null && cube.owner !== game.on_roll) return false;
  return hasRoom(view, cube.value * 2) && !(options.forbid_dead_cube && isDeadDouble(view));
};

/**
 * Whether a game has begun.
 * @param {Game} game
 * @param {Position} starting
 */
const hasBegun = ({ phase, position, cube }, starting) =>
  phase !== "opening" ||
  cube.value > 1 ||
  cube.owner !== null ||
  String(placesOf(position)) !== String(placesOf(starting));

/** @param {Position} position */
const placesOf = ({ white, black }) => [...white, ...black];

/** @type {(...phases: Phase[]) => (view: SheetView) => boolean} */
const during =
  (...phases) =>
  ({ game }) =>
    phases.includes(game.phase);

/**
 * kind of entry -> whether the rules allow it now.
 * @type {Record<string, (view: SheetView, starting: Position) => boolean>}
 */
export const MAY = {
  opening_roll: during("opening"),
  roll: during("turn", "roll"),
  no_roll: (view) => during("turn", "roll")(view) && isClosedOut(view.game),
  double: mayDouble,
  play: during("moving"),
  take: during("offered", "beavered", "raccooned"),
  pass: during("offered", "beavered", "raccooned"),
  beaver: (view) =>
    during("offered")(view) &&
    !view.length &&
    view.options.beavers &&
    hasRoom(view, view.game.cube.value * 4),
  raccoon: (view) =>
    during("beavered")(view) && view.options.raccoons && hasRoom(view, view.game.cube.value * 2),
  accept: during("resign_offered"),
  refuse: during("resign_offered"),
  game_result: () => true,
  final_score: ({ game }, starting) => !hasBegun(game, starting),
  resign: during("turn", "roll", "moving"),
};
/** The kinds of entry that are predicted here; all others wait for the server. */
export const PREDICTED = Object.keys(MAY);
const BY_EITHER = new Set(["opening_roll", "game_result", "final_score"]);

/**
 * @param {SheetView} view
 * @param {Position} starting
 * @returns {Action[]}
 */
export const predictedActions = (view, starting) => {
  if (view.status !== "playing") return [];
  const levels = isJacoby(view) ? [1] : [1, 2, 3];
  const resigning = SIDES.map((by) => ({ kind: "resign", by, levels }));
  /** @type {(kind: string) => Action} */
  const single = (kind) => ({ kind, by: BY_EITHER.has(kind) ? null : view.game.to_act, levels: [] });
  return PREDICTED.filter((kind) => MAY[kind](view, starting)).flatMap((kind) =>
    kind === "resign" ? resigning : [single(kind)],
  );
};
