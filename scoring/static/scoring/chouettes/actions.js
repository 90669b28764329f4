// Actions possible at a table now, for use offline; equal to the server's (scoring/chouettes/queries/actions.py).

import { asked, deciderOf, isLive, isMain, keyOf, offered, OTHER, playersOf } from "./game.js";
import { playersToRoll, whyNot } from "./rules.js";

/**
 * @typedef {import("./game.js").Game} Game
 * @typedef {import("./game.js").Ref} Ref
 * @typedef {import("./rules.js").State} State
 *
 * @typedef {object} Action
 * @property {string} kind
 * @property {Ref[]} by
 * @property {string[]} cubes
 * @property {Ref[]} players
 * @property {any} body
 * @property {boolean} [all] whether all cubes must be answered together
 * @property {number} [dice]
 * @property {string} [label]
 */

/** @type {(state: State, kind: string, body: object) => boolean} */
const may = (state, kind, body) => whyNot(state, kind, body) === null;
/** @type {(kind: string, rest?: Partial<Action>) => Action} */
const action = (kind, rest = {}) => ({ kind, by: [], cubes: [], players: [], body: {}, ...rest });

/** @type {(state: State, game: Game) => Action[]} */
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

/** @type {(game: Game) => Action[]} */
const answers = (game) => {
  /** @type {Map<Ref, string[]>} */
  const people = new Map();
  for (const cube of offered(game)) {
    const by = deciderOf(game, cube, asked(cube));
    people.set(by, [...(people.get(by) ?? []), keyOf(cube)]);
  }
  return [...people].map(([by, cubes]) =>
    action("answer", { by: [by], cubes, body: { by }, all: by === game.seating.box }),
  );
};

/** @type {(state: State, game: Game) => Action[]} */
const redoubles = (state, game) =>
  game.cubes
    .filter((cube) => isLive(cube) && cube.owner !== null)
    .flatMap((cube) =>
      [
        ["beaver", deciderOf(game, cube, cube.owner)],
        ["raccoon", deciderOf(game, cube, cube.owner === null ? null : OTHER[cube.owner])],
      ].map(([kind, by]) =>
        action(kind, { by: [by], cubes: [keyOf(cube)], body: { by, cube: keyOf(cube) } }),
      ),
    )
    .filter(({ kind, body }) => may(state, kind, body));

/** @type {(state: State, game: Game) => Action[]} */
const extras = (state, { seating }) =>
  seating.crew.flatMap((payer) =>
    seating.crew.flatMap((holder) => {
      const body = { payer, holder };
      if (payer === holder || !may(state, "extra", body)) return [];
      const asks = action("extra", { by: [payer], players: [payer, holder], body });
      return may(state, "extra_refused", body)
        ? [asks, action("extra_refused", { by: [holder], players: [payer, holder], body })]
        : [asks];
    }),
  );

/** @type {(state: State, game: Game) => Action[]} */
const sales = (state, game) => {
  const live = game.cubes.filter(isLive).map(keyOf);
  const keys = live.filter((cube) => may(state, "settle", { cube, points: 0 }));
  const takeovers = live.flatMap((cube) => {
    const players = playersOf(game.seating).filter((by) => may(state, "take_over", { cube, by, points: 0 }));
    return players.length ? [action("take_over", { cubes: [cube], players })] : [];
  });
  return [...(keys.length ? [action("settle", { cubes: keys })] : []), ...takeovers];
};

/** @type {(state: State, game: Game) => Action[]} */
const inGame = (state, game) => [
  ...answers(game),
  ...offers(state, game),
  ...redoubles(state, game),
  ...extras(state, game),
  ...[true, false]
    .filter((doubled) => may(state, "tie", { doubled }))
    .map((doubled) => action("tie", { body: { doubled } })),
  ...(may(state, "game_over", { box_won: true, win: 1 }) ? [action("game_over")] : []),
  ...sales(state, game),
];

/** @type {(state: State) => Action[]} */
const between = (state) => {
  if (state.game !== null) return [];
  const throwing = playersToRoll(state);
  const starts = [null, ...state.line.slice(1)]
    .map((partner) => (partner === null ? {} : { partner }))
    .filter((body) => may(state, "game_start", body));
  return [
    ...(throwing.length ? [action("places", { players: throwing, dice: state.options.opening_dice })] : []),
    ...starts.map((body) => action("game_start", { players: body.partner ? [body.partner] : [], body })),
    ...(state.line.length > 1
      ? [
          action("order", { players: state.line, body: { players: state.line } }),
          action("swap", { players: state.line }),
        ]
      : []),
    ...(may(state, "chouette_end", {}) ? [action("chouette_end")] : []),
  ];
};

/** @type {(state: State) => Action[]} */
const people = (state) => {
  const refs = state.seats.map(({ player }) => player);
  /** @type {(kind: string, players: Ref[]) => Action[]} */
  const of = (kind, players) => (players.length ? [action(kind, { players })] : []);
  const here = state.seats.filter(({ presence }) => presence !== "gone").map(({ player }) => player);
  return [
    ...(may(state, "join", { player: "a new player", stake: 0 }) ? [action("join")] : []),
    ...of(
      "agree",
      state.seats.filter(({ agreed }) => !agreed).map(({ player }) => player),
    ),
    ...["sit_out", "come_back", "leave"].flatMap((kind) =>
      of(
        kind,
        refs.filter((player) => may(state, kind, { player })),
      ),
    ),
    ...of(
      "stake",
      refs.filter((player) => may(state, "stake", { player, stake: 0 })),
    ),
    ...(here.length > 1 && may(state, "proxy", { player: here[0], proxy: here[1] }) ? of("proxy", here) : []),
    action("options"),
  ];
};

/**
 * Everything that can be recorded now, equal to the server's list (scoring/chouettes/queries/actions.py).
 * @type {(state: State) => Action[]}
 */
export const actions = (state) =>
  state.closed
    ? []
    : [...(state.game === null ? [] : inGame(state, state.game)), ...between(state), ...people(state)];
