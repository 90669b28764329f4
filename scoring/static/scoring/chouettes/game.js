// Rules of one chouette game, for use offline: cubes, deciders and results.
//
// They equal the server's rules (scoring/rules/chouette), which have the last word;
// tests/scoring/chouettes/test_page_rules.py compares the two.

/**
 * @typedef {string} Ref
 * @typedef {"box" | "team"} Half
 * @typedef {{ box: Ref, partner: Ref | null, crew: Ref[] }} Seating
 *
 * @typedef {object} Options the house rules of a game
 * @property {boolean} multi_cube
 * @property {boolean} jacoby
 * @property {boolean} beavers
 * @property {boolean} raccoons
 * @property {boolean} lone_taker_beavers
 * @property {boolean} takes_half
 * @property {boolean} takes_captain
 * @property {"free" | "both" | "both_or_none"} three_players
 * @property {"never" | "first_always" | "box_wishes"} automatic
 * @property {"none" | "optional" | "compulsory"} extras
 * @property {boolean} settlements
 * @property {"beat_captain" | "net_not_negative" | "last_cube"} box_keeps
 * @property {string} new_box
 * @property {boolean} double_stand_up
 * @property {number | null} partner_from
 * @property {number | null} partner_must
 * @property {boolean} newcomers_last
 * @property {number} opening_dice
 * @property {boolean} proxies
 * @property {number | null} max_cube
 *
 * @typedef {object} Result how a cube ended
 * @property {Ref} player
 * @property {boolean} box_won
 * @property {number} win
 * @property {number} cube
 * @property {string} ended
 * @property {boolean} cube_turned
 * @property {Ref | null} against
 * @property {number | null} agreed
 * @property {Ref | null} account
 *
 * @typedef {object} Cube
 * @property {Ref} player
 * @property {Ref | null} against the player whom an extra is played against; null for a cube of the table
 * @property {number} value
 * @property {Half | null} owner
 * @property {Half | null} offered the side that has doubled
 * @property {boolean} turned
 * @property {"no" | "taken" | "beavered"} fresh
 * @property {Ref | null} account who has taken it over
 * @property {Result | null} result
 *
 * @typedef {object} Game
 * @property {number} number
 * @property {Options} options
 * @property {Seating} seating
 * @property {Cube[]} cubes
 * @property {Result[]} results
 * @property {{ payer: Ref, receiver: Ref, points: number }[]} payments
 * @property {number} ties
 * @property {string | null} must_beaver
 * @property {number} round_offered
 * @property {string[]} round_passed
 * @property {string[]} refused_extras
 *
 * @typedef {(game: Game, body: any) => Game} Step what an event makes of a game; it throws Refused
 */

export class Refused extends Error {
  /** `code` as the server's; `who` is the player concerned, where the page names one. */
  constructor(/** @type {string} */ code, /** @type {string | null} */ who = null) {
    super(code);
    this.code = code;
    this.who = who;
  }
}

/** @type {(code: string, who?: string | null) => never} */
export const refuse = (code, who) => {
  throw new Refused(code, who);
};

/** @type {{ box: "team", team: "box" }} */
export const OTHER = { box: "team", team: "box" };
/** @type {Record<string, number>} */
const WORDS_OF_WIN = { single: 1, gammon: 2, backgammon: 3 };

// One game ---------------------------------------------------------------------------------------------------------

/** @type {(cube: { player: Ref, against: Ref | null }) => string} */
export const keyOf = (cube) => (cube.against === null ? cube.player : `${cube.against}>${cube.player}`);
/** @type {(cube: Cube) => Ref} */
export const holderOf = (cube) => cube.account ?? cube.player;
/** @type {(cube: Cube) => boolean} */
export const isLive = (cube) => cube.result === null;
/** @type {(cube: Cube) => boolean} */
export const isMain = (cube) => cube.against === null;
/** @type {(cube: Cube) => Half | null} */
export const asked = (cube) => (cube.offered === null ? null : OTHER[cube.offered]);
/** @type {(game: Game) => Cube[]} */
export const offered = (game) => game.cubes.filter((cube) => cube.offered !== null);
/** @type {(options: Options, cube: Cube) => boolean} */
const room = (options, cube) => options.max_cube === null || cube.value * 2 <= options.max_cube;
/** @type {(seating: Seating) => Ref[]} */
export const playersOf = ({ box, partner, crew }) => [box, ...(partner === null ? [] : [partner]), ...crew];

/**
 * The acting captain: the first crew player still in.
 * @type {(game: Game) => Ref | null}
 */
export const captainOf = (game) =>
  game.seating.crew.find((player) =>
    game.cubes.some((cube) => isMain(cube) && isLive(cube) && cube.player === player),
  ) ?? null;

/**
 * The player who decides for a side of a cube.
 * @type {(game: Game, cube: Cube, side: Half | null) => Ref}
 */
export const deciderOf = (game, cube, side) =>
  side === "team" ? holderOf(cube) : (cube.against ?? game.seating.box);

/** @type {(game: Game, key: string) => Cube} */
const cubeOf = (game, key) => game.cubes.find((cube) => keyOf(cube) === key) ?? refuse("no_cube");
/** @type {(game: Game, cube: Cube, player: Ref) => Half | null} */
const sideOf = (game, cube, player) =>
  player === holderOf(cube) ? "team" : player === (cube.against ?? game.seating.box) ? "box" : null;

/** @type {(game: Game, cubes: Cube[], change: (cube: Cube) => Partial<Cube>) => Game} */
const changed = (game, cubes, change) => {
  const keys = new Set(cubes.map(keyOf));
  return {
    ...game,
    cubes: game.cubes.map((cube) => (keys.has(keyOf(cube)) ? { ...cube, ...change(cube) } : cube)),
  };
};

/** @type {(game: Game, cube: Cube, end: { boxWon: boolean, win: number, how: string, agreed?: number | null }) => Game} */
const ended = (game, cube, { boxWon, win, how, agreed = null }) => {
  const result = {
    player: cube.player,
    box_won: boxWon,
    win,
    cube: cube.value,
    ended: how,
    cube_turned: cube.turned,
    against: cube.against,
    agreed,
    account: cube.account,
  };
  const after = changed(game, [cube], () => ({ offered: null, fresh: "no", result }));
  return {
    ...after,
    results: [...game.results, result],
    must_beaver: game.must_beaver === keyOf(cube) ? null : game.must_beaver,
  };
};

/** @type {(game: Game) => void} */
const noBeaverDue = (game) => game.must_beaver !== null && refuse("must_beaver", game.must_beaver);

/** @type {Step} */
const tie = (game, { doubled }) => {
  const rule = game.options.automatic;
  if (game.cubes.some((cube) => cube.turned || cube.offered !== null || !isLive(cube))) refuse("begun");
  const has = room(game.options, game.cubes[0]);
  if (doubled && (rule === "never" || !has)) refuse("automatic");
  if (!doubled && rule === "first_always" && game.ties === 0 && has) refuse("automatic");
  return {
    ...game,
    cubes: game.cubes.map((cube) => ({ ...cube, value: cube.value * (doubled ? 2 : 1) })),
    ties: game.ties + 1,
  };
};

/** @type {(game: Game, cube: Cube, by: Ref) => Half | null} */
const doublingSide = (game, cube, by) => {
  if (!game.options.multi_cube && isMain(cube) && by !== game.seating.box)
    return by === captainOf(game) ? "team" : null;
  return sideOf(game, cube, by);
};

/** @type {Step} */
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
  if (
    !game.options.multi_cube &&
    main.size &&
    game.cubes.some((cube) => isLive(cube) && isMain(cube) && !main.has(keyOf(cube)))
  )
    refuse("one_cube");
  const waiting = offered(game);
  if (waiting.some((cube) => cube.offered !== side)) refuse("answer_first");
  const calm = changed(game, game.cubes, () => ({ fresh: "no" }));
  return {
    ...changed(calm, cubes, () => ({ offered: side })),
    round_offered: waiting.length + cubes.length,
    round_passed: waiting.length ? game.round_passed : [],
  };
};

/** @type {(game: Game, takes: string[], named: string[]) => void} */
const boxAnswers = (game, takes, named) => {
  const { options } = game;
  const waiting = offered(game).filter(isMain);
  if (waiting.some((cube) => !named.includes(keyOf(cube)))) refuse("answer_all");
  if (!options.multi_cube) {
    if (new Set(named.map((key) => takes.includes(key))).size > 1) refuse("one_cube");
    return;
  }
  if (options.takes_captain && takes.length) {
    const captain = captainOf(game) ?? "";
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

/** @type {(game: Game) => Game} */
const loneTaker = (game) => {
  if (!game.options.lone_taker_beavers || game.round_offered < game.seating.crew.length) return game;
  const takers = game.cubes.filter((cube) => cube.fresh === "taken" && cube.owner === "team" && isMain(cube));
  return takers.length === 1 && room(game.options, takers[0])
    ? { ...game, must_beaver: keyOf(takers[0]) }
    : game;
};

/** @type {Step} */
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
  game = changed(
    game,
    takes.map((/** @type {string} */ key) => cubeOf(game, key)),
    (cube) => ({ value: cube.value * 2, owner: asked(cube), turned: true, offered: null, fresh: "taken" }),
  );
  return offered(game).length ? game : loneTaker(game);
};

/** @type {(game: Game, cube: Cube) => Cube[]} */
const turnedWith = (game, cube) => {
  if (game.options.multi_cube || !isMain(cube)) return [cube];
  if (offered(game).some(isMain)) refuse("answer_first");
  return game.cubes.filter((each) => isLive(each) && isMain(each));
};

/** @type {Step} */
const beaver = (game, { by, cube: key }) => {
  const cube = cubeOf(game, key);
  if (!game.options.beavers && game.must_beaver !== key) refuse("beaver");
  if (cube.fresh !== "taken" || sideOf(game, cube, by) !== cube.owner) refuse("beaver");
  if (!room(game.options, cube)) refuse("max_cube");
  const after = changed(game, turnedWith(game, cube), (each) => ({
    value: each.value * 2,
    fresh: "beavered",
  }));
  return { ...after, must_beaver: game.must_beaver === key ? null : game.must_beaver };
};

/** @type {Step} */
const raccoon = (game, { by, cube: key }) => {
  const cube = cubeOf(game, key);
  if (!game.options.raccoons) refuse("raccoon");
  if (cube.fresh !== "beavered" || cube.owner === null || sideOf(game, cube, by) !== OTHER[cube.owner])
    refuse("raccoon");
  if (!room(game.options, cube)) refuse("max_cube");
  return changed(game, turnedWith(game, cube), (each) => ({ value: each.value * 2, fresh: "no" }));
};

/** @type {Step} */
const extra = (game, { payer, holder }) => {
  if (game.options.extras === "none") refuse("extra");
  const passed = cubeOf(game, payer);
  const taken = cubeOf(game, holder);
  const lost = passed.result;
  const together = game.round_passed.includes(payer) && taken.fresh !== "no" && taken.owner === "team";
  const own = [passed, taken].every((cube) => isMain(cube) && cube.account === null);
  if (lost === null || !lost.box_won || !together || !own) refuse("extra");
  /** @type {Cube} */
  const further = {
    player: holder,
    against: payer,
    value: lost.cube * 2,
    owner: "team",
    turned: true,
    offered: null,
    fresh: "taken",
    account: null,
    result: null,
  };
  if (game.cubes.some((cube) => keyOf(cube) === keyOf(further))) refuse("extra_twice");
  if (game.refused_extras.includes(keyOf(further))) refuse("extra_refused");
  return {
    ...game,
    cubes: [...game.cubes, further],
    payments: [...game.payments, { payer, receiver: holder, points: lost.cube }],
  };
};

/** @type {Step} */
const refuseExtra = (game, { payer, holder }) => {
  if (game.options.extras === "compulsory") refuse("extra_must");
  extra(game, { payer, holder });
  return { ...game, refused_extras: [...game.refused_extras, `${payer}>${holder}`] };
};

/** @type {(game: Game, key: string) => Cube} */
const forSale = (game, key) => {
  if (!game.options.settlements) refuse("settlement");
  const cube = cubeOf(game, key);
  if (!isLive(cube)) refuse("cube_over");
  if (cube.offered !== null) refuse("answer_first");
  return cube;
};

/** @type {Step} */
const settle = (game, { cube: key, points }) =>
  ended(game, forSale(game, key), {
    boxWon: points <= 0,
    win: 1,
    how: "resignation",
    agreed: points === 0 ? 0 : -points,
  });

/** @type {Step} */
const takeOver = (game, { cube: key, by, points }) => {
  const cube = forSale(game, key);
  if (!playersOf(game.seating).includes(by)) refuse("not_seated");
  if (sideOf(game, cube, by) !== null) refuse("own_cube");
  const after = changed(game, [cube], () => ({ account: by }));
  if (points === 0) return after;
  const [payer, receiver] = points > 0 ? [holderOf(cube), by] : [by, holderOf(cube)];
  return { ...after, payments: [...after.payments, { payer, receiver, points: Math.abs(points) }] };
};

/** @type {Step} */
const finish = (before, { box_won: boxWon, win, ended: how = "borne_off" }) => {
  noBeaverDue(before);
  if (offered(before).length) refuse("answer_first");
  if (how === "pass") refuse("pass");
  let game = before;
  for (const cube of before.cubes)
    if (isLive(cube))
      game = ended(game, cubeOf(game, keyOf(cube)), { boxWon, win: WORDS_OF_WIN[win] ?? win, how });
  return game;
};

/** @type {Record<string, Step>} */
export const AT_TABLE = {
  tie,
  offer,
  answer,
  beaver,
  raccoon,
  extra,
  extra_refused: refuseExtra,
  settle,
  take_over: takeOver,
  game_over: finish,
};
