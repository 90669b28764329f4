// The editor of a position: taps on the board change its XGID, and the server draws what it says. Taps that come
// while a drawing is under way count at once; only the newest drawing is shown. Without this script the position is
// pasted, or set point by point.

import { tapped } from "./edit.js";

/** @type {import("./edit.js").Put} */
let put = "white";
let xgid = "";
let asked = 0;

const desk = () => document.getElementById("desk");
const words = () => document.getElementById("tap-refused");

const show = () => {
  for (const button of document.querySelectorAll("#desk [data-put]")) {
    button.removeAttribute("hidden");
    button.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (button).dataset.put === put));
  }
};

/** @param {string} refused */
const refuse = (refused) => {
  const place = words();
  if (!place) return;
  place.textContent = refused ? String(place.dataset[refused]) : "";
  place.hidden = !refused;
};

const draw = async () => {
  const mine = ++asked;
  const address = `${desk().dataset.address}?xgid=${xgid}`;
  await window.htmx.ajax("GET", address, {
    source: desk(),
    target: "#desk",
    swap: "outerHTML show:none",
    headers: { "X-Drawing": String(mine) },
  });
};

document.addEventListener("click", (event) => {
  const chosen = /** @type {HTMLElement | null} */ (event.target.closest("#desk [data-put]"));
  if (chosen) {
    put = /** @type {import("./edit.js").Put} */ (chosen.dataset.put);
    show();
    return;
  }
  const target = /** @type {HTMLElement | null} */ (event.target.closest("#desk .targets [data-point]"));
  if (!target) return;
  const after = tapped(xgid || String(desk().dataset.xgid), put, Number(target.dataset.point));
  refuse(after.refused ?? "");
  if (after.xgid === (xgid || desk().dataset.xgid)) return;
  xgid = after.xgid;
  history.replaceState(history.state, "", `${desk().dataset.address}?xgid=${xgid}`);
  window.midpoint.during(draw());
});

// An older drawing than the newest tap is not shown: the board would step back under the finger.
document.addEventListener("htmx:beforeSwap", (event) => {
  const { requestConfig } = event.detail;
  const drawing = requestConfig?.headers?.["X-Drawing"];
  if (drawing && Number(drawing) !== asked) event.detail.shouldSwap = false;
});

document.addEventListener("htmx:afterSwap", () => {
  const drawn = desk();
  if (!drawn) return;
  xgid = String(drawn.dataset.xgid);
  show();
  const place = document.getElementById("position-words");
  const said = [...drawn.querySelectorAll(".board .visually-hidden, .desk-verdict h2, .desk-problem")];
  if (place) place.textContent = said.map((each) => each.textContent.replace(/\s+/g, " ").trim()).join(" ");
});

show();
