// Following without an account: the players' refs stay in this browser.

import { followed, keepFollowed, toggled } from "./followed.js";

const show = (button) => {
  button.hidden = false;
  const on = followed().has(button.dataset.follow);
  button.textContent = on ? button.dataset.wordsStop : button.dataset.wordsFollow;
  button.setAttribute("aria-pressed", String(on));
};
const showAll = () => document.querySelectorAll("[data-follow]").forEach(show);
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-follow]");
  if (!button) return;
  keepFollowed(toggled(followed(), button.dataset.follow));
  showAll();
});
document.addEventListener("DOMContentLoaded", showAll);
document.addEventListener("htmx:afterSettle", showAll);
