// The rules of a chouette as far as a page without a line needs them: what may happen next, and what the table is after it.
//
// The server's rules (scoring/rules/chouette*.py) decide; these are the same ones for a phone that cannot ask. A state is the
// plain form of theirs, without what the games brought. tests/e2e/test_chouette_offline.py plays random nights against them.

export class Refused extends Error {
  /** `code` as the server's; `who` is whom it is about, where the page says so. */
  constructor(code, who = null) {
    super(code);
    this.code = code;
    this.who = who;
  }
}

const refuse = (code, who) => {
  throw new Refused(code, who);
};

const FEWEST = 3;
const MOST = 12;
const FEWEST_WITH_PARTNER = 4;
const OTHER = { box: "team", team: "box" };
const WORDS_OF_WIN = { single: 1, gammon: 2, backgammon: 3 };

// One game ---------------------------------------------------------------------------------------------------------

export const keyOf = (cube) => (cube.against === null ? cube.player : `${cube.against}>${cube.player}`);
export const holderOf = (cube) => cube.account ?? cube.player;
export const isLive = (cube) => cube.result === null;
const isMain = (cube) => cube.against === null;
const asked = (cube) => OTHER[cube.offered] ?? null;
const offered = (game) => game.cubes.filter((cube) => cube.offered !== null);
const room = (options, cube) => options.max_cube === null || cube.value * 2 <= options.max_cube;
const playersOf = ({ box, partner, crew }) => [box, ...(partner === null ? [] : [partner]), ...crew];

/** Who moves for the team: the first of the crew who is still in. */
export const captainOf = (game) => game.seating.crew.find((player) => game.cubes.some((cube) => isMain(cube) && isLive(cube) && cube.player === player)) ?? null;

/** Who decides for a side of a cube. */
export const deciderOf = (game, cube, side) => (side === "team" ? holderOf(cube) : (cube.against ?? game.seating.box));

const cubeOf = (game, key) => game.cubes.find((cube) => keyOf(cube) === key) ?? refuse("no_cube");
const sideOf = (game, cube, player) => (player === holderOf(cube) ? "team" : player === (cube.against ?? game.seating.box) ? "box" : null);

const changed = (game, cubes, change) => {
  const keys = new Set(cubes.map(keyOf));
  return { ...game, cubes: game.cubes.map((cube) => (keys.has(keyOf(cube)) ? { ...cube, ...change(cube) } : cube)) };
};

const ended = (game, cube, { boxWon, win, how, agreed = null }) => {
  const result = { player: cube.player, box_won: boxWon, win, cube: cube.value, ended: how, cube_turned: cube.turned, against: cube.against, agreed, account: cube.account };
  const after = changed(game, [cube], () => ({ offered: null, fresh: "no", result }));
  return { ...after, results: [...game.results, result], must_beaver: game.must_beaver === keyOf(cube) ? null : game.must_beaver };
};

const noBeaverDue = (game) => game.must_beaver !== null && refuse("must_beaver", game.must_beaver);

const tie = (game, { doubled }) => {
  const rule = game.options.automatic;
  if (game.cubes.some((cube) => cube.turned || cube.offered !== null || !isLive(cube))) refuse("begun");
  const has = room(game.options, game.cubes[0]);
  if (doubled && (rule === "never" || !has)) refuse("automatic");
  if (!doubled && rule === "first_always" && game.ties === 0 && has) refuse("automatic");
  return { ...game, cubes: game.cubes.map((cube) => ({ ...cube, value: cube.value * (doubled ? 2 : 1) })), ties: game.ties + 1 };
};

const doublingSide = (game, cube, by) => {
  if (!game.options.multi_cube && isMain(cube) && by !== game.seating.box) return by === captainOf(game) ? "team" : null;
  return sideOf(game, cube, by);
};

const offer = (game, { by, cubes: keys }) => {
  noBeaverDue(game);
  const cubes = [...new Set(keys)].map((key) => cubeOf(game, key));
  if (!cubes.length) refuse("no_cube");
  const sides = new Set(cubes.map((cube) => doublingSide(game, cube, by)));
  const [side] = sides;
  if (sides.size > 1 || side === null) refuse("not_own");
  for (const cube of cubes) {
    if (!isLive(cube)) refuse("cube_over");
    if (cube.offered !== null) refuse("answer_first");
    if (cube.owner !== null && cube.owner !== side) refuse("not_owner");
    if (!room(game.options, cube)) refuse("max_cube");
  }
  const main = new Set(cubes.filter(isMain).map(keyOf));
  if (!game.options.multi_cube && main.size && game.cubes.some((cube) => isLive(cube) && isMain(cube) && !main.has(keyOf(cube)))) refuse("one_cube");
  const waiting = offered(game);
  if (waiting.some((cube) => cube.offered !== side)) refuse("answer_first");
  const calm = { ...game, cubes: game.cubes.map((cube) => ({ ...cube, fresh: "no" })) };
  return { ...changed(calm, cubes, () => ({ offered: side })), round_offered: waiting.length + cubes.length, round_passed: waiting.length ? game.round_passed : [] };
};

const boxAnswers = (game, takes, named) => {
  const { options } = game;
  const waiting = offered(game).filter(isMain);
  if (waiting.some((cube) => !named.includes(keyOf(cube)))) refuse("answer_all");
  if (!options.multi_cube) {
    if (new Set(named.map((key) => takes.includes(key))).size > 1) refuse("one_cube");
    return;
  }
  if (options.takes_captain && takes.length) {
    const captain = captainOf(game);
    const held = game.cubes.some((cube) => isLive(cube) && isMain(cube) && cube.owner === "box");
    if (named.includes(captain) && !takes.includes(captain) && !held) refuse("takes_captain");
  }
  const crew = game.seating.crew.length;
  if (waiting.length < crew || waiting.some((cube) => cube.turned)) return;
  if (crew === 2 && options.three_players !== "free") {
    if (options.three_players === "both" && takes.length < 2) refuse("both");
    if (takes.length === 1) refuse("both_or_none");
  } else if (options.takes_half && takes.length > 0 && 2 * takes.length < crew) refuse("takes_half");
};

const loneTaker = (game) => {
  if (!game.options.lone_taker_beavers || game.round_offered < game.seating.crew.length) return game;
  const takers = game.cubes.filter((cube) => cube.fresh === "taken" && cube.owner === "team" && isMain(cube));
  return takers.length === 1 && room(game.options, takers[0]) ? { ...game, must_beaver: keyOf(takers[0]) } : game;
};

const answer = (before, { by, takes = [], passes = [] }) => {
  const named = [...takes, ...passes];
  if (!named.length || new Set(named).size !== named.length) refuse("answer");
  for (const key of named) {
    const cube = cubeOf(before, key);
    if (cube.offered === null || sideOf(before, cube, by) !== asked(cube)) refuse("not_asked");
  }
  if (by === before.seating.box) boxAnswers(before, takes, named);
  let game = before;
  for (const key of passes) {
    const cube = cubeOf(game, key);
    game = ended(game, cube, { boxWon: cube.offered === "box", win: 1, how: "pass" });
  }
  game = { ...game, round_passed: [...game.round_passed, ...passes] };
  game = changed(game, takes.map((key) => cubeOf(game, key)), (cube) => ({ value: cube.value * 2, owner: asked(cube), turned: true, offered: null, fresh: "taken" }));
  return offered(game).length ? game : loneTaker(game);
};

const turnedWith = (game, cube) => {
  if (game.options.multi_cube || !isMain(cube)) return [cube];
  if (offered(game).some(isMain)) refuse("answer_first");
  return game.cubes.filter((each) => isLive(each) && isMain(each));
};

const beaver = (game, { by, cube: key }) => {
  const cube = cubeOf(game, key);
  if (!game.options.beavers && game.must_beaver !== key) refuse("beaver");
  if (cube.fresh !== "taken" || sideOf(game, cube, by) !== cube.owner) refuse("beaver");
  if (!room(game.options, cube)) refuse("max_cube");
  const after = changed(game, turnedWith(game, cube), (each) => ({ value: each.value * 2, fresh: "beavered" }));
  return { ...after, must_beaver: game.must_beaver === key ? null : game.must_beaver };
};

const raccoon = (game, { by, cube: key }) => {
  const cube = cubeOf(game, key);
  if (!game.options.raccoons) refuse("raccoon");
  if (cube.fresh !== "beavered" || cube.owner === null || sideOf(game, cube, by) !== OTHER[cube.owner]) refuse("raccoon");
  if (!room(game.options, cube)) refuse("max_cube");
  return changed(game, turnedWith(game, cube), (each) => ({ value: each.value * 2, fresh: "no" }));
};

const extra = (game, { payer, holder }) => {
  if (game.options.extras === "none") refuse("extra");
  const passed = cubeOf(game, payer);
  const taken = cubeOf(game, holder);
  const lost = passed.result;
  const together = game.round_passed.includes(payer) && taken.fresh !== "no" && taken.owner === "team";
  const own = [passed, taken].every((cube) => isMain(cube) && cube.account === null);
  if (lost === null || !lost.box_won || !together || !own) refuse("extra");
  const further = { player: holder, against: payer, value: lost.cube * 2, owner: "team", turned: true, offered: null, fresh: "taken", account: null, result: null };
  if (game.cubes.some((cube) => keyOf(cube) === keyOf(further))) refuse("extra_twice");
  if (game.refused_extras.includes(keyOf(further))) refuse("extra_refused");
  return { ...game, cubes: [...game.cubes, further], payments: [...game.payments, { payer, receiver: holder, points: lost.cube }] };
};

const refuseExtra = (game, { payer, holder }) => {
  if (game.options.extras === "compulsory") refuse("extra_must");
  extra(game, { payer, holder });
  return { ...game, refused_extras: [...game.refused_extras, `${payer}>${holder}`] };
};

const forSale = (game, key) => {
  if (!game.options.settlements) refuse("settlement");
  const cube = cubeOf(game, key);
  if (!isLive(cube)) refuse("cube_over");
  if (cube.offered !== null) refuse("answer_first");
  return cube;
};

const settle = (game, { cube: key, points }) => ended(game, forSale(game, key), { boxWon: points <= 0, win: 1, how: "resignation", agreed: points === 0 ? 0 : -points });

const takeOver = (game, { cube: key, by, points }) => {
  const cube = forSale(game, key);
  if (!playersOf(game.seating).includes(by)) refuse("not_seated");
  if (sideOf(game, cube, by) !== null) refuse("own_cube");
  const after = changed(game, [cube], () => ({ account: by }));
  if (points === 0) return after;
  const [payer, receiver] = points > 0 ? [holderOf(cube), by] : [by, holderOf(cube)];
  return { ...after, payments: [...after.payments, { payer, receiver, points: Math.abs(points) }] };
};

const finish = (before, { box_won: boxWon, win, ended: how = "borne_off" }) => {
  noBeaverDue(before);
  if (offered(before).length) refuse("answer_first");
  if (how === "pass") refuse("pass");
  let game = before;
  for (const cube of before.cubes) if (isLive(cube)) game = ended(game, cubeOf(game, keyOf(cube)), { boxWon, win: WORDS_OF_WIN[win] ?? win, how });
  return game;
};

const AT_TABLE = { tie, offer, answer, beaver, raccoon, extra, extra_refused: refuseExtra, settle, take_over: takeOver, game_over: finish };

// Who sits where ---------------------------------------------------------------------------------------------------

const boxPoints = (result, options) => {
  if (result.agreed !== null) return result.agreed;
  const win = options.jacoby && !result.cube_turned ? 1 : result.win;
  return (result.box_won ? 1 : -1) * win * result.cube;
};

const boxStays = ({ seating, options }, results) => {
  if (options.box_keeps === "beat_captain") return results.find(({ player }) => player === seating.crew[0]).box_won;
  if (options.box_keeps === "net_not_negative") return results.reduce((sum, result) => sum + boxPoints(result, options), 0) >= 0;
  return results.at(-1).box_won;
};

const nextSeating = (game) => {
  const { seating, options } = game;
  const results = game.results.filter(({ against }) => against === null);
  const [captain, ...others] = seating.crew;
  if (boxStays(game, results)) return { box: seating.box, crew: [...others, captain], partner: seating.partner };
  const beatenBy = new Set(results.filter(({ box_won: won }) => !won).map(({ player }) => player));
  const following = !beatenBy.has(captain) && options.new_box === "acting_captain" ? seating.crew.find((player) => beatenBy.has(player)) : captain;
  let rest = seating.crew.filter((player) => player !== following);
  if (options.double_stand_up && following !== captain) rest = [...rest.slice(1), captain];
  return { box: following, crew: [...rest, ...(seating.partner === null ? [] : [seating.partner]), seating.box], partner: null };
};

const fallen = (before, after, doubleStandUp) => {
  if (after.box === before.box) return after.crew.slice(-1);
  const down = new Set([before.box, before.partner]);
  if (doubleStandUp && after.box !== before.crew[0]) down.add(before.crew[0]);
  return after.crew.filter((player) => down.has(player));
};

// The night --------------------------------------------------------------------------------------------------------

const seatOf = (state, player) => state.seats.find((seat) => seat.player === player) ?? refuse("not_seated");
const seated = (state, seat) => ({ ...state, seats: state.seats.map((one) => (one.player === seat.player ? seat : one)) });
const playing = (state) => state.seats.filter(({ presence }) => presence === "playing").map(({ player }) => player);
const betweenGames = (state) => state.game !== null && refuse("game_on");
const checkedStake = (stake) => (Number.isInteger(stake) && stake >= 0 ? stake : refuse("stake"));

const withoutAbsent = (state) => {
  const here = new Set(playing(state));
  const line = state.line.filter((player) => here.has(player));
  const keeps = here.has(state.partner) && line[0] === state.line[0];
  const tied = state.tied.map((group) => group.filter((player) => here.has(player))).filter((group) => group.length);
  const decided = tied.length > 0 && tied.every((group) => group.length === 1);
  return { ...state, line, partner: keeps ? state.partner : null, placed: state.placed || decided, tied: decided ? [] : tied };
};

const over = (state) => {
  const { game } = state;
  const after = nextSeating(game);
  let line = [after.box, ...(after.partner === null ? [] : [after.partner]), ...after.crew];
  const known = playersOf(game.seating);
  const newcomers = state.line.filter((player) => !known.includes(player));
  if (newcomers.length && !game.options.newcomers_last) {
    const down = fallen(game.seating, after, game.options.double_stand_up);
    line = [...line.filter((player) => !down.includes(player)), ...newcomers, ...down];
  } else line = [...line, ...newcomers];
  const { announced } = state;
  return withoutAbsent({ ...state, game: null, played: state.played + 1, line, partner: after.partner, ...(announced ? { name: announced.name, options: announced.options, announced: null } : {}) });
};

const atTheBottom = (state, player) => ({ ...state, line: [...state.line, player], tied: state.tied.length ? [...state.tied, [player]] : [] });

const standUp = (state, player, presence) => {
  const seat = seatOf(state, player);
  if (seat.presence === presence || (presence === "sitting_out" && seat.presence === "gone")) refuse("away");
  const after = seated(state, { ...seat, presence });
  return after.game !== null && playersOf(after.game.seating).includes(player) ? after : withoutAbsent(after);
};

/** Who throws for places now: everybody, or the first who tied. */
export const throwers = (state) => {
  if (state.placed || state.game !== null || state.closed) return [];
  return (state.tied.length ? state.tied : [state.line]).find((group) => group.length > 1) ?? [];
};

const throwPlaces = (state, { throws }) => {
  betweenGames(state);
  const groups = state.placed ? [] : state.tied.length ? state.tied : [state.line];
  const group = groups.find((each) => each.length > 1) ?? [];
  const thrown = throws.map(({ player }) => player);
  if (!group.length || [...thrown].sort().join() !== [...group].sort().join()) refuse("throws");
  for (const { dice } of throws) if (dice.length !== state.options.opening_dice || dice.some((die) => !(die >= 1 && die <= 6))) refuse("throw");
  const sums = new Map(throws.map(({ player, dice }) => [player, dice.reduce((sum, die) => sum + die, 0)]));
  const values = [...new Set(sums.values())].sort((one, other) => other - one);
  const tied = groups.flatMap((each) => (each === group ? values.map((value) => group.filter((player) => sums.get(player) === value)) : [each]));
  const line = tied.flat();
  if (tied.some((each) => each.length > 1)) return { ...state, line, tied, placed: false };
  return { ...state, line, tied: [], placed: true, partner: null };
};

const beginGame = (state, { partner: named = null }) => {
  betweenGames(state);
  const { options } = state;
  const count = state.line.length;
  if (!state.placed) refuse("places");
  if (count < FEWEST) refuse("players");
  if (named === null) {
    if (state.partner === null && options.partner_must !== null && count >= options.partner_must) refuse("partner");
  } else {
    if (state.partner !== null && state.partner !== named) refuse("partner");
    if (!state.line.slice(1).includes(named)) refuse("partner");
    if (options.partner_from === null || (count < options.partner_from && state.partner !== named)) refuse("partner");
  }
  const partner = count < FEWEST_WITH_PARTNER ? null : (named ?? state.partner);
  const [box, ...others] = state.line;
  const crew = others.filter((player) => player !== partner);
  const cubes = crew.map((player) => ({ player, against: null, value: 1, owner: null, turned: false, offered: null, fresh: "no", account: null, result: null }));
  const game = { number: state.played + 1, seating: { box, crew, partner }, options, cubes, results: [], payments: [], ties: 0, must_beaver: null, round_offered: 0, round_passed: [], refused_extras: [] };
  return { ...state, game, partner };
};

const swapped = (state, { one, other }) => {
  betweenGames(state);
  for (const player of [one, other]) if (seatOf(state, player).presence !== "playing") refuse("away");
  if (one === other) refuse("swap");
  const of = (player) => (player === one ? other : player === other ? one : player);
  return { ...state, line: state.line.map(of), tied: state.tied.map((group) => group.map(of)), partner: state.partner === null ? null : of(state.partner) };
};

const OF_THE_NIGHT = {
  options(state, { options, name = "" }) {
    const seats = state.seats.map((seat) => ({ ...seat, agreed: false }));
    const full = { ...state.usual, ...options };
    return state.game === null ? { ...state, seats, name, options: full, announced: null } : { ...state, seats, announced: { name, options: full } };
  },
  join(state, { player, stake }) {
    if (state.seats.some((seat) => seat.player === player)) refuse("sits_already");
    if (playing(state).length >= MOST) refuse("full");
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

/** The state after one more event. Throws Refused for what may not happen now. */
export const apply = (state, kind, body = {}) => {
  if (["nothing", "seat"].includes(kind)) return state;
  if (state.closed) refuse("closed");
  let after;
  if (kind in AT_TABLE) {
    if (state.game === null) refuse("no_game");
    after = { ...state, game: AT_TABLE[kind](state.game, body) };
  } else {
    if (!(kind in OF_THE_NIGHT)) refuse("started");
    after = OF_THE_NIGHT[kind](state, body);
  }
  return after.game !== null && !after.game.cubes.some(isLive) ? over(after) : after;
};

/** Why an event may not happen now; null when it may. */
export const whyNot = (state, kind, body) => {
  try {
    apply(state, kind, body);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return error;
  }
  return null;
};

// What may be recorded ---------------------------------------------------------------------------------------------

const may = (state, kind, body) => whyNot(state, kind, body) === null;
const action = (kind, rest = {}) => ({ kind, by: [], cubes: [], players: [], body: {}, ...rest });

const offers = (state, game) =>
  playersOf(game.seating).flatMap((by) => {
    const live = game.cubes.filter(isLive).map(keyOf);
    let cubes = live.filter((key) => may(state, "offer", { by, cubes: [key] }));
    if (!cubes.length) {
      const shared = game.cubes.filter((cube) => isLive(cube) && isMain(cube)).map(keyOf);
      cubes = shared.length && may(state, "offer", { by, cubes: shared }) ? shared : [];
    }
    return cubes.length ? [action("offer", { by: [by], cubes, body: { by, cubes } })] : [];
  });

const answers = (game) => {
  const people = new Map();
  for (const cube of offered(game)) {
    const by = deciderOf(game, cube, asked(cube));
    people.set(by, [...(people.get(by) ?? []), keyOf(cube)]);
  }
  return [...people].map(([by, cubes]) => action("answer", { by: [by], cubes, body: { by }, all: by === game.seating.box }));
};

const redoubles = (state, game) =>
  game.cubes
    .filter((cube) => isLive(cube) && cube.owner !== null)
    .flatMap((cube) =>
      [
        ["beaver", deciderOf(game, cube, cube.owner)],
        ["raccoon", deciderOf(game, cube, OTHER[cube.owner])],
      ].map(([kind, by]) => action(kind, { by: [by], cubes: [keyOf(cube)], body: { by, cube: keyOf(cube) } })),
    )
    .filter(({ kind, body }) => may(state, kind, body));

const extras = (state, { seating }) =>
  seating.crew.flatMap((payer) =>
    seating.crew.flatMap((holder) => {
      const body = { payer, holder };
      if (payer === holder || !may(state, "extra", body)) return [];
      const asks = action("extra", { by: [payer], players: [payer, holder], body });
      return may(state, "extra_refused", body) ? [asks, action("extra_refused", { by: [holder], players: [payer, holder], body })] : [asks];
    }),
  );

const sales = (state, game) => {
  const live = game.cubes.filter(isLive).map(keyOf);
  const keys = live.filter((cube) => may(state, "settle", { cube, points: 0 }));
  const pairs = live.flatMap((cube) => playersOf(game.seating).filter((by) => may(state, "take_over", { cube, by, points: 0 })).map((by) => [cube, by]));
  const each = (at) => [...new Set(pairs.map((pair) => pair[at]))];
  return [...(keys.length ? [action("settle", { cubes: keys })] : []), ...(pairs.length ? [action("take_over", { cubes: each(0), players: each(1) })] : [])];
};

const inGame = (state, game) => [
  ...answers(game),
  ...offers(state, game),
  ...redoubles(state, game),
  ...extras(state, game),
  ...[true, false].filter((doubled) => may(state, "tie", { doubled })).map((doubled) => action("tie", { body: { doubled } })),
  ...(may(state, "game_over", { box_won: true, win: 1 }) ? [action("game_over")] : []),
  ...sales(state, game),
];

const between = (state) => {
  if (state.game !== null) return [];
  const throwing = throwers(state);
  const starts = [null, ...state.line.slice(1)].map((partner) => (partner === null ? {} : { partner })).filter((body) => may(state, "game_start", body));
  return [
    ...(throwing.length ? [action("places", { players: throwing, dice: state.options.opening_dice })] : []),
    ...starts.map((body) => action("game_start", { players: body.partner ? [body.partner] : [], body })),
    ...(state.line.length > 1 ? [action("order", { players: state.line, body: { players: state.line } }), action("swap", { players: state.line })] : []),
    ...(may(state, "chouette_end", {}) ? [action("chouette_end")] : []),
  ];
};

const people = (state) => {
  const refs = state.seats.map(({ player }) => player);
  const of = (kind, players) => (players.length ? [action(kind, { players })] : []);
  const here = state.seats.filter(({ presence }) => presence !== "gone").map(({ player }) => player);
  return [
    ...(may(state, "join", { player: "somebody new", stake: 0 }) ? [action("join")] : []),
    ...of("agree", state.seats.filter(({ agreed }) => !agreed).map(({ player }) => player)),
    ...["sit_out", "come_back", "leave"].flatMap((kind) => of(kind, refs.filter((player) => may(state, kind, { player })))),
    ...of("stake", refs.filter((player) => may(state, "stake", { player, stake: 0 }))),
    ...(here.length > 1 && may(state, "proxy", { player: here[0], proxy: here[1] }) ? of("proxy", here) : []),
    action("options"),
  ];
};

/** Everything that may be recorded now, as the server tells it while there is a line (scoring/chouettes/queries/actions.py). */
export const actions = (state) => (state.closed ? [] : [...(state.game === null ? [] : inGame(state, state.game)), ...between(state), ...people(state)]);
