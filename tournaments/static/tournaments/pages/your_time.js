// The start of an event on the reader's clock, where that is another one than the venue's.

import { writers } from "../../clubs/formats.js";
import { elsewhere, sameDay } from "./zones.js";

(() => {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const tell = () => {
    for (const each of document.querySelectorAll("time[data-yours]:not([data-told])")) {
      const place = /** @type {HTMLTimeElement} */ (each);
      place.dataset.told = "1";
      if (!own || !elsewhere(place.dateTime, place.dataset.zone, own)) continue;
      const { timeOfDay, moment } = writers({
        ...JSON.parse(document.getElementById("formats").textContent),
        zone: own,
      });
      const write = sameDay(place.dateTime, place.dataset.zone, own) ? timeOfDay : moment;
      const shown = document.createElement("span");
      shown.className = "muted";
      shown.textContent = `(${place.dataset.yours.replace("%t", write(place.dateTime))})`;
      place.append(" ", shown);
    }
  };
  document.addEventListener("htmx:afterSettle", tell);
  tell();
})();
