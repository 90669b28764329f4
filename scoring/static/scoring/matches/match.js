// Arrow keys walk through a match: the keys press the page's own links.
"use strict";

(() => {
  /** @type {Record<string, string>} */
  const links = { ArrowLeft: "prev", ArrowRight: "next", PageUp: "prev-error", PageDown: "next-error" };

  document.addEventListener("keydown", (event) => {
    const wanted = links[event.key];
    if (!wanted || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input, textarea, select, [contenteditable]")) return;
    const link = document.querySelector(`#stage a[data-step="${wanted}"]`);
    if (!link) return;
    event.preventDefault();
    link.click();
  });

  const showCurrentStep = () => {
    const list = document.querySelector("#stage .steps ol");
    const current = list?.querySelector('[aria-current="step"]');
    if (!list || !current) return;
    list.scrollTop +=
      current.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 2;
  };

  showCurrentStep();
  document.addEventListener("htmx:afterSettle", showCurrentStep);
})();
