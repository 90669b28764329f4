// Before somebody signs out: what was entered on this device and is not sent yet waits until they sign in here again.

import { unsentSheets } from "./store.js";

const form = document.getElementById("sign-out");
const dialog = document.getElementById("dialog-leaving");

const rowOf = ({ page, title, count }) => {
  const row = dialog.querySelector("template").content.cloneNode(true);
  const link = row.querySelector("a");
  link.href = page;
  link.querySelector("[data-title]").textContent = title;
  link.querySelector("[data-count]").textContent = String(count);
  return row;
};

const warned = async () => {
  let found = [];
  try {
    found = await unsentSheets();
  } catch (error) {
    console.warn("what is unsent on this device cannot be read", error); // storage is shut off: nothing was kept
  }
  if (!found.length) return false;
  dialog.querySelector("ul").replaceChildren(...found.map(rowOf));
  dialog.showModal();
  return true;
};

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!(await warned())) form.submit();
});
dialog.querySelector("[data-leave]").addEventListener("click", () => form.submit());
