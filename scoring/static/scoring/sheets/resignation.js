// The dialog that asks who resigns, and what.

import { make, say } from "./words.js";

/** @typedef {import("./game.js").Action} Action */
/** @typedef {Pick<Action, "by" | "levels">} Offer */

/** @type {(actions: Action[]) => Offer[]} what may be offered; the server says why not where nothing may */
const offersOf = (actions) => {
  const offers = actions.filter(({ kind }) => kind === "resign");
  if (offers.length) return offers;
  return [
    { by: "white", levels: [1, 2, 3] },
    { by: "black", levels: [1, 2, 3] },
  ];
};

/**
 * @param {HTMLDialogElement} found
 * @param {any} view
 * @param {(kind: string, body: object) => void} record
 */
export const drawResignation = (found, view, record) => {
  const level = (/** @type {Offer["by"]} */ by, /** @type {number} */ number) =>
    make(
      "button",
      {
        type: "button",
        class: "secondary grow",
        "data-does": `resign-${by}-${number}`,
        onclick: () => {
          found.close();
          record("resign", { by, level: number });
        },
      },
      say(`level_${number}`),
    );
  const side = (/** @type {Offer} */ { by, levels }) =>
    make(
      "fieldset",
      {},
      make("legend", {}, say("resigns", { name: view[by].name })),
      make("div", { class: "dock-row" }, ...levels.map((number) => level(by, number))),
    );
  found.querySelector("[data-choices]").replaceChildren(...offersOf(view.actions).map(side));
};
