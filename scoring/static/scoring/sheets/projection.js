// What the sheet will look like once the unsent entries are on it. Nothing is judged here: the server does that, later.

import { moved } from "./play.js";

const other = (side) => (side === "white" ? "black" : "white");
const WINS = { single: 1, gammon: 2, backgammon: 3 };

const finishGame = (view, winner, points, line, starting) => {
  const crawford = view.crawford;
  view[winner].points += points;
  for (const side of ["white", "black"]) {
    if (view.length) view[side].away = Math.max(view.length - view[side].points, 0);
  }
  view.games.push({ number: view.game.number, winner, crawford: crawford === "now", white: view.white.points, black: view.black.points, unsent: true, ...line });
  const ahead = view.length ? Math.max(view.white.points, view.black.points) : 0;
  if (crawford === "now") view.crawford = "after";
  else if (crawford === "before" && view.length > 1 && ahead === view.length - 1) view.crawford = "now";
  if (view.length && ahead >= view.length) view.status = "over";
  view.game = {
    ...view.game, number: view.game.number + 1, phase: "opening", on_roll: null, to_act: null, roll: null, xgid: "",
    position: { white: [...starting.white], black: [...starting.black] }, cube: { value: 1, owner: null, offered: null, in_use: view.crawford !== "now" && view.game.cube.in_use !== false }, resign_offered: null,
  };
};

const borneOff = (position, winner) => {
  const loser = position[other(winner)];
  if (loser[0]) return "single";
  return loser.slice(19, 26).some(Boolean) ? "backgammon" : "gammon";
};

const steps = {
  opening_roll(view, { white, black }) {
    if (white === black) return;
    const first = white > black ? "white" : "black";
    Object.assign(view.game, { phase: "moving", on_roll: first, to_act: first, roll: [white, black] });
  },
  roll(view, { dice, void: nothing }) {
    if (!nothing) Object.assign(view.game, { phase: "moving", roll: dice });
  },
  no_roll(view) {
    Object.assign(view.game, { phase: "turn", on_roll: other(view.game.on_roll), to_act: other(view.game.on_roll) });
  },
  play(view, { moves = [], result }, starting) {
    const { game } = view;
    const side = game.on_roll;
    game.position = result ? { [side]: result.own, [other(side)]: result.opponent } : moved(game.position, side, moves);
    if (game.position[side][0] === 15) {
      const win = borneOff(game.position, side);
      finishGame(view, side, game.cube.value * WINS[win], { win, cube: game.cube.value, ended: "borne_off" }, starting);
    } else {
      Object.assign(game, { phase: "turn", on_roll: other(side), to_act: other(side), roll: null });
    }
  },
  double(view, { status }) {
    if (status && status !== "ok") return;
    view.game.cube.offered = view.game.cube.value * 2;
    Object.assign(view.game, { phase: "offered", to_act: other(view.game.on_roll) });
  },
  take(view) {
    const { game } = view;
    game.cube = { value: game.cube.offered ?? game.cube.value, owner: game.to_act, offered: null };
    Object.assign(game, { phase: "roll", to_act: game.on_roll });
  },
  pass(view, _body, starting) {
    const { game } = view;
    finishGame(view, other(game.to_act), game.cube.value, { win: "single", cube: game.cube.value, ended: "pass" }, starting);
  },
  resign(view, { by, level }) {
    view.game.resign_offered = { by, level, phase: view.game.phase };
    Object.assign(view.game, { phase: "resign_offered", to_act: other(by) });
  },
  accept(view, _body, starting) {
    const { by, level } = view.game.resign_offered;
    const win = Object.keys(WINS)[level - 1];
    finishGame(view, other(by), level * view.game.cube.value, { win, cube: view.game.cube.value, ended: "resignation" }, starting);
  },
  refuse(view) {
    Object.assign(view.game, { phase: view.game.resign_offered?.phase ?? "turn", to_act: view.game.on_roll, resign_offered: null });
  },
  game_result(view, { winner, win, cube, ended }, starting) {
    finishGame(view, winner, win * cube, { win: Object.keys(WINS)[win - 1], cube, ended }, starting);
  },
  final_score(view, { white, black }) {
    for (const [side, points] of [["white", white], ["black", black]]) {
      view[side].points = points;
      view[side].away = Math.max(view.length - points, 0);
    }
    view.status = "over";
  },
};

// An entry that makes no sense where it stands leaves the sheet as it is: the server will say what is wrong with it.
const NEEDS = {
  roll: (game) => game.on_roll,
  no_roll: (game) => game.on_roll,
  play: (game) => game.on_roll,
  double: (game) => game.on_roll,
  take: (game) => game.to_act,
  pass: (game) => game.to_act,
  accept: (game) => game.resign_offered,
};

/** The view with the entries on it; the view itself stays as it is. */
export const projected = (view, entries, starting) => {
  if (!entries.length) return view;
  const ahead = structuredClone(view);
  ahead.plays = null;
  ahead.result = null;
  for (const { kind, body } of entries) {
    if (NEEDS[kind]?.(ahead.game) ?? !NEEDS[kind]) steps[kind]?.(ahead, body, starting);
  }
  return ahead;
};
