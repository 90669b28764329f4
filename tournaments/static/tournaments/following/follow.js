// Follow buttons without an account: refs are stored in this browser.

import { followed, keepFollowed, toggled } from "./followed.js";

/** @param {HTMLElement} button */
const show = (button) => {
  const {
    follow = "",
    wordsStop = "",
    wordsFollow = "",
    followLabel = "",
    followingLabel = "",
  } = button.dataset;
  const on = followed().has(follow);
  button.classList.remove("unread");
  button.classList.toggle("on", on);
  button.textContent = on ? followingLabel : followLabel;
  button.setAttribute("aria-label", on ? wordsStop : wordsFollow);
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
