// How this device shows the sheet, as it was chosen among the page's lists.

import { prefer, prefs } from "./prefs.js";

/** @type {(sheet: import("./sheet.js").Sheet) => void} */
export const listenForLooks = (sheet) => {
  for (const field of document.querySelectorAll("select[data-pref]")) {
    const name = /** @type {keyof import("./prefs.js").Prefs} */ (field.dataset.pref);
    field.value = name === "bottom" ? sheet.below : String(prefs[name]);
    field.addEventListener("change", () => {
      const { match } = sheet.config;
      prefer(name, name === "bottom" ? { ...prefs.bottom, [match]: field.value } : field.value);
      sheet.render();
    });
  }
};
