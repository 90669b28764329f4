/* Arrow keys walk through a match: the keys press the page's own links. */
(function () {
  "use strict";
  const links = { ArrowLeft: "prev", ArrowRight: "next", PageUp: "prev-error", PageDown: "next-error" };

  document.addEventListener("keydown", function (event) {
    const wanted = links[event.key];
    if (!wanted || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input, textarea, select, [contenteditable]")) return;
    const link = document.querySelector('#stage a[data-step="' + wanted + '"]');
    if (!link) return;
    event.preventDefault();
    link.click();
  });

  document.addEventListener("htmx:afterSettle", function (event) {
    if (event.target.id !== "stage") return;
    const current = event.target.querySelector('.steps [aria-current="step"]');
    const list = event.target.querySelector(".steps ol");
    if (current && list) list.scrollTop = current.offsetTop - list.clientHeight / 2;
  });
})();
