// Whose numbers the points of the drawn boards have: those of whoever moves, as the server draws them, or where this
// device has them fixed, those of the player below. The choice is the scoresheet's.

import { prefer, prefs } from "./prefs.js";

const chosen = () => /** @type {HTMLSelectElement | null} */ (document.querySelector("[data-point-numbers]"));

const show = () => {
  const isFixed = prefs.numbers === "fixed";
  for (const group of document.querySelectorAll(".board-drawing .numbers.turned")) {
    [...group.children].forEach((number, place) => {
      number.textContent = String(isFixed ? place + 1 : 24 - place);
    });
  }
  const field = chosen();
  if (field) field.value = prefs.numbers;
};

document.addEventListener("change", (event) => {
  const field = chosen();
  if (!field || event.target !== field) return;
  prefer("numbers", field.value === "fixed" ? "fixed" : "mover");
  show();
});
document.addEventListener("htmx:afterSwap", show);
show();
