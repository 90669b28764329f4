// A dialog of a page and the form in it.

import { make } from "./words.js";

/** @param {string} name */
export const dialog = (name) => /** @type {HTMLDialogElement} */ (document.getElementById(`dialog-${name}`));

/**
 * What was typed; the forms of these pages have no files.
 * @param {HTMLFormElement} form
 * @returns {Record<string, string>}
 */
export const fieldsOf = (form) =>
  Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));

/**
 * A field of a form by its name.
 * @param {HTMLFormElement} form
 * @param {string} name
 */
export const fieldOf = (form, name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));

/**
 * Say at the top of a form why it was not taken.
 * @param {HTMLFormElement} form
 * @param {string} words
 */
export const fail = (form, words) => {
  let place = form.querySelector("[data-problem]");
  if (!place) {
    place = make("p", { class: "problem", "data-problem": "", role: "alert" });
    form.prepend(place);
  }
  place.textContent = words;
};

/** @param {Element} form */
export const forgetProblem = (form) => form.querySelector("[data-problem]")?.remove();

/**
 * Show a dialog in the place of any other.
 * @param {HTMLDialogElement} found
 */
export const showAlone = (found) => {
  for (const other of document.querySelectorAll("dialog[open]")) other.close();
  found.showModal();
};
