// Before somebody signs out: what was entered on this device and is not sent yet waits until they sign in here again.

import { unsentSheets } from "./store.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("sign-out"));
const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("dialog-leaving"));

const template = /** @type {HTMLTemplateElement} */ (dialog.querySelector("template"));
const list = /** @type {HTMLUListElement} */ (dialog.querySelector("ul"));
const leave = /** @type {HTMLButtonElement} */ (dialog.querySelector("[data-leave]"));

/** @type {(unsent: { page: string, title: string, count: number }) => DocumentFragment} */
const rowOf = ({ page, title, count }) => {
  const row = /** @type {DocumentFragment} */ (template.content.cloneNode(true));
  const link = /** @type {HTMLAnchorElement} */ (row.querySelector("a"));
  link.href = page;
  const parts = { title, count };
  for (const [name, value] of Object.entries(parts)) {
    for (const place of link.querySelectorAll(`[data-${name}]`)) place.textContent = String(value);
  }
  return row;
};

/** @type {() => Promise<boolean>} */
const warned = async () => {
  /** @type {{ page: string, title: string, count: number }[]} */
  let found = [];
  try {
    found = await unsentSheets();
  } catch (error) {
    console.warn("what is unsent on this device cannot be read", error); // storage is shut off: nothing was kept
  }
  if (!found.length) return false;
  list.replaceChildren(...found.map(rowOf));
  dialog.showModal();
  return true;
};

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!(await warned())) form.submit();
});
leave.addEventListener("click", () => form.submit());
