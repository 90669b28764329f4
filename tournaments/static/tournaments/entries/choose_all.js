// Selects all entries of a table with one box, and says how many are selected.

const form = document.querySelector(".chosen-entries");
const label = /** @type {HTMLElement | null} */ (form?.querySelector("[data-choose-all]"));
const all = label?.querySelector("input");
const count = /** @type {HTMLElement | null} */ (form?.querySelector("[data-chosen-count]"));
const none = /** @type {HTMLElement | null} */ (form?.querySelector("[data-chosen-none]"));

/** @returns {HTMLInputElement[]} */
const boxes = () => [...form.querySelectorAll("input[name=chosen]")];

const show = () => {
  const chosen = boxes().filter((box) => box.checked).length;
  all.checked = chosen > 0 && chosen === boxes().length;
  all.indeterminate = chosen > 0 && !all.checked;
  count.textContent = count.dataset.one.replace("%s", String(chosen));
  count.hidden = !chosen;
  none.hidden = chosen > 0;
};

if (all && count && none) {
  label.hidden = false;
  all.addEventListener("change", () => {
    for (const box of boxes()) box.checked = all.checked;
    show();
  });
  form.addEventListener("change", ({ target }) => {
    if (target !== all) show();
  });
  show();
}
