// What the table looks like once the unsent entries are on it: the state of the server's last word, gone on by the same rules.

import { actions, apply, captainOf, deciderOf, holderOf, isLive, keyOf, Refused, throwers } from "./rules.js";
import { say } from "../sheets/words.js";

const LIVE = new Set(["open", "offered", "in_game"]);

/** Whether a cube is still in the game. */
export const live = (cube) => LIVE.has(cube.state);

/** Whether a player is in the rotation. */
export const here = (player) => !["out", "gone"].includes(player.role);

export const named = (view, ref) => view.players.find((player) => player.ref === ref)?.name ?? ref;

export const boxOf = (view) => view.players.find((player) => player.role === "box")?.ref ?? null;

const PLAYS = new Set(["box", "partner", "captain", "acting_captain", "crew"]);

/** Whether a player goes on in the game that is on, and has said to stand up after it. */
export const leaving = (player) => PLAYS.has(player.role) && player.presence !== "playing";

const AWAY = { gone: "gone", sitting_out: "out" };

const roleOf = (state, { player, presence }) => {
  const { game } = state;
  const seating = game?.seating;
  if (seating && [seating.box, seating.partner, ...seating.crew].includes(player)) {
    if (player === seating.box) return "box";
    if (player === seating.partner) return "partner";
    if (player !== captainOf(game)) return "crew";
    return player === seating.crew[0] ? "captain" : "acting_captain";
  }
  if (presence !== "playing") return AWAY[presence];
  if (game || !state.placed) return "waiting";
  const [box, ...others] = state.line;
  if (player === box) return "box";
  if (player === state.partner) return "partner";
  return player === others.find((each) => each !== state.partner) ? "captain" : "crew";
};

const stateOf = (cube) => {
  if (!isLive(cube)) return cube.result.agreed !== null ? "settled" : cube.result.ended === "pass" ? "passed" : "over";
  if (cube.offered) return "offered";
  return cube.turned ? "in_game" : "open";
};

const nameOf = (view, key) => key.split(">").reverse().map((ref) => named(view, ref)).join(" – ");

const drawn = (view, game, cube) => {
  const side = cube.owner && (cube.against === null ? cube.owner : deciderOf(game, cube, cube.owner));
  const offered = cube.offered && { by: cube.offered, value: cube.value * 2 };
  return { key: keyOf(cube), player: cube.player, against: cube.against, holder: holderOf(cube), name: nameOf(view, keyOf(cube)), value: cube.value, owner: side ?? "middle", offered, state: stateOf(cube), words: "" };
};

const stillIn = (game, player) => game !== null && ([game.seating.box, game.seating.partner].includes(player) || game.cubes.some((cube) => isLive(cube) && [cube.player, holderOf(cube)].includes(player)));

/** Everybody as the state has them: the order of the rotation, who is away last. */
const people = (view, state, names) => {
  const known = new Map(view.players.map((player) => [player.ref, player]));
  const seating = state.game?.seating;
  const order = seating ? [...new Set([seating.box, ...(seating.partner === null ? [] : [seating.partner]), ...seating.crew, ...state.line])] : state.line;
  const place = (player) => order.indexOf(player) + 1 || null;
  const away = ({ presence }) => ["playing", "sitting_out", "gone"].indexOf(presence);
  const seats = [...state.seats].sort((one, other) => (place(one.player) ?? order.length + 1) - (place(other.player) ?? order.length + 1) || away(one) - away(other));
  return seats.map((seat) => ({
    ...(known.get(seat.player) ?? { ref: seat.player, name: names.get(seat.player) ?? seat.player, points: 0, balance: "", new: true }),
    role: roleOf(state, seat),
    place: place(seat.player),
    presence: seat.presence,
    agreed: seat.agreed,
    proxy: seat.proxy,
    proxy_name: undefined,
    still_in: stillIn(state.game, seat.player),
  }));
};

const TOLD = {
  beaver: (view, { by, cubes }) => say("act_beaver", { who: named(view, by[0]), cube: nameOf(view, cubes[0]) }),
  raccoon: (view, { by, cubes }) => say("act_raccoon", { who: named(view, by[0]), cube: nameOf(view, cubes[0]) }),
  extra: (view, { body }) => say("act_extra", { payer: named(view, body.payer), holder: named(view, body.holder) }),
  extra_refused: (view, { body }) => say("act_extra_refused", { payer: named(view, body.payer), holder: named(view, body.holder) }),
  tie: (_view, { body }) => say(body.doubled ? "act_tie_doubled" : "act_tie"),
  game_start: (view, { body }) => (body.partner ? say("act_start_beside", { who: named(view, body.partner) }) : say("next_game")),
};

/** The view with the entries on it; the view itself stays as it is. What no longer fits is left for the server to say. */
export const projected = (view, entries) => {
  if (!entries.length || !view.ahead) return view;
  let state = view.ahead;
  const names = new Map();
  for (const { kind, body, label } of entries) {
    if (kind === "join") names.set(body.player, body.name ?? label);
    try {
      state = apply(state, kind, body ?? {});
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  }
  const ahead = { ...view, ahead: state, stakes_to_win: {}, board: null, hands: [], payments: [], status: state.closed ? "closed" : "open", placed: state.placed, throw_now: throwers(state) };
  ahead.players = people(view, state, names);
  ahead.game = state.game && { number: state.game.number, opening_doubles: state.game.ties, cubes: state.game.cubes.map((cube) => drawn(ahead, state.game, cube)) };
  ahead.actions = actions(state).map((action) => ({ ...action, label: TOLD[action.kind]?.(ahead, action) ?? "" }));
  const due = state.game?.must_beaver;
  ahead.refusals = due ? { game_over: say("due_beaver", { name: nameOf(ahead, due) }) } : {};
  return ahead;
};
