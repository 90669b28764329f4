// Links by which somebody without an account keeps a sheet: made, shown with a code to scan, and ended.

import { fieldsOf } from "./dialog.js";
import { make, say } from "./words.js";

/** @typedef {import("./sync.js").Sync} Sync */

const STANDALONE = '<svg xmlns="http://www.w3.org/2000/svg" ';

/** @param {{ page: string, qr: string }} claim */
const drawn = ({ page, qr }) => [
  make("p", {}, say("claim_made")),
  make("p", {}, make("a", { href: page, class: "notation" }, page)),
  make("img", {
    src: `data:image/svg+xml,${encodeURIComponent(qr.replace("<svg ", STANDALONE))}`,
    alt: say("claim_qr"),
    class: "qr",
    width: 240,
    height: 240,
  }),
];

/** @param {Sync} sync */
export const listenForClaims = (sync) => {
  const place = () => document.getElementById("claim-made");
  document.getElementById("claim-form")?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const data = await sync.send(sync.urls.claims, fieldsOf(form));
    const failed = () => [make("p", { class: "problem" }, sync.takeNotice())];
    place().replaceChildren(...(data ? drawn(data) : failed()));
  });
  document.querySelector("[data-ends-claims]")?.addEventListener("click", async () => {
    const data = await sync.send(sync.urls.claims, {}, "DELETE");
    const words = data ? say("claims_ended", { count: data.revoked }) : sync.takeNotice();
    place().replaceChildren(make("p", data ? {} : { class: "problem" }, words));
  });
};
