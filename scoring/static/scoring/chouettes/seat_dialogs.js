// Dialogs of seats: players, rolls for places, order of play.

import { actionsOf, choosePlayer, option } from "./choices.js";
import { here, named } from "./projection.js";
import { moveUp } from "./typed.js";
import { dialog } from "../sheets/dialog.js";
import { make, say } from "../sheets/words.js";

/**
 * @typedef {import("./choices.js").Fill} Fill
 * @typedef {import("./choices.js").Parts} Parts
 * @typedef {import("./game.js").Ref} Ref
 * @typedef {import("./projection.js").Player} Player
 * @typedef {import("./projection.js").TableView} TableView
 */

/** @param {Player[]} players */
const refsOf = (players) => players.map(({ ref }) => ref);

/** @type {(view: TableView, kind: string) => Ref[]} whom an entry can be about */
const playersFor = (view, kind) => {
  const [action] = actionsOf(view, kind);
  if (action?.players?.length) return action.players;
  return kind === "swap" && action ? refsOf(view.players.filter(here)) : [];
};

/** @type {Fill} */
const fillPeople = (found, view) => {
  const present = refsOf(view.players.filter((/** @type {Player} */ { role }) => role !== "gone"));
  for (const form of found.querySelectorAll("form[data-entry]")) {
    const players = playersFor(view, form.dataset.entry);
    form.closest("details").hidden = !players.length;
    const player = form.querySelector("select[name=player]");
    choosePlayer(player, players, view);
    if (view.you && players.includes(view.you)) player.value = view.you; // of oneself, unless one says otherwise
    for (const other of form.querySelectorAll("select[name=other]")) choosePlayer(other, players, view);
    for (const proxy of form.querySelectorAll("select[name=proxy]"))
      choosePlayer(proxy, present, view, [option("", say("nobody"))]);
  }
};

/** @type {(view: TableView, ref: Ref, n: number) => HTMLElement} the six faces of a player's n-th die */
const die = (view, ref, n) => {
  const name = say("die_of", { name: named(view, ref), number: n + 1 });
  const faces = [1, 2, 3, 4, 5, 6].map((value) =>
    make(
      "label",
      {},
      make("input", { type: "radio", name: `${ref} ${n}`, value, required: true }),
      make("span", {}, String(value)),
    ),
  );
  return make("div", { class: "pad dice", role: "radiogroup", "aria-label": name }, ...faces);
};

/** @type {Fill} */
const fillPlaces = (found, view) => {
  const dice = actionsOf(view, "places")[0]?.dice ?? 1;
  const thrower = (/** @type {Ref} */ ref) =>
    make(
      "fieldset",
      { "data-thrower": ref },
      make("legend", {}, named(view, ref)),
      ...Array.from({ length: dice }, (_none, n) => die(view, ref, n)),
    );
  found.querySelector("[data-throws]").replaceChildren(...(view.to_roll ?? []).map(thrower));
};

/** @param {HTMLFormElement} form */
const throwsOf = (form) =>
  [...form.querySelectorAll("[data-thrower]")].map((set) => ({
    player: set.dataset.thrower,
    dice: [...set.querySelectorAll("input[type=radio]")]
      .filter((face) => face.matches(":checked"))
      .map(({ value }) => Number(value)),
  }));

/** @type {(at: number) => string} */
const roleAt = (at) => (at === 0 ? say("role_box") : at === 1 ? say("role_captain") : "");

/**
 * The order being edited.
 * @param {HTMLDialogElement} found
 * @param {TableView} view
 * @param {Ref[]} line
 * @param {(line: Ref[]) => void} changed
 */
const drawOrder = (found, view, line, changed) => {
  const up = (/** @type {Ref} */ ref, /** @type {number} */ at) =>
    make(
      "button",
      {
        type: "button",
        class: "secondary",
        "data-up": "",
        onclick: () => {
          changed(moveUp(line, at));
          found.querySelectorAll("[data-up]")[Math.max(at - 1, 1) - 1]?.focus();
        },
        "aria-label": say("move_up", { name: named(view, ref) }),
      },
      "↑",
    );
  const row = (/** @type {Ref} */ ref, /** @type {number} */ at) =>
    make(
      "li",
      {},
      make("span", {}, named(view, ref), " ", make("span", { class: "role" }, roleAt(at))),
      at ? up(ref, at) : null,
    );
  found.querySelector("[data-order]").replaceChildren(...line.map(row));
};

/** @type {(record: Parts["record"]) => Record<string, Fill>} */
export const seatDialogs = (record) => {
  /** @type {Ref[]} the rotation that is being put in order */
  let line = [];
  /** @type {(name: string, entry: (form: HTMLFormElement) => { kind: string, body: object }) => void} */
  const recorded = (name, entry) => {
    const form = dialog(name).querySelector("form");
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      dialog(name).close();
      record([entry(form)]);
    });
  };
  recorded("places", (form) => ({ kind: "places", body: { throws: throwsOf(form) } }));
  recorded("order", () => ({ kind: "order", body: { players: line } }));
  return {
    people: fillPeople,
    places: fillPlaces,
    order(found, view) {
      const draw = (/** @type {Ref[]} */ next) => {
        line = next;
        drawOrder(found, view, line, draw);
      };
      draw(refsOf(view.players.filter(here)));
    },
  };
};
