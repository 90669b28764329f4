// The clocks of an overlay run between two answers of the server: the delay first, then the player's own time.
"use strict";

(() => {
  const tick = () => {
    for (const clock of document.querySelectorAll(".clock")) {
      const since = clock.dataset.since ? Date.now() - Date.parse(clock.dataset.since) : 0;
      const used = Math.max(0, since - Number(clock.dataset.delay || 0));
      const left = Math.max(0, Math.round((Number(clock.dataset.ms) - used) / 1000));
      clock.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    }
  };
  setInterval(tick, 500);
  document.addEventListener("DOMContentLoaded", tick);
  document.addEventListener("htmx:afterSettle", tick);
})();
