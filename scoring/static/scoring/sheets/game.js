// A sheet as the server tells it, and what each entry changes on it.

import { checkersIn, moved, pips } from "./play.js";

/**
 * @typedef {import("./play.js").Side} Side
 * @typedef {import("./play.js").Position} Position
 * @typedef {import("./play.js").Counts} Counts
 * @typedef {import("./play.js").Move} Move
 * @typedef {"opening" | "turn" | "offered" | "beavered" | "raccooned" | "roll" | "moving" | "resign_offered" | "over"} Phase
 * @typedef {"single" | "gammon" | "backgammon"} Win
 * @typedef {"borne_off" | "pass" | "resignation"} Ended
 *
 * @typedef {object} Cube
 * @property {number} value
 * @property {Side | null} owner
 * @property {number | null} offered what it will show when the offer is taken
 * @property {boolean} in_use
 * @property {boolean} turned a double was offered and taken: what Jacoby asks
 *
 * @typedef {object} Game
 * @property {number} number
 * @property {Phase} phase
 * @property {Side | null} on_roll
 * @property {Side | null} to_act
 * @property {Position} position
 * @property {Cube} cube
 * @property {number[] | null} roll the higher die first
 * @property {number} automatic_doubles
 * @property {{ white: number, black: number }} rolls how often each side has rolled: what Holland asks
 * @property {{ by: Side, level: number, phase: Phase } | null} resign_offered `phase` is what a refusal goes back to
 * @property {{ white: number, black: number }} pips
 * @property {string | null} xgid
 *
 * @typedef {object} Standing what a side has
 * @property {string} name
 * @property {number} points as they count: none beyond the length
 * @property {number} raw
 * @property {number | null} away
 * @property {number} [penalty_points] of the points, those given by penalty
 *
 * @typedef {object} Action
 * @property {string} kind
 * @property {Side | null} by
 * @property {number[]} levels
 *
 * @typedef {object} Options the rules of the match, as far as they are predicted
 * @property {boolean} cube
 * @property {number | null} max_cube
 * @property {boolean} [crawford]
 * @property {boolean} [penalty_majority]
 * @property {boolean} holland
 * @property {boolean} forbid_dead_cube
 * @property {boolean} jacoby
 * @property {boolean} beavers
 * @property {boolean} raccoons
 * @property {number} automatic_doubles
 * @property {string} [moves_policy]
 * @property {string} [premature_roll]
 * @property {string} [premature_cube]
 * @property {string} [die_on_checker]
 *
 * @typedef {object} FinishedGame
 * @property {number} number
 * @property {Side} winner
 * @property {Win} win
 * @property {number} cube
 * @property {Ended} ended
 * @property {number} white
 * @property {number} black
 * @property {boolean} crawford
 * @property {boolean} [unsent]
 *
 * @typedef {object} SheetView what this module reads and writes of the server's view of a sheet
 * @property {number} length 0 for a money session
 * @property {"playing" | "suspended" | "over"} status
 * @property {string | null} ending how the match ended, null while it goes on
 * @property {[white: number, black: number][]} timeline the scores of a match in their order, from its start
 * @property {"before" | "now" | "after" | "off"} crawford
 * @property {Options} options
 * @property {Standing} white
 * @property {Standing} black
 * @property {Game} game
 * @property {FinishedGame[]} games
 * @property {boolean} [one_game] a game of a chouette, with which its record ends
 * @property {boolean} [directs] whether who looks at it is a director
 * @property {Action[]} actions
 * @property {Record<string, string>} refusals
 * @property {{ sequences: Move[][], forced: boolean } | null} plays
 * @property {object | null} result
 * @property {{ winner: Side | null }} [ended] how the match ended otherwise than on points, in an entry that is unsent
 */

/** @type {Side[]} */
export const SIDES = ["white", "black"];
/** @type {Win[]} */
const WINS = ["single", "gammon", "backgammon"];

/** @type {(side: Side) => Side} */
export const other = (side) => (side === "white" ? "black" : "white");

/**
 * Who must do the next thing.
 * @param {Game} game
 */
const toAct = ({ phase, on_roll: side, resign_offered: resignation }) => {
  if (resignation) return other(resignation.by);
  if (side === null || phase === "over") return null;
  return phase === "offered" || phase === "raccooned" ? other(side) : side;
};

/** @param {Game} game */
const offered = ({ phase, cube: { value } }) => {
  if (phase === "offered") return value * 2;
  return phase === "beavered" || phase === "raccooned" ? value : null;
};

/** What follows from the rest of the view. An identifier is the server's to say. */
export const follow = (/** @type {SheetView} */ { game }) => {
  game.to_act = toAct(game);
  game.cube.offered = offered(game);
  game.pips = { white: pips(game.position.white), black: pips(game.position.black) };
  game.xgid = null;
};

/**
 * The sign of a game that starts at the score.
 * @param {SheetView} view
 */
const crawfordHere = ({ crawford, length, white, black }) => {
  if (crawford === "off" || crawford === "after") return crawford;
  const isOver = Math.max(white.raw, black.raw) >= length;
  const oneAway = [white, black].filter(({ raw }) => raw === length - 1);
  return oneAway.length === 1 && !isOver ? "now" : "before";
};

/**
 * Whether a game has begun.
 * @param {Game} game
 * @param {Position} starting
 */
export const hasBegun = ({ phase, position, cube }, starting) =>
  phase !== "opening" ||
  cube.value > 1 ||
  cube.owner !== null ||
  String([...position.white, ...position.black]) !== String([...starting.white, ...starting.black]);

/**
 * Whether a game has begun and is not over.
 * @param {SheetView} view
 * @param {Position} starting
 */
const isInGame = ({ status, game }, starting) => status !== "over" && hasBegun(game, starting);

/**
 * The first score at which a match to this length was over.
 * @param {SheetView} view
 * @param {number} length
 */
export const reachedAt = ({ timeline }, length) => timeline.find((points) => Math.max(...points) >= length);

/**
 * @param {SheetView} view
 * @param {string} ending
 */
const endMatch = (view, ending) => {
  view.status = "over";
  view.ending = ending;
};

/** @param {SheetView} view */
const score = (view) => {
  count(view);
  if (view.length) view.timeline.push([view.white.raw, view.black.raw]);
};

/**
 * A game at the score, in the place of the one on the board.
 * @param {SheetView} view
 * @param {Position} starting
 */
const startGame = (view, starting) =>
  Object.assign(view.game, {
    number: view.games.length + 1,
    phase: "opening",
    on_roll: null,
    roll: null,
    resign_offered: null,
    position: { white: [...starting.white], black: [...starting.black] },
    cube: {
      value: 1,
      owner: null,
      offered: null,
      in_use: view.options.cube && view.crawford !== "now",
      turned: false,
    },
    automatic_doubles: 0,
    rolls: { white: 0, black: 0 },
  });

/** @param {SheetView} view */
const count = (view) => {
  for (const side of SIDES) {
    const standing = view[side];
    standing.points = view.length ? Math.min(standing.raw, view.length) : standing.raw;
    standing.away = view.length ? view.length - standing.points : null;
  }
};

/**
 * @param {SheetView} view
 * @param {{ winner: Side, win: Win, cube: number, ended: Ended }} outcome
 * @param {Position} starting
 */
const finishGame = (view, { winner, win, cube, ended }, starting) => {
  const { game } = view;
  view[winner].raw += cube * (WINS.indexOf(win) + 1);
  score(view);
  const [white, black] = [view.white.raw, view.black.raw];
  const crawford = view.crawford === "now";
  view.games.push({ number: game.number, winner, win, cube, ended, white, black, crawford, unsent: true });
  view.crawford = crawford ? "after" : crawfordHere(view);
  if (view.length && view[winner].raw >= view.length) {
    Object.assign(game, { roll: null, resign_offered: null, phase: "over" });
    endMatch(view, "played");
  } else startGame(view, starting);
  if (view.one_game) endMatch(view, "agreed");
};

/**
 * What a side that has borne off wins.
 * @param {Counts} loser
 * @returns {Win}
 */
const borneOff = (loser) => {
  if (loser[0]) return "single";
  return loser.slice(19, 26).some(Boolean) ? "backgammon" : "gammon";
};

/** @param {SheetView} view */
export const isJacoby = ({ length, options, game }) => !length && options.jacoby && !game.cube.turned;

/**
 * @param {SheetView} view
 * @param {number} value
 */
export const hasRoom = ({ options: { max_cube: limit } }, value) => limit === null || value <= limit;

/**
 * @param {Game} game
 * @param {Side} side
 * @param {number[]} dice
 */
const rolled = (game, side, dice) => {
  Object.assign(game, { phase: "moving", on_roll: side, roll: [...dice].sort((one, two) => two - one) });
  game.rolls[side] += 1;
};

/**
 * @param {Game} game
 * @param {number} times
 */
const turnCube = (game, times) => {
  const side = /** @type {Side} */ (game.on_roll);
  Object.assign(game.cube, { value: game.cube.value * 2 ** times, owner: other(side), turned: true });
};

/**
 * kind of entry -> what it changes; `starting` is where the checkers stand when a game begins.
 * @type {Record<string, (view: SheetView, body: any, starting: Position) => void>}
 */
export const STEPS = {
  opening_roll(view, { white, black }) {
    const { game, options } = view;
    if (white !== black) {
      rolled(game, white > black ? "white" : "black", [white, black]);
      return;
    }
    const doubles = !view.length && options.cube && game.automatic_doubles < options.automatic_doubles;
    if (!doubles || !hasRoom(view, game.cube.value * 2)) return;
    Object.assign(game.cube, { value: game.cube.value * 2, owner: null });
    game.automatic_doubles += 1;
  },
  roll({ game }, { dice, void: nothing }) {
    if (!nothing) rolled(game, /** @type {Side} */ (game.on_roll), dice);
  },
  no_roll({ game }) {
    Object.assign(game, { phase: "turn", on_roll: other(/** @type {Side} */ (game.on_roll)) });
  },
  play(view, { moves = [], result, status }, starting) {
    if (status === "illegal_corrected") return;
    const { game } = view;
    const side = /** @type {Side} */ (game.on_roll);
    if (result) Object.assign(game.position, { [side]: result.own, [other(side)]: result.opponent });
    else game.position = moved(game.position, side, moves);
    const own = game.position[side];
    if (own[0] === checkersIn(own)) {
      const win = isJacoby(view) ? "single" : borneOff(game.position[other(side)]);
      finishGame(view, { winner: side, win, cube: game.cube.value, ended: "borne_off" }, starting);
    } else {
      Object.assign(game, { phase: "turn", on_roll: other(side), roll: null });
    }
  },
  double({ game }, { status }) {
    if (!status || status === "ok") game.phase = "offered";
  },
  take({ game }) {
    if (game.phase === "offered") turnCube(game, 1);
    game.phase = "roll";
  },
  beaver({ game }) {
    turnCube(game, 2);
    game.phase = "beavered";
  },
  raccoon({ game }) {
    turnCube(game, 1);
    game.phase = "raccooned";
  },
  pass(view, _body, starting) {
    const { phase, cube, on_roll } = view.game;
    const doubler = /** @type {Side} */ (on_roll);
    // A pass pays what the cube showed before the offer that is refused.
    const value = phase === "offered" ? cube.value : cube.value / 2;
    const winner = phase === "beavered" ? other(doubler) : doubler;
    finishGame(view, { winner, win: "single", cube: value, ended: "pass" }, starting);
  },
  resign({ game }, { by, level }) {
    game.resign_offered = { by, level, phase: game.phase };
    game.phase = "resign_offered";
  },
  accept(view, _body, starting) {
    const { resign_offered: resignation, cube } = view.game;
    if (!resignation) return;
    const { by, level } = resignation;
    const [winner, win] = [other(by), WINS[level - 1]];
    finishGame(view, { winner, win, cube: cube.value, ended: "resignation" }, starting);
  },
  refuse({ game }) {
    Object.assign(game, { phase: game.resign_offered?.phase, resign_offered: null });
  },
  game_result(view, { winner, win, cube, ended }, starting) {
    finishGame(view, { winner, win: WINS[win - 1], cube, ended }, starting);
  },
  final_score(view, { white, black }) {
    view.white.raw = white;
    view.black.raw = black;
    score(view);
    endMatch(view, view.length ? "played" : "agreed");
  },
  set_position({ game }, { position, on_roll: side, cube }) {
    game.position = { white: [...position.own], black: [...position.opponent] };
    if (cube) Object.assign(game.cube, { value: cube.value ?? 1, owner: cube.owner ?? null });
    game.cube.turned ||= game.cube.owner !== null;
    if (side && side !== game.on_roll) Object.assign(game, { on_roll: side, phase: "turn", roll: null });
  },
  match_end(view, { reason, winner }) {
    endMatch(view, reason);
    view.ended = { winner: winner ?? null };
  },
  suspend(view) {
    view.status = "suspended";
  },
  resume(view) {
    view.status = "playing";
  },
  set_length(view, { length }, starting) {
    const reached = reachedAt(view, length);
    const during = isInGame(view, starting);
    view.length = length;
    delete view.ended;
    if (reached) {
      [view.white.raw, view.black.raw] = reached;
      count(view);
      endMatch(view, "played");
      return;
    }
    count(view);
    const isPast = view.crawford === "after" || (view.crawford === "now" && during);
    if (!isPast) view.crawford = view.options.crawford && length > 1 ? "before" : "off";
    if (view.status === "over") view.status = "playing";
    view.ending = null;
    if (during) return;
    view.crawford = crawfordHere(view);
    startGame(view, starting);
  },
  penalty(view, { to, points }, starting) {
    const during = isInGame(view, starting);
    const standing = view[/** @type {Side} */ (to)];
    const given = (standing.penalty_points ?? 0) + points;
    Object.assign(standing, { raw: standing.raw + points, penalty_points: given });
    score(view);
    if (!during) view.crawford = crawfordHere(view);
    const isMost = view.options.penalty_majority && 2 * given > view.length;
    if (isMost || standing.raw >= view.length) {
      endMatch(view, "penalty");
      view.ended = { winner: to };
    } else if (!during) startGame(view, starting);
  },
  ruling() {},
};
