// The table with unsent entries applied to the server's last state.

import { actions } from "./actions.js";
import { captainOf, deciderOf, holderOf, isLive, keyOf, Refused } from "./game.js";
import { apply, playersToRoll } from "./rules.js";
import { say } from "../sheets/words.js";

/**
 * @typedef {import("./actions.js").Action} Action
 * @typedef {import("./game.js").Cube} Cube
 * @typedef {import("./game.js").Game} Game
 * @typedef {import("./game.js").Ref} Ref
 * @typedef {import("./rules.js").Seat} Seat
 * @typedef {import("./rules.js").State} State
 *
 * @typedef {object} Player somebody at the table, as the page shows them
 * @property {Ref} ref
 * @property {string} name
 * @property {number} points
 * @property {string} balance
 * @property {boolean} [new] whether the server does not know them yet
 * @property {string} role
 * @property {number | null} place
 * @property {string} presence
 * @property {boolean} agreed
 * @property {Ref | null} proxy
 * @property {string} [proxy_name]
 * @property {boolean} still_in
 * @property {string} [short]
 * @property {boolean} [records] whether they have a device that can record
 *
 * @typedef {object} DrawnCube
 * @property {string} key
 * @property {Ref} player
 * @property {Ref | null} against
 * @property {Ref} holder
 * @property {string} name
 * @property {number} value
 * @property {string} owner "middle", a side, or who has it
 * @property {{ by: string, value: number } | null} offered
 * @property {string} state
 * @property {string} words the server's sentence; empty while it does not know
 *
 * @typedef {object} TableView what the pages read of the server's view of a table
 * @property {State | null} ahead
 * @property {string} status
 * @property {Ref | null} [you]
 * @property {boolean} [points_only]
 * @property {boolean} placed
 * @property {Ref[]} to_roll
 * @property {Player[]} players
 * @property {{ number: number, opening_doubles: number, cubes: DrawnCube[] } | null} game
 * @property {Action[]} actions
 * @property {Record<string, string>} refusals
 * @property {Record<string, any>} [possible_gains]
 * @property {{ page: string } | null} [board]
 * @property {Ref[]} [movable_seats]
 * @property {Payment[]} [payments]
 * @property {boolean} [unscored] whether an unsent entry ends a game: the server has its totals
 * @property {Line[]} lines
 * @property {FinishedGame[]} games
 *
 * @typedef {object} Line
 * @property {number} seq
 * @property {string} kind
 * @property {any} body
 * @property {string} words
 * @property {string} at
 * @property {string} by
 * @property {boolean} undone
 * @property {boolean} corrected
 *
 * @typedef {object} FinishedGame
 * @property {number} number
 * @property {string} words
 * @property {Ref | null} match the ref of its board, where it was recorded move by move
 * @property {{ ref: Ref, points: number, money: string }[]} ledger
 *
 * @typedef {object} Payment what settles the night
 * @property {Ref} payer
 * @property {Ref} receiver
 * @property {number} minor
 * @property {string} words
 * @property {boolean} paid
 * @property {number | null} seq the entry that says that it was paid
 * @property {string} by
 * @property {string | null} at
 *
 * @typedef {{ kind: string, body: any, label?: string }} Entry
 * @typedef {{ players: { ref: Ref, name: string }[] }} Named
 */

const LIVE = new Set(["open", "offered", "in_game"]);

/**
 * Whether a cube is still in the game.
 * @type {(cube: DrawnCube) => boolean}
 */
export const live = (cube) => LIVE.has(cube.state);

/**
 * Whether a player is in the rotation.
 * @type {(player: Player) => boolean}
 */
export const here = (player) => !["out", "gone"].includes(player.role);

/** @type {(view: Named, ref: Ref) => string} */
export const named = (view, ref) => view.players.find((player) => player.ref === ref)?.name ?? ref;

/** @type {(view: TableView) => Ref | null} */
export const boxOf = (view) => view.players.find((player) => player.role === "box")?.ref ?? null;

const PLAYS = new Set(["box", "partner", "captain", "acting_captain", "crew"]);

/**
 * Whether a player leaves after the current game.
 * @type {(player: Player) => boolean}
 */
export const leaving = (player) => PLAYS.has(player.role) && player.presence !== "playing";

/** @type {(state: State, seat: Seat) => string} */
const roleOf = (state, { player, presence }) => {
  const { game } = state;
  const seating = game?.seating;
  if (game && seating && [seating.box, seating.partner, ...seating.crew].includes(player)) {
    if (player === seating.box) return "box";
    if (player === seating.partner) return "partner";
    if (player !== captainOf(game)) return "crew";
    return player === seating.crew[0] ? "captain" : "acting_captain";
  }
  if (presence === "gone") return "gone";
  if (presence === "sitting_out") return "out";
  if (game || !state.placed) return "waiting";
  const [box, ...others] = state.line;
  if (player === box) return "box";
  if (player === state.partner) return "partner";
  return player === others.find((each) => each !== state.partner) ? "captain" : "crew";
};

/** @type {(cube: Cube) => string} */
const stateOf = (cube) => {
  if (cube.result)
    return cube.result.agreed !== null ? "settled" : cube.result.ended === "pass" ? "passed" : "over";
  if (cube.offered) return "offered";
  return cube.turned ? "in_game" : "open";
};

/** @type {(view: Named, key: string) => string} */
export const nameOf = (view, key) =>
  key
    .split(">")
    .reverse()
    .map((ref) => named(view, ref))
    .join(" – ");

/** @type {(view: Named, game: Game, cube: Cube) => DrawnCube} */
const drawn = (view, game, cube) => {
  const side = cube.owner && (cube.against === null ? cube.owner : deciderOf(game, cube, cube.owner));
  const offered = cube.offered && { by: cube.offered, value: cube.value * 2 };
  return {
    key: keyOf(cube),
    player: cube.player,
    against: cube.against,
    holder: holderOf(cube),
    name: nameOf(view, keyOf(cube)),
    value: cube.value,
    owner: side ?? "middle",
    offered,
    state: stateOf(cube),
    words: "",
  };
};

/** @type {(game: Game | null, player: Ref) => boolean} */
const stillIn = (game, player) =>
  game !== null &&
  ([game.seating.box, game.seating.partner].includes(player) ||
    game.cubes.some((cube) => isLive(cube) && [cube.player, holderOf(cube)].includes(player)));

/**
 * The players in rotation order, absent ones last.
 * @type {(view: TableView, state: State, names: Map<Ref, string>) => Player[]}
 */
const people = (view, state, names) => {
  const known = new Map(view.players.map((player) => [player.ref, player]));
  const seating = state.game?.seating;
  const order = seating
    ? [
        ...new Set([
          seating.box,
          ...(seating.partner === null ? [] : [seating.partner]),
          ...seating.crew,
          ...state.line,
        ]),
      ]
    : state.line;
  const place = (/** @type {Ref} */ player) => order.indexOf(player) + 1 || null;
  const away = (/** @type {Seat} */ { presence }) => ["playing", "sitting_out", "gone"].indexOf(presence);
  const seats = [...state.seats].sort(
    (one, other) =>
      (place(one.player) ?? order.length + 1) - (place(other.player) ?? order.length + 1) ||
      away(one) - away(other),
  );
  return seats.map((seat) => ({
    ...(known.get(seat.player) ?? {
      ref: seat.player,
      name: names.get(seat.player) ?? seat.player,
      points: 0,
      balance: "",
      new: true,
    }),
    role: roleOf(state, seat),
    place: place(seat.player),
    presence: seat.presence,
    agreed: seat.agreed,
    proxy: seat.proxy,
    proxy_name: "",
    still_in: stillIn(state.game, seat.player),
  }));
};

/** @type {Record<string, (view: Named, action: Action) => string>} */
const TOLD = {
  beaver: (view, { by, cubes }) =>
    say(by[0] === cubes[0] ? "act_beaver_own" : "act_beaver", {
      who: named(view, by[0]),
      cube: nameOf(view, cubes[0]),
    }),
  raccoon: (view, { by, cubes }) =>
    say(by[0] === cubes[0] ? "act_raccoon_own" : "act_raccoon", {
      who: named(view, by[0]),
      cube: nameOf(view, cubes[0]),
    }),
  extra: (view, { body }) =>
    say("act_extra", { payer: named(view, body.payer), holder: named(view, body.holder) }),
  extra_refused: (view, { body }) =>
    say("act_extra_refused", { payer: named(view, body.payer), holder: named(view, body.holder) }),
  tie: (_view, { body }) => say(body.doubled ? "act_tie_doubled" : "act_tie"),
  game_start: (view, { body }) =>
    body.partner ? say("act_start_beside", { who: named(view, body.partner) }) : say("next_game"),
};

/**
 * Values that only the server knows.
 * @type {Pick<TableView, "possible_gains" | "board" | "movable_seats">}
 */
const UNKNOWN = { possible_gains: {}, board: null, movable_seats: [] };

/**
 * The payments with unsent entries applied: what is left to pay after any other entry is the server's to say.
 * @type {(payments: Payment[], entries: Entry[]) => Payment[]}
 */
const paying = (payments, entries) => {
  if (!entries.every(({ kind }) => kind === "paid")) return [];
  const found = [...payments];
  for (const { body } of entries) {
    const at = found.findIndex(
      ({ payer, receiver, minor, paid }) =>
        !paid && payer === body.payer && receiver === body.receiver && minor === body.minor,
    );
    if (at >= 0) found[at] = { ...found[at], paid: true };
  }
  return found;
};

/**
 * A copy of the view with the entries applied; the server reports those that no longer fit.
 * @template {TableView} View
 * @param {View} view
 * @param {Entry[]} entries
 * @returns {View}
 */
export const projected = (view, entries) => {
  if (!entries.length || !view.ahead) return view;
  let state = view.ahead;
  /** @type {Map<Ref, string>} */
  const names = new Map();
  for (const { kind, body, label } of entries) {
    if (kind === "join") names.set(body.player, body.name ?? label);
    try {
      state = apply(state, kind, body ?? {});
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  }
  const ahead = {
    ...view,
    ahead: state,
    ...UNKNOWN,
    payments: paying(view.payments ?? [], entries),
    status: state.closed ? "closed" : "open",
    placed: state.placed,
    to_roll: playersToRoll(state),
  };
  ahead.players = people(view, state, names);
  const { game } = state;
  ahead.game = game && {
    number: game.number,
    opening_doubles: game.ties,
    cubes: game.cubes.map((cube) => drawn(ahead, game, cube)),
  };
  ahead.actions = actions(state).map((action) => ({
    ...action,
    label: TOLD[action.kind]?.(ahead, action) ?? "",
  }));
  const due = game?.must_beaver;
  ahead.unscored = state.played > view.ahead.played;
  ahead.refusals = due ? { game_over: say("due_beaver", { name: nameOf(ahead, due) }) } : {};
  return ahead;
};
