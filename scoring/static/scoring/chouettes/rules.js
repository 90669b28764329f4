// Rules of a chouette, for use offline: the table after one more event.
//
// A state is the plain form of the server's (scoring/rules/chouette), without finished games.

import { AT_TABLE, isLive, playersOf, refuse, Refused } from "./game.js";

/**
 * @typedef {import("./game.js").Ref} Ref
 * @typedef {import("./game.js").Options} Options
 * @typedef {import("./game.js").Seating} Seating
 * @typedef {import("./game.js").Result} Result
 * @typedef {import("./game.js").Cube} Cube
 * @typedef {import("./game.js").Game} Game
 * @typedef {"playing" | "sitting_out" | "gone"} Presence
 *
 * @typedef {object} Seat
 * @property {Ref} player
 * @property {number} stake
 * @property {Presence} presence
 * @property {boolean} agreed
 * @property {Ref | null} proxy
 *
 * @typedef {object} State
 * @property {Options} options
 * @property {Options} usual what a house has where it says nothing
 * @property {string} name
 * @property {{ name: string, options: Options } | null} announced
 * @property {Ref[]} line the rotation
 * @property {Seat[]} seats
 * @property {boolean} placed
 * @property {Ref[][]} tied who threw alike for places, group by group
 * @property {Ref | null} partner
 * @property {Game | null} game
 * @property {number} played
 * @property {boolean} closed
 *
 * @typedef {(state: State, body: any) => State} Step what an event makes of the night; it throws Refused
 */

const FEWEST = 3;
const MOST = 12;
const FEWEST_WITH_PARTNER = 4;

// Seating ----------------------------------------------------------------------------------------------------------

/** @type {(result: Result, options: Options) => number} */
const boxPoints = (result, options) => {
  if (result.agreed !== null) return result.agreed;
  const win = options.jacoby && !result.cube_turned ? 1 : result.win;
  return (result.box_won ? 1 : -1) * win * result.cube;
};

/** @type {(game: Game, results: Result[]) => boolean} */
const boxStays = ({ seating, options }, results) => {
  if (options.box_keeps === "beat_captain")
    return results.some(({ player, box_won: won }) => won && player === seating.crew[0]);
  if (options.box_keeps === "net_not_negative")
    return results.reduce((sum, result) => sum + boxPoints(result, options), 0) >= 0;
  return Boolean(results.at(-1)?.box_won);
};

/** @type {(game: Game) => Seating} */
const nextSeating = (game) => {
  const { seating, options } = game;
  const results = game.results.filter(({ against }) => against === null);
  const [captain, ...others] = seating.crew;
  if (boxStays(game, results))
    return { box: seating.box, crew: [...others, captain], partner: seating.partner };
  const beatenBy = new Set(results.filter(({ box_won: won }) => !won).map(({ player }) => player));
  const following =
    !beatenBy.has(captain) && options.new_box === "acting_captain"
      ? (seating.crew.find((player) => beatenBy.has(player)) ?? captain)
      : captain;
  let rest = seating.crew.filter((player) => player !== following);
  if (options.double_stand_up && following !== captain) rest = [...rest.slice(1), captain];
  return {
    box: following,
    crew: [...rest, ...(seating.partner === null ? [] : [seating.partner]), seating.box],
    partner: null,
  };
};

/** @type {(before: Seating, after: Seating, doubleStandUp: boolean) => Ref[]} */
const fallen = (before, after, doubleStandUp) => {
  if (after.box === before.box) return after.crew.slice(-1);
  const down = new Set([before.box, before.partner]);
  if (doubleStandUp && after.box !== before.crew[0]) down.add(before.crew[0]);
  return after.crew.filter((player) => down.has(player));
};

// The session ------------------------------------------------------------------------------------------------------

/** @type {(state: State, player: Ref) => Seat} */
const seatOf = (state, player) => state.seats.find((seat) => seat.player === player) ?? refuse("not_seated");
/** @type {(state: State, seat: Seat) => State} */
const seated = (state, seat) => ({
  ...state,
  seats: state.seats.map((one) => (one.player === seat.player ? seat : one)),
});
/** @type {(state: State) => Ref[]} */
const playing = (state) =>
  state.seats.filter(({ presence }) => presence === "playing").map(({ player }) => player);
/** @type {(state: State) => void} */
const betweenGames = (state) => state.game !== null && refuse("game_on");
/** @type {(stake: number) => number} */
const checkedStake = (stake) => (Number.isInteger(stake) && stake >= 0 ? stake : refuse("stake"));

/** @type {(state: State) => State} */
const withoutAbsent = (state) => {
  const here = new Set(playing(state));
  const line = state.line.filter((player) => here.has(player));
  const keeps = state.partner !== null && here.has(state.partner) && line[0] === state.line[0];
  const tied = state.tied
    .map((group) => group.filter((player) => here.has(player)))
    .filter((group) => group.length);
  const decided = tied.length > 0 && tied.every((group) => group.length === 1);
  return {
    ...state,
    line,
    partner: keeps ? state.partner : null,
    placed: state.placed || decided,
    tied: decided ? [] : tied,
  };
};

/** @type {(state: State, game: Game) => State} */
const over = (state, game) => {
  const after = nextSeating(game);
  let line = [after.box, ...(after.partner === null ? [] : [after.partner]), ...after.crew];
  const known = playersOf(game.seating);
  const newcomers = state.line.filter((player) => !known.includes(player));
  if (newcomers.length && !game.options.newcomers_last) {
    const down = fallen(game.seating, after, game.options.double_stand_up);
    line = [...line.filter((player) => !down.includes(player)), ...newcomers, ...down];
  } else line = [...line, ...newcomers];
  const { announced } = state;
  return withoutAbsent({
    ...state,
    game: null,
    played: state.played + 1,
    line,
    partner: after.partner,
    ...(announced ? { name: announced.name, options: announced.options, announced: null } : {}),
  });
};

/** @type {(state: State, player: Ref) => State} */
const atTheBottom = (state, player) => ({
  ...state,
  line: [...state.line, player],
  tied: state.tied.length ? [...state.tied, [player]] : [],
});

/** @type {(state: State, player: Ref, presence: Presence) => State} */
const standUp = (state, player, presence) => {
  const seat = seatOf(state, player);
  if (seat.presence === presence || (presence === "sitting_out" && seat.presence === "gone")) refuse("away");
  const after = seated(state, { ...seat, presence });
  return after.game !== null && playersOf(after.game.seating).includes(player) ? after : withoutAbsent(after);
};

/**
 * The players to roll for places now: all, or the first tied group.
 * @type {(state: State) => Ref[]}
 */
export const playersToRoll = (state) => {
  if (state.placed || state.game !== null || state.closed) return [];
  return (state.tied.length ? state.tied : [state.line]).find((group) => group.length > 1) ?? [];
};

/** @type {(state: State, body: { throws: { player: Ref, dice: number[] }[] }) => State} */
const throwPlaces = (state, { throws }) => {
  betweenGames(state);
  const groups = state.placed ? [] : state.tied.length ? state.tied : [state.line];
  const group = groups.find((each) => each.length > 1) ?? [];
  const thrown = throws.map(({ player }) => player);
  if (!group.length || [...thrown].sort().join() !== [...group].sort().join()) refuse("throws");
  for (const { dice } of throws)
    if (dice.length !== state.options.opening_dice || dice.some((die) => !(die >= 1 && die <= 6)))
      refuse("throw");
  const sums = new Map(throws.map(({ player, dice }) => [player, dice.reduce((sum, die) => sum + die, 0)]));
  const values = [...new Set(sums.values())].sort((one, other) => other - one);
  const tied = groups.flatMap((each) =>
    each === group ? values.map((value) => group.filter((player) => sums.get(player) === value)) : [each],
  );
  const line = tied.flat();
  if (tied.some((each) => each.length > 1)) return { ...state, line, tied, placed: false };
  return { ...state, line, tied: [], placed: true, partner: null };
};

/**
 * @param {Ref} player
 * @returns {Cube}
 */
const newCube = (player) => ({
  player,
  against: null,
  value: 1,
  owner: null,
  turned: false,
  offered: null,
  fresh: "no",
  account: null,
  result: null,
});

/** @type {Step} */
const beginGame = (state, { partner: named = null }) => {
  betweenGames(state);
  const { options } = state;
  const count = state.line.length;
  if (!state.placed) refuse("places");
  if (count < FEWEST) refuse("players");
  if (named === null) {
    if (state.partner === null && options.partner_must !== null && count >= options.partner_must)
      refuse("partner");
  } else {
    if (state.partner !== null && state.partner !== named) refuse("partner");
    if (!state.line.slice(1).includes(named)) refuse("partner");
    if (options.partner_from === null || (count < options.partner_from && state.partner !== named))
      refuse("partner");
  }
  const partner = count < FEWEST_WITH_PARTNER ? null : (named ?? state.partner);
  const [box, ...others] = state.line;
  const crew = others.filter((player) => player !== partner);
  const cubes = crew.map(newCube);
  /** @type {Game} */
  const game = {
    number: state.played + 1,
    seating: { box, crew, partner },
    options,
    cubes,
    results: [],
    payments: [],
    ties: 0,
    must_beaver: null,
    round_offered: 0,
    round_passed: [],
    refused_extras: [],
  };
  return { ...state, game, partner };
};

/** @type {Step} */
const swapped = (state, { one, other }) => {
  betweenGames(state);
  for (const player of [one, other]) if (seatOf(state, player).presence !== "playing") refuse("away");
  if (one === other) refuse("swap");
  const of = (/** @type {Ref} */ player) => (player === one ? other : player === other ? one : player);
  return {
    ...state,
    line: state.line.map(of),
    tied: state.tied.map((group) => group.map(of)),
    partner: state.partner === null ? null : of(state.partner),
  };
};

/** @type {Record<string, Step>} */
const OF_THE_NIGHT = {
  options(state, { options, name = "" }) {
    const seats = state.seats.map((seat) => ({ ...seat, agreed: false }));
    const full = { ...state.usual, ...options };
    return state.game === null
      ? { ...state, seats, name, options: full, announced: null }
      : { ...state, seats, announced: { name, options: full } };
  },
  join(state, { player, stake }) {
    if (state.seats.some((seat) => seat.player === player)) refuse("sits_already");
    if (playing(state).length >= MOST) refuse("full");
    /** @type {Seat} */
    const seat = { player, stake: checkedStake(stake), presence: "playing", agreed: false, proxy: null };
    return atTheBottom({ ...state, seats: [...state.seats, seat] }, player);
  },
  agree: (state, { player }) => seated(state, { ...seatOf(state, player), agreed: true }),
  places: throwPlaces,
  order(state, { players }) {
    betweenGames(state);
    if ([...players].sort().join() !== [...state.line].sort().join()) refuse("places");
    return { ...state, line: players, tied: [], placed: true, partner: null };
  },
  swap: swapped,
  sit_out: (state, { player }) => standUp(state, player, "sitting_out"),
  leave: (state, { player }) => standUp(state, player, "gone"),
  come_back(state, { player }) {
    const seat = seatOf(state, player);
    if (seat.presence === "playing") refuse("here");
    if (playing(state).length >= MOST) refuse("full");
    const after = seated(state, { ...seat, presence: "playing" });
    return after.line.includes(player) ? after : atTheBottom(after, player);
  },
  stake(state, { player, stake }) {
    betweenGames(state);
    return seated(state, { ...seatOf(state, player), stake: checkedStake(stake) });
  },
  proxy(state, { player, proxy = null }) {
    const seat = seatOf(state, player);
    if (proxy !== null) {
      if (!state.options.proxies || proxy === player) refuse("proxy");
      seatOf(state, proxy);
    }
    return seated(state, { ...seat, proxy });
  },
  game_start: beginGame,
  chouette_end(state) {
    betweenGames(state);
    return { ...state, closed: true };
  },
};

/**
 * A payment changes nothing at the table, also after its end.
 * @type {Step}
 */
const paid = (state, { payer, receiver, minor }) =>
  payer !== receiver && minor >= 1 ? state : refuse("payment");

/**
 * The state after one more event. Throws Refused for an event not possible now.
 * @type {(state: State, kind: string, body?: any) => State}
 */
export const apply = (state, kind, body = {}) => {
  if (["nothing", "seat"].includes(kind)) return state;
  if (kind === "paid") return paid(state, body);
  if (state.closed) refuse("closed");
  let after;
  if (kind in AT_TABLE) {
    if (state.game === null) refuse("no_game");
    after = { ...state, game: AT_TABLE[kind](state.game, body) };
  } else {
    if (!(kind in OF_THE_NIGHT)) refuse("started");
    after = OF_THE_NIGHT[kind](state, body);
  }
  return after.game !== null && !after.game.cubes.some(isLive) ? over(after, after.game) : after;
};

/**
 * The refusal of an event now; null if it is possible.
 * @type {(state: State, kind: string, body: object) => Refused | null}
 */
export const whyNot = (state, kind, body) => {
  try {
    apply(state, kind, body);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return error;
  }
  return null;
};
