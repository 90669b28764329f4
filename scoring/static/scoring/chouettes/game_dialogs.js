// Dialogs of a game: its start, settlements and its result.

import { formats } from "../../clubs/formats.js";
import { actionsOf, choosePlayer } from "./choices.js";
import { boxOf, named } from "./projection.js";
import { changesStakes, READY } from "./steps.js";
import { gameOver, wayOf } from "./typed.js";
import { dialog, fieldsOf } from "../sheets/dialog.js";
import { make, say } from "../sheets/words.js";

/**
 * @typedef {import("./actions.js").Action} Action
 * @typedef {import("./choices.js").Fill} Fill
 * @typedef {import("./choices.js").Parts} Parts
 */

/** @type {Fill} */
const fillOver = (found, view) => {
  found.querySelector("form").reset();
  for (const button of found.querySelectorAll("[data-win]")) {
    const mine = view.possible_gains?.[view.you]?.[wayOf(button.dataset)];
    button.querySelector("[data-mine]").textContent = mine
      ? say("mine", { points: formats().signed(mine.points) })
      : "";
  }
  const box = boxOf(view);
  found.querySelector("[data-box]").textContent = box ? named(view, box) : say("role_box");
};

/** @type {Fill} */
const fillPrice = (found, view, key) => {
  found.querySelector("form").reset();
  const cube = view.game.cubes.find((/** @type {{ key: string }} */ each) => each.key === key);
  found.querySelector("input[name=cube]").value = key;
  found.querySelector("[data-what]").textContent = cube?.words || named(view, key);
  for (const place of found.querySelectorAll("[data-holder]"))
    place.textContent = named(view, cube?.holder ?? key);
};

/**
 * A button per action; pressing it does the action.
 * @param {HTMLDialogElement} found
 * @param {Action[]} offered
 * @param {(action: Action) => unknown} act
 * @param {(action: Action) => string | undefined} words
 */
const offer = (found, offered, act, words = ({ label }) => label) => {
  const button = (/** @type {Action} */ action, /** @type {number} */ n) =>
    make(
      "button",
      {
        type: "button",
        class: "secondary",
        "data-does": action.kind === "game_start" ? `start-${n}` : null,
        onclick: () => {
          found.close();
          act(action);
        },
      },
      words(action),
    );
  found.querySelector("[data-choices]").replaceChildren(...offered.map(button));
};

/** @type {(record: Parts["record"], ask: Parts["ask"]) => Record<string, Fill>} */
export const gameDialogs = (record, ask) => {
  const act = (/** @type {Action} */ { kind, body }) => record([{ kind, body }]);
  for (const button of dialog("over").querySelectorAll("[data-win]")) {
    button.addEventListener("click", () => {
      const { resigned } = fieldsOf(dialog("over").querySelector("form"));
      dialog("over").close();
      record([gameOver(button.dataset, resigned)]);
    });
  }
  return {
    over: fillOver,
    start(found, view) {
      found.querySelector("[data-question]").textContent = say("who_partner");
      const partner = (/** @type {Action} */ { body }) =>
        body.partner ? named(view, body.partner) : say("no_partner");
      offer(found, actionsOf(view, "game_start"), act, partner);
    },
    ready(found, view) {
      const offered = view.actions.filter((/** @type {Action} */ { kind }) => READY.includes(kind));
      offer(found, offered, (action) => (changesStakes(action) ? ask(action) : act(action)));
    },
    end(found, view) {
      const { game } = view;
      found.querySelector("[data-ends]").hidden = Boolean(game);
      found.querySelector("[data-on]").hidden = !game;
      found.querySelector("[data-on]").textContent = game ? say("end_game_first", game) : "";
      found.querySelector("[type=submit]").hidden = Boolean(game);
    },
    settle: fillPrice,
    take_over(found, view, key) {
      fillPrice(found, view, key);
      const offered = actionsOf(view, "take_over").find(({ cubes }) => cubes.includes(key));
      choosePlayer(found.querySelector("select[name=by]"), offered?.players ?? [], view);
    },
  };
};
