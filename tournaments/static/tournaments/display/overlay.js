// Run the clocks of an overlay between updates from the server.

import { clockFace } from "../../clubs/formats.js";
import { secondsLeft } from "./overlay_clock.js";

const tick = () => {
  for (const clock of document.querySelectorAll(".clock"))
    clock.textContent = clockFace(secondsLeft(clock.dataset, Date.now()));
};
setInterval(tick, 500);
document.addEventListener("DOMContentLoaded", tick);
document.addEventListener("htmx:afterSettle", tick);
