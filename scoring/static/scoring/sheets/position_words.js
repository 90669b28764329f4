// A position for those who hear it: where the checkers are, and the cube.

import { SIDES } from "./game.js";
import { pips } from "./play.js";
import { say } from "./words.js";

/**
 * @typedef {import("./play.js").Counts} Counts
 * @typedef {import("./game.js").SheetView} SheetView
 */

/** @type {(slot: number) => string} */
export const placeName = (slot) => (slot === 25 ? say("bar") : slot === 0 ? say("off") : String(slot));

/** @type {(slot: number, count: number) => string} */
const placeWords = (slot, count) => {
  if (slot === 25) return say("words_bar", { count });
  if (slot === 0) return say("words_off", { count });
  return say("words_point", { point: slot, count });
};

/** @type {(counts: Counts) => string} */
const places = (counts) =>
  counts
    .map((count, slot) => (count ? placeWords(slot, count) : ""))
    .filter(Boolean)
    .reverse()
    .join(", ");

/** @type {(view: SheetView) => boolean} whether the game is played with the cube */
export const hasCube = ({ crawford, length, game }) =>
  crawford !== "now" && length !== 1 && game.cube.in_use !== false;

/** @type {(view: SheetView) => string} */
export const cubeWords = (view) => {
  const { value, owner, offered } = view.game.cube;
  if (view.crawford === "now") return say("words_no_cube");
  if (view.length === 1) return say("words_no_cube_short");
  if (offered) return say("words_cube_offered", { value: offered });
  return owner
    ? say("words_cube_owned", { name: view[owner].name, value })
    : say("words_cube_centred", { value });
};

/**
 * The whole position, as it is on the sheet or as it is being played.
 * @type {(view: SheetView, position: import("./play.js").Position) => string}
 */
export const positionWords = (view, position) =>
  [
    ...SIDES.map((side) =>
      say("words_side", {
        name: view[side].name,
        side: say(side),
        places: places(position[side]),
        pips: pips(position[side]),
      }),
    ),
    cubeWords(view),
  ].join(" ");
