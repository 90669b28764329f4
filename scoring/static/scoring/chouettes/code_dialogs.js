// Dialogs with a QR code: to join the table, and to move a guest's seat to another phone.

import { choosePlayer } from "./choices.js";
import { dialog, fail, fieldsOf, forgetProblem } from "../sheets/dialog.js";
import { make, newKey, say } from "../sheets/words.js";

/**
 * @typedef {import("./choices.js").Fill} Fill
 * @typedef {import("./choices.js").Parts} Parts
 */

/**
 * Show an address as the server's QR code and as a link.
 * @type {(found: HTMLDialogElement, code: { qr: string, page: string }) => void}
 */
const showCode = (found, { qr, page }) => {
  const drawn = document.createElement("template");
  drawn.innerHTML = qr;
  found.querySelector(".qr").replaceChildren(drawn.content);
  const link = /** @type {HTMLAnchorElement} */ (found.querySelector("p a"));
  link.href = page;
  link.textContent = page;
};

/** @type {(parts: Pick<Parts, "sync" | "shown">) => Record<string, Fill>} */
export const codeDialogs = ({ sync, shown }) => {
  /** Another code: the old one opens the table no more. @param {HTMLDialogElement} found */
  const renew = async (found) => {
    forgetProblem(found);
    if (await sync.send(sync.urls.code, {})) fillCode(found, shown(), null);
    else fail(found.querySelector("form"), sync.takeNotice());
  };

  /** @type {Fill} */
  const fillCode = (found, view) => {
    if (!view.join) return;
    showCode(found, view.join);
    found.querySelector(".join-code").textContent = view.join.code;
    if (!view.join.renews || found.querySelector("[data-renew]")) return;
    const button = make(
      "button",
      { type: "button", class: "secondary", "data-renew": "", onclick: () => renew(found) },
      say("renew_code"),
    );
    found.querySelector(".actions").prepend(button);
  };

  /** A guest's seat is opened for another phone: the link is shown once, here. @param {SubmitEvent} event */
  const hand = async (event) => {
    event.preventDefault();
    const form = event.target;
    const found = dialog("hand");
    forgetProblem(found);
    const { player } = fieldsOf(form);
    const opened = await sync.send(sync.urls.seats, { player, key: newKey() });
    if (!opened) {
      fail(form, sync.takeNotice());
      return;
    }
    showCode(found, opened);
    found.querySelector("[data-opened]").hidden = false;
    await sync.refresh();
  };

  dialog("hand")?.querySelector("form").addEventListener("submit", hand);
  return {
    code: fillCode,
    hand(found, view) {
      forgetProblem(found);
      found.querySelector("[data-opened]").hidden = true;
      choosePlayer(found.querySelector("select[name=player]"), view.movable_seats ?? [], view);
    },
  };
};
