// Following without an account: the players' refs stay in this browser.
"use strict";

(() => {
  const KEY = "midpoint-follows";
  const kept = () => new Set(JSON.parse(localStorage.getItem(KEY) || "[]"));
  const show = (button) => {
    button.hidden = false;
    const on = kept().has(button.dataset.follow);
    button.textContent = on ? button.dataset.wordsStop : button.dataset.wordsFollow;
    button.setAttribute("aria-pressed", String(on));
  };
  const showAll = () => document.querySelectorAll("[data-follow]").forEach(show);
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-follow]");
    if (!button) return;
    const now = kept();
    if (!now.delete(button.dataset.follow)) now.add(button.dataset.follow);
    localStorage.setItem(KEY, JSON.stringify([...now]));
    showAll();
  });
  document.addEventListener("DOMContentLoaded", showAll);
  document.addEventListener("htmx:afterSettle", showAll);
})();
