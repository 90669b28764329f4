// Following without an account: the players' refs stay in this browser.

import { followed, keepFollowed, toggled } from "./followed.js";

/** @param {HTMLElement} button */
const show = (button) => {
  button.hidden = false;
  const { follow = "", wordsStop = "", wordsFollow = "" } = button.dataset;
  const on = followed().has(follow);
  button.textContent = on ? "★" : "☆";
  button.title = on ? wordsStop : wordsFollow;
  button.setAttribute("aria-label", button.title);
};
const showAll = () => document.querySelectorAll("[data-follow]").forEach(show);
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-follow]");
  if (!button) return;
  keepFollowed(toggled(followed(), button.dataset.follow ?? ""));
  showAll();
});
document.addEventListener("DOMContentLoaded", showAll);
document.addEventListener("htmx:afterSettle", showAll);
