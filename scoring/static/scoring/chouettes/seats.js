// The players in rotation order, each with their cube and balance.

import { formats } from "../../clubs/formats.js";
import { here, leaving, live, named } from "./projection.js";
import { make, say } from "../sheets/words.js";

/**
 * @typedef {import("./choice.js").Word} Word
 * @typedef {import("./projection.js").DrawnCube} DrawnCube
 * @typedef {import("./projection.js").Player} Player
 * @typedef {import("./projection.js").TableView} TableView
 *
 * @typedef {object} State what the seats are drawn from
 * @property {TableView} view
 * @property {import("./choice.js").Choice} choice
 * @property {boolean} writes
 * @property {{ cube(cube: DrawnCube, event: PointerEvent): void, answer(key: string, word: Word, event: PointerEvent): void }} touch
 */

const ROLES = new Set(["box", "partner", "captain", "acting_captain", "out", "gone", "waiting"]);

/**
 * The position of a cube in a word that fits on it.
 * @type {(view: TableView, cube: DrawnCube) => string}
 */
const lies = (view, cube) => {
  if (cube.offered) return say("cube_offered", { value: cube.offered.value });
  if (!live(cube)) return say(`cube_${cube.state}`);
  if (cube.owner === "middle") return say("cube_middle");
  if (cube.owner === "box") return say("cube_box");
  return cube.owner === "team" ? say("cube_own") : named(view, cube.owner);
};

/** @type {(cube: DrawnCube) => string} */
const where = (cube) => {
  if (!live(cube)) return "over";
  return ["middle", "box"].includes(cube.owner) || cube.owner === cube.against
    ? cube.owner === "middle"
      ? "middle"
      : "box"
    : "own";
};

/** @type {(view: TableView, cube: DrawnCube) => string} */
const label = (view, cube) =>
  cube.words ||
  say("cube_words", {
    name: cube.name ?? named(view, cube.player),
    value: cube.value,
    where: lies(view, cube),
  });

/** @type {(view: TableView, cube: DrawnCube, state: State) => HTMLElement} */
const drawCube = (view, cube, { choice, writes, touch }) =>
  make(
    "button",
    {
      type: "button",
      class: "table-cube",
      "data-cube": cube.key,
      "data-where": where(cube),
      "data-state": cube.state,
      "aria-pressed": live(cube) && !cube.offered ? String(choice.cubes.has(cube.key)) : null,
      "aria-label": label(view, cube),
      "aria-disabled": live(cube) && writes ? null : "true",
      onclick: (/** @type {PointerEvent} */ event) => touch.cube(cube, event),
    },
    make("span", { class: "value", "aria-hidden": "true" }, String(cube.offered?.value ?? cube.value)),
    make("span", { class: "lies", "aria-hidden": "true" }, lies(view, cube)),
  );

/** @type {(view: TableView, cube: DrawnCube, state: State) => HTMLElement} */
const drawAnswer = (view, cube, { choice, touch }) => {
  const word = (/** @type {Word} */ answer) =>
    make(
      "button",
      {
        type: "button",
        value: answer,
        "data-answers": cube.key,
        "aria-pressed": String(choice.answers.get(cube.key) === answer),
        onclick: (/** @type {PointerEvent} */ event) => touch.answer(cube.key, answer, event),
      },
      say(answer),
    );
  const name = label(view, cube);
  return make(
    "div",
    { class: "segments answer", role: "group", "aria-label": name },
    word("pass"),
    word("take"),
  );
};

/** @type {(player: Player, view: TableView) => HTMLElement} */
const drawTotal = (player, view) =>
  make(
    "span",
    { class: `total ${player.points > 0 ? "plus" : player.points < 0 ? "minus" : ""}` },
    make("span", { class: "points" }, formats().signed(player.points)),
    view.points_only ? null : make("span", { class: "money" }, player.balance),
  );

/**
 * @param {unknown} words
 * @returns {words is string}
 */
const isSaid = (words) => typeof words === "string" && words !== "";

/** @type {(player: Player, view: TableView) => string[]} */
const notes = (player, view) =>
  [
    player.ref === view.you && say("seat_yours"),
    leaving(player) && say("leaving"),
    player.proxy && say("proxy_is", { name: player.proxy_name ?? named(view, player.proxy) }),
    player.agreed === false && here(player) && !player.new && say("not_agreed"),
    player.new && say("badge_unsent"),
  ].filter(isSaid);

/** @type {(player: Player, state: State) => HTMLElement} */
const drawSeat = (player, state) => {
  const { view } = state;
  const cubes = view.game?.cubes ?? [];
  const own = cubes.find((cube) => cube.key === player.ref);
  const extras = cubes.filter((cube) => cube.against && cube.player === player.ref);
  const asked = new Set(state.choice.asks(view).flatMap((action) => action.cubes));
  // A single double is answered in the dock.
  const answer = (/** @type {DrawnCube} */ cube) =>
    state.writes && cube.offered && asked.size > 1 && asked.has(cube.key)
      ? drawAnswer(view, cube, state)
      : null;
  const small = notes(player, view);
  return make(
    "li",
    {
      class: `seat${player.ref === view.you ? " mine" : ""}`,
      "data-role": player.role,
      "data-player": player.ref,
      "data-in": own ? String(live(own)) : null,
    },
    make("span", { class: "place", "aria-hidden": "true" }, player.place ? String(player.place) : ""),
    make(
      "span",
      { class: "who" },
      make("strong", { class: "name" }, player.name),
      ROLES.has(player.role) && (player.role !== "waiting" || view.game)
        ? make("span", { class: "role" }, say(`role_${player.role}`))
        : null,
      small.length ? make("span", { class: "small muted" }, small.join(" · ")) : null,
    ),
    drawTotal(player, view),
    own ? drawCube(view, own, state) : make("span", { class: "no-cube" }),
    own ? answer(own) : null,
    ...extras.map((cube) =>
      make(
        "div",
        { class: "extra" },
        make("span", {}, say("extra_of", { name: named(view, cube.against ?? "") })),
        drawCube(view, cube, state),
        answer(cube),
      ),
    ),
  );
};

/**
 * Draw the players in the rotation and, apart, the absent ones.
 * @type {(host: HTMLElement, aside: HTMLElement, state: State) => void}
 */
export const drawSeats = (host, aside, state) => {
  const at = document.activeElement;
  const kept = at && [host, aside].some((list) => list.contains(at)) ? at.dataset : null;
  const { players } = state.view;
  host.replaceChildren(...players.filter(here).map((player) => drawSeat(player, state)));
  aside.replaceChildren(
    ...players.filter((player) => !here(player)).map((player) => drawSeat(player, state)),
  );
  if (kept?.cube) host.querySelector(`[data-cube="${CSS.escape(kept.cube)}"]`)?.focus();
  if (kept?.answers)
    (
      host.querySelector(`[data-answers="${CSS.escape(kept.answers)}"]`) ?? host.querySelector("[data-cube]")
    )?.focus();
};
