// What the table will look like once the unsent entries are on it. Nothing is judged here: the server does that, later.

const LIVE = new Set(["open", "offered", "in_game"]);

/** Whether a cube is still in the game. */
export const live = (cube) => LIVE.has(cube.state);

/** Whether a player is in the rotation. */
export const here = (player) => !["out", "gone"].includes(player.role);

export const named = (view, ref) => view.players.find((player) => player.ref === ref)?.name ?? ref;

export const boxOf = (view) => view.players.find((player) => player.role === "box")?.ref ?? null;

/** Who decides for the box's side of a cube: the box, or who passed and has an extra held against him. */
const boxSide = (view, cube) => cube.against ?? boxOf(view);

const cubeOf = (view, key) => view.game?.cubes.find((cube) => cube.key === key);

const AWAY = { gone: "gone", sitting_out: "out" };

const ended = (view) => {
  if (view.game?.cubes.some(live)) return;
  view.game = null;
  for (const player of view.players) player.role = AWAY[player.presence] ?? "waiting";
  view.unknown_seats = true; // who sits where now is for the house rules: the server says it
};

const steps = {
  offer(view, { by, cubes }) {
    for (const cube of cubes.map((key) => cubeOf(view, key))) {
      if (cube && live(cube)) Object.assign(cube, { offered: { by: by === boxSide(view, cube) ? "box" : "team", value: cube.value * 2 }, state: "offered", words: "" });
    }
  },
  answer(view, { by, takes = [], passes = [] }) {
    for (const cube of takes.map((key) => cubeOf(view, key))) {
      if (!cube?.offered) continue;
      const owner = cube.offered.by === "box" ? "team" : "box";
      Object.assign(cube, { value: cube.offered.value, owner: cube.against ? by : owner, offered: null, state: "in_game", words: "" });
    }
    for (const cube of passes.map((key) => cubeOf(view, key))) {
      if (cube?.offered) Object.assign(cube, { offered: null, state: "passed", words: "" });
    }
    ended(view);
  },
  beaver(view, { cube }) {
    const found = cubeOf(view, cube);
    if (found) found.value *= 2;
  },
  tie(view, { doubled }) {
    for (const cube of doubled ? (view.game?.cubes ?? []) : []) cube.value *= 2;
  },
  game_over(view) {
    for (const cube of view.game?.cubes ?? []) cube.state = "over";
    ended(view);
  },
  game_start(view, { partner = null }, { box = null }) {
    const seated = box ?? (view.unknown_seats ? null : boxOf(view));
    const playing = view.players.filter(here);
    const crew = playing.filter((player) => ![seated, partner].includes(player.ref));
    view.unknown_seats = false;
    for (const player of playing) player.role = player.ref === seated ? "box" : player.ref === partner ? "partner" : "crew";
    view.players.sort((one, other) => (other.role === "box") - (one.role === "box"));
    view.game = {
      number: view.next_number,
      cubes: crew.map(({ ref }) => ({ key: ref, player: ref, holder: ref, against: null, value: 1, owner: "middle", offered: null, state: "open", words: "", name: named(view, ref) })),
    };
    view.next_number += 1;
  },
  join(view, { player, name }, { label }) {
    if (!view.players.some(({ ref }) => ref === player)) view.players.push({ ref: player, name: name ?? label ?? player, role: "waiting", presence: "playing", place: null, points: 0, balance: "", new: true });
  },
  come_back: (view, { player }) => seat(view, player, "playing"),
  sit_out: (view, { player }) => seat(view, player, "sitting_out"),
  leave: (view, { player }) => seat(view, player, "gone"),
};

const PLAYS = new Set(["box", "partner", "captain", "acting_captain", "crew"]);

// Who stands up during a game plays it to its end.
const seat = (view, ref, presence) => {
  const found = view.players.find((player) => player.ref === ref);
  if (!found) return;
  found.presence = presence;
  if (!(view.game && PLAYS.has(found.role))) found.role = AWAY[presence] ?? "waiting";
};

/** Whether a player goes on in the game that is on, and has said to stand up after it. */
export const leaving = (player) => PLAYS.has(player.role) && player.presence !== "playing";

/** The view with the entries on it; the view itself stays as it is. */
export const projected = (view, entries) => {
  if (!entries.length) return view;
  const ahead = structuredClone(view);
  ahead.stakes_to_win = {};
  ahead.board = null;
  ahead.next_number = (view.game?.number ?? view.games.at(-1)?.number ?? 0) + 1;
  for (const row of entries) steps[row.kind]?.(ahead, row.body, row);
  ahead.actions = guesses(ahead);
  return ahead;
};

/** What may well be possible next while the server has not answered: enough to go on without a line. */
const guesses = (view) => {
  if (view.status !== "open") return [];
  const away = ["join", "leave", "sit_out", "come_back"].map((kind) => ({ kind, by: [], players: view.players.filter((player) => here(player) !== (kind === "come_back")).map(({ ref }) => ref), cubes: [] }));
  if (!view.game) return [...away, { kind: "game_start", by: [], cubes: [], players: [], body: {} }];
  const waiting = view.game.cubes.filter((cube) => cube.offered);
  if (waiting.length) return [...away, ...answers(view, waiting)];
  const open = view.game.cubes.filter(live);
  const main = open.filter((cube) => !cube.against);
  const offers = [[boxOf(view), main.filter((cube) => cube.owner !== "team")], ...main.filter((cube) => cube.owner !== "box").map((cube) => [cube.holder, [cube]])];
  return [
    ...away,
    ...offers.filter(([by, cubes]) => by && cubes.length).map(([by, cubes]) => ({ kind: "offer", by: [by], cubes: cubes.map(({ key }) => key), players: [] })),
    { kind: "game_over", by: [], cubes: [], players: [], body: {} },
  ];
};

const answers = (view, waiting) => {
  const asked = new Map();
  for (const cube of waiting) {
    const by = cube.offered.by === "box" ? cube.holder : boxSide(view, cube);
    asked.set(by, [...(asked.get(by) ?? []), cube.key]);
  }
  return [...asked].map(([by, cubes]) => ({ kind: "answer", by: [by], cubes, players: [], all: by === boxOf(view) }));
};
