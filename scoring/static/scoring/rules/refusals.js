// Why an entry is refused, as scoring/rules says it (guards, transitions, refusals) and scoring/sheets/services/guards.py.
// tests/scoring/sheets/test_page_refusals.py compares. A refusal names its sentence: say(name, values).

import { hasBegun, hasRoom, isJacoby, other, reachedAt, SIDES } from "../sheets/game.js";
import { checkersIn } from "../sheets/play.js";
import { INCOMPLETE, leadsTo, whyIllegal } from "./explain.js";

/**
 * @typedef {import("../sheets/game.js").Game} Game
 * @typedef {import("../sheets/game.js").Phase} Phase
 * @typedef {import("../sheets/game.js").SheetView} SheetView
 * @typedef {import("../sheets/play.js").Position} Position
 * @typedef {import("../sheets/play.js").Side} Side
 *
 * @typedef {{ name: string, values: Record<string, string | number> }} Refusal
 * @typedef {(view: SheetView, starting: Position) => Refusal | null} Guard
 * @typedef {(view: SheetView, body: any) => Refusal | null} Check
 */

/** @type {Phase[]} */
const BETWEEN_MOVES = ["turn", "roll", "moving"];
const WINS = ["", "single", "gammon", "backgammon"];
const LONGEST_MATCH = 32767; // points
const MOST_POINTS = 2 ** 31 - 1; // of a side
const MOST_CHECKERS = 30; // of a side, in a wrong set-up that was played on
const WITHOUT_WINNER = new Set(["double_no_show", "void", "agreed"]);
const UNPLAYED = new Set(["no_show", "double_no_show", "withdrawn"]);

/** @type {(name: string, values?: Refusal["values"]) => Refusal} */
const refused = (name, values = {}) => ({ name: `refused_${name}`, values });

/** @type {(view: SheetView, side: Side | null) => string} */
const nameOf = (view, side) => (side ? view[side].name : "");

/** @type {(view: SheetView, what: string) => Refusal} */
const notNow = (view, what) =>
  refused(`not_now_${view.game.phase}`, { what, side: nameOf(view, view.game.to_act) });

// Whether a kind of entry may happen at all ------------------------------------------------------------------

/** @type {(what: string, ...phases: Phase[]) => Guard} */
const during =
  (what, ...phases) =>
  (view) =>
    phases.includes(view.game.phase) ? null : notNow(view, what);

/** @type {(view: SheetView, value: number) => Refusal | null} */
const cubeRefusal = (view, value) =>
  hasRoom(view, value) ? null : refused("max_cube", { limit: Number(view.options.max_cube), value });

/** @param {SheetView} view */
const scoreOf = ({ white, black }) => `${white.raw}-${black.raw}`;

/** @type {Check} */
const isDeadDouble = ({ length, game, ...view }) => {
  const side = game.on_roll;
  const away = length && side ? (view[side].away ?? 0) : 0;
  return away > 0 && game.cube.value >= away
    ? refused("dead_cube", { score: scoreOf(/** @type {any} */ (view)) })
    : null;
};

/** @type {Guard} */
const mayDouble = (view) => {
  const { game, options } = view;
  const { cube, rolls } = game;
  if (game.phase === "moving") return refused("after_roll", { roll: (game.roll ?? []).join("") });
  if (game.phase !== "turn") return notNow(view, "a double");
  if (!options.cube) return refused("no_cube");
  if (!cube.in_use) return refused("crawford");
  if (options.holland && view.crawford === "after" && Math.min(rolls.white, rolls.black) < 2)
    return refused("holland", { ...rolls });
  if (cube.owner !== null && cube.owner !== game.on_roll)
    return refused("not_owner", { owner: nameOf(view, cube.owner) });
  return cubeRefusal(view, cube.value * 2) ?? (options.forbid_dead_cube ? isDeadDouble(view, {}) : null);
};

/** @type {Guard} */
const mayBeaver = (view) => {
  if (view.game.phase !== "offered") return notNow(view, "a beaver");
  if (view.length || !view.options.beavers) return refused("no_beavers");
  return cubeRefusal(view, view.game.cube.value * 4);
};

/** @type {Guard} */
const mayRaccoon = (view) => {
  if (view.game.phase !== "beavered") return notNow(view, "a raccoon");
  if (!view.options.raccoons) return refused("no_raccoons");
  return cubeRefusal(view, view.game.cube.value * 2);
};

/** @param {Game} game */
const isClosedOut = ({ position, on_roll: side }) =>
  side !== null &&
  position[side][25] > 0 &&
  position[other(side)].slice(1, 7).every((checkers) => checkers > 1);

/** @type {Guard} */
const mayNotRoll = (view) => {
  const { game } = view;
  if (game.phase !== "turn" && game.phase !== "roll") return notNow(view, "passing the dice");
  return isClosedOut(game) ? null : refused("not_closed_out", { side: nameOf(view, game.on_roll) });
};

/**
 * kind of entry -> why the rules do not allow it now, in a match that goes on.
 * @type {Record<string, Guard>}
 */
const GUARDS = {
  opening_roll: during("an opening roll", "opening"),
  roll: during("a roll", "turn", "roll"),
  no_roll: mayNotRoll,
  double: mayDouble,
  play: during("a play", "moving"),
  take: during("a take", "offered", "beavered", "raccooned"),
  pass: during("a pass", "offered", "beavered", "raccooned"),
  beaver: mayBeaver,
  raccoon: mayRaccoon,
  accept: during("an acceptance", "resign_offered"),
  refuse: during("a refusal", "resign_offered"),
  game_result: (view) => (view.game.phase === "over" ? notNow(view, "a result") : null),
  final_score: ({ game }, starting) => (hasBegun(game, starting) ? refused("in_game") : null),
  resign: during("a resignation", ...BETWEEN_MOVES),
  set_position: during("a new position", "opening", ...BETWEEN_MOVES),
};

/** @param {SheetView} view */
const notPlaying = ({ status }) => (status === "playing" ? null : refused("not_playing", { status }));

/**
 * The same of kinds that are the match's, whether it goes on or not.
 * @type {Record<string, Guard>}
 */
const MATCH_GUARDS = {
  match_end: (view) => (view.status === "over" ? notPlaying(view) : null),
  suspend: notPlaying,
  resume: (view) => (view.status === "suspended" ? null : refused("not_suspended")),
  set_length: ({ length, ending }) => {
    if (!length) return refused("money_length");
    return ending && ending !== "played" ? refused("ended_otherwise", { reason: ending }) : null;
  },
  penalty: (view) => {
    if (!view.length) return refused("money_penalty");
    return view.status === "over" ? notPlaying(view) : null;
  },
  ruling: () => null,
};

/** The kinds of entry that are judged here; all others wait for the server. */
export const JUDGED = [...Object.keys(GUARDS), ...Object.keys(MATCH_GUARDS)];

/**
 * Why no entry of this kind may happen now.
 * @type {(view: SheetView, kind: string, starting: Position) => Refusal | null}
 */
export const whyNotKind = (view, kind, starting) =>
  (MATCH_GUARDS[kind] ?? notPlaying)(view, starting) ?? GUARDS[kind]?.(view, starting) ?? null;

// What its values say ----------------------------------------------------------------------------------------

/** @type {Check} a roll that does not count is recorded also where none may happen */
const voidRoll = (view, { void: reason }) => {
  const { premature_roll: premature, die_on_checker: onChecker } = view.options;
  if (view.game.phase !== "opening" && !BETWEEN_MOVES.includes(view.game.phase))
    return notNow(view, "a roll");
  if (reason === "premature" && premature === "stands") return refused("premature_stands_roll");
  return reason === "die_on_checker" && onChecker === "valid" ? refused("die_valid") : null;
};

/** @type {Record<string, string>} */
const VOID_DOUBLES = {
  void_crawford: "refused_crawford",
  void_holland: "refused_holland",
  void_not_owner: "refused_not_owner",
  void_after_roll: "refused_after_roll",
};

/** @type {Check} */
const voidDouble = (view, { status }) => {
  if (status === "void_premature") {
    if (!BETWEEN_MOVES.includes(view.game.phase)) return notNow(view, "a double");
    return view.options.premature_cube === "stands" ? refused("premature_stands_double") : null;
  }
  const why = mayDouble(view, view.game.position)?.name;
  return why === VOID_DOUBLES[status] ? null : refused("not_void", { status });
};

/** @type {Check} */
const playRefusal = (view, { moves = [], status = "legal", result, accepted_by: acceptedBy }) => {
  const { game, options } = view;
  const side = /** @type {Side} */ (game.on_roll);
  const why = whyIllegal(game.position, side, game.roll ?? [], moves);
  const illegal = why && { name: `illegal_${why.code}`, values: why.values };
  if (status === "legal") return illegal;
  if (!why && (!result || leadsTo(game.position, side, game.roll ?? [], moves, result)))
    return { name: "illegal_play_is_legal", values: { status } };
  if (status === "incomplete_accepted" && !(why && INCOMPLETE.has(why.code)))
    return { name: "illegal_play_is_not_incomplete", values: {} };
  if (status === "illegal_corrected" || !acceptedBy) return null;
  if (acceptedBy === side) return refused("accepted_by_mover", { side: nameOf(view, side) });
  return options.moves_policy === "legal" ? { name: "illegal_must_be_corrected", values: {} } : null;
};

/** @type {(view: SheetView, loser: Side, win: number) => Refusal | null} */
const tooMuch = (view, loser, win) =>
  win > 1 && view.game.position[loser][0]
    ? refused("has_borne_off", { side: nameOf(view, loser), win: WINS[win] })
    : null;

/** @type {Check} */
const offerLeftOpen = (view, { winner, cube, ended }) => {
  const { phase, on_roll: doubler, cube: shown } = view.game;
  if (ended === "borne_off" && ["offered", "beavered", "raccooned"].includes(phase))
    return refused("offer_open");
  const isPaid = winner === doubler && cube === shown.value;
  return phase === "offered" && ended === "pass" && !isPaid
    ? refused("pass_pays_doubler", { side: nameOf(view, doubler), cube: shown.value })
    : null;
};

/** @type {Check} */
const resultRefusal = (view, body) => {
  const { win, cube, ended } = body;
  const { game, options } = view;
  const limited = cubeRefusal(view, cube);
  if (limited) return limited;
  if (cube > 1 && !(game.cube.in_use && options.cube)) return refused("cube_off", { cube });
  if (cube < game.cube.value) return refused("cube_fell", { now: game.cube.value, cube });
  if (ended === "pass" && win > 1) return refused("pass_is_single", { win: WINS[win] });
  const isUnturned = !view.length && options.jacoby && cube === 1;
  return isUnturned && win > 1 ? refused("jacoby", { win: WINS[win] }) : null;
};

/** @type {Check} */
const resignationRefusal = (view, { level }) =>
  level > 1 && isJacoby(view) ? refused("jacoby", { win: WINS[level] }) : null;

/** @type {(view: SheetView, side: Side, points: number) => Refusal | null} */
const pointsRefusal = (view, side, points) =>
  points > MOST_POINTS ? refused("points", { side: nameOf(view, side), points }) : null;

/** @type {Check} */
const scoreRefusal = (view, points) => {
  const { length } = view;
  for (const side of SIDES) {
    const told = { side: nameOf(view, side), points: points[side] };
    if (!(Number.isInteger(points[side]) && points[side] >= view[side].raw))
      return refused("final_points", told);
    if (length && points[side] > length) return refused("beyond_length", { ...told, length });
  }
  const { white, black } = points;
  if (!length) return pointsRefusal(view, "white", white) ?? pointsRefusal(view, "black", black);
  if (Math.min(white, black) >= length) return refused("two_winners", { white, black, length });
  return Math.max(white, black) < length
    ? refused("no_winner", { score: `${white}-${black}`, length })
    : null;
};

/** @type {Check} what no position is: the server does not even read it */
const noPosition = (view, { position: { own, opponent } }) => {
  for (const [side, counts] of /** @type {[Side, number[]][]} */ ([
    ["white", own],
    ["black", opponent],
  ])) {
    const total = checkersIn(counts);
    if (total < 1 || total > MOST_CHECKERS) return refused("checkers", { owner: nameOf(view, side), total });
  }
  for (let point = 1; point < 25; point += 1)
    if (own[point] && opponent[25 - point])
      return refused("shared_point", { point, own: own[point], opponent: opponent[25 - point] });
  return null;
};

/** @type {Check} */
const irregularPosition = (_view, { position, reason }) =>
  position.irregular && !reason.trim() ? refused("irregular") : null;

/** @type {Check} */
const positionRefusal = (view, { position, reason, cube }) => {
  if (!reason.trim()) return refused("new_position_reason");
  const { value = 1 } = cube ?? view.game.cube;
  if (value > 1 && view.crawford === "now") return refused("cube_off", { cube: value });
  const isOver = [position.own, position.opponent].some((counts) => counts[0] === checkersIn(counts));
  return isOver ? refused("position_over") : null;
};

/** @type {(view: SheetView, body: any, starting: Position) => Refusal | null} */
const endRefusal = (view, { reason, winner }, starting) => {
  if (reason === "played") return refused("score_follows");
  if (reason !== "void" && (reason === "agreed") === view.length > 0)
    return refused("end_reason", { reason });
  const needsWinner = !WITHOUT_WINNER.has(reason);
  if (needsWinner && !winner) return refused("end_needs_winner", { reason });
  if (!needsWinner && winner) return refused("end_without_winner", { reason });
  const isBegun = view.games.length > 0 || hasBegun(view.game, starting);
  return UNPLAYED.has(reason) && isBegun ? refused("has_begun", { reason }) : null;
};

/** @type {Check} */
const lengthRefusal = (view, { length, reason }) => {
  if (!(Number.isInteger(length) && length > 0)) return refused("length", { length });
  if (!reason.trim()) return refused("new_length_reason");
  if (length > LONGEST_MATCH) return refused("length", { length });
  const [white, black] = reachedAt(view, length) ?? [0, 0];
  return Math.min(white, black) >= length ? refused("two_winners", { white, black, length }) : null;
};

/** @type {Check} */
const penaltyRefusal = (view, { to, points }) =>
  Number.isInteger(points) && points > 0
    ? pointsRefusal(view, to, view[/** @type {Side} */ (to)].raw + points)
    : refused("penalty", { points });

/** @type {Record<string, (view: SheetView, body: any, starting: Position) => Refusal | null>} kind of entry -> why its values are refused where one may happen */
const CHECKS = {
  play: playRefusal,
  resign: resignationRefusal,
  game_result: resultRefusal,
  final_score: scoreRefusal,
  set_position: positionRefusal,
  match_end: endRefusal,
  set_length: lengthRefusal,
  penalty: penaltyRefusal,
};

/** @type {Record<string, Check>} what the server judges of a live sheet before the rules do */
const IMPOSSIBLE = {
  resign: (view, { by, level }) => tooMuch(view, by, level),
  game_result: (view, body) => tooMuch(view, other(body.winner), body.win) ?? offerLeftOpen(view, body),
  set_position: (view, body) => noPosition(view, body) ?? irregularPosition(view, body),
};

/**
 * Why an entry is refused; null for one that is right, and for a kind that the server alone knows.
 * @type {(view: SheetView, entry: { kind: string, body: any }, starting: Position) => Refusal | null}
 */
export const whyNot = (view, { kind, body }, starting) => {
  if (view.status === "playing") {
    if (kind === "roll" && body.void) return voidRoll(view, body);
    if (kind === "double" && body.status && body.status !== "ok") return voidDouble(view, body);
  }
  if (!JUDGED.includes(kind)) return null;
  return (
    IMPOSSIBLE[kind]?.(view, body) ??
    whyNotKind(view, kind, starting) ??
    CHECKS[kind]?.(view, body, starting) ??
    null
  );
};
