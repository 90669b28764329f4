// A field that searches for players (templates/forms/person.html): htmx fetches the matches; here the list is
// opened, walked with the arrows and chosen from, as in the combobox pattern of WAI-ARIA. Without it the form asks.

const FIELD = "[data-picker] [role=combobox]";

/**
 * The search field of an event, if any.
 * @param {EventTarget | null} target
 */
const fieldAt = (target) =>
  target instanceof Element && target.matches(FIELD) ? /** @type {HTMLInputElement} */ (target) : null;
/** @type {(node: Element) => HTMLInputElement | null} */
const fieldOf = (node) => fieldAt(node.closest("[data-picker]")?.querySelector("[role=combobox]"));
/** @type {(field: Element) => HTMLElement} */
const listOf = (field) => document.getElementById(field.getAttribute("aria-controls"));
/** @type {(field: Element) => HTMLInputElement} */
const refOf = (field) => field.closest("[data-picker]").querySelector("input[type=hidden]");
/** @type {(list: HTMLElement) => HTMLElement[]} */
const choicesIn = (list) => [...list.querySelectorAll("[role=option]:not([aria-disabled])")];
/** @type {(field: Element, text: string) => void} */
const say = (field, text) => {
  field.closest("[data-picker]").querySelector("[role=status]").textContent = text;
};

/** @type {(field: Element, option: HTMLElement | null) => void} */
const light = (field, option) => {
  for (const each of listOf(field).children) each.setAttribute("aria-selected", String(each === option));
  if (!option) {
    field.removeAttribute("aria-activedescendant");
    return;
  }
  field.setAttribute("aria-activedescendant", option.id);
  option.scrollIntoView({ block: "nearest" });
};

/** @type {(field: Element, open: boolean) => void} */
const show = (field, open) => {
  const list = listOf(field);
  list.hidden = !open || !list.children.length;
  field.setAttribute("aria-expanded", String(!list.hidden));
  if (list.hidden) light(field, null);
};

/** @type {(field: HTMLInputElement, option: HTMLElement) => void} */
const choose = (field, option) => {
  field.value = option.dataset.name;
  refOf(field).value = option.dataset.ref;
  show(field, false);
  say(field, option.dataset.name);
  field.dispatchEvent(new Event("change", { bubbles: true }));
};

/** @type {(field: Element) => HTMLElement | null} */
const litIn = (field) => document.getElementById(field.getAttribute("aria-activedescendant") ?? "");

/** @type {(field: Element, step: number) => void} */
const walk = (field, step) => {
  const choices = choicesIn(listOf(field));
  if (!choices.length) return;
  show(field, true);
  const at = choices.indexOf(litIn(field));
  light(
    field,
    choices[at < 0 ? (step > 0 ? 0 : choices.length - 1) : (at + step + choices.length) % choices.length],
  );
};

document.addEventListener("keydown", (event) => {
  const field = fieldAt(event.target);
  if (!field || event.isComposing) return;
  const lit = litIn(field);
  if (event.key === "ArrowDown" || event.key === "ArrowUp") walk(field, event.key === "ArrowDown" ? 1 : -1);
  else if (event.key === "Enter" && lit) choose(field, lit);
  else if (event.key === "Escape" && !listOf(field).hidden) show(field, false);
  else {
    if (event.key === "Tab" && lit) choose(field, lit);
    return;
  }
  event.preventDefault();
  event.stopPropagation();
});

// A page with no other use for htmx has it in a template: it is loaded on focus.
/** @type {Promise<unknown> | null} */
let fetched = null;
/** @type {(field: HTMLInputElement, template: HTMLTemplateElement) => Promise<void>} */
const fetchSearch = async (field, template) => {
  const parts = /** @type {DocumentFragment} */ (template.content.cloneNode(true));
  const script = parts.querySelector("script");
  fetched = new Promise((done) => {
    for (const name of ["load", "error"]) script.addEventListener(name, () => done(name === "load"));
  });
  document.head.append(parts);
  if (!(await window.midpoint.during(fetched))) {
    fetched = null; // there is no line: the whole name is enough where it is one person's
    return;
  }
  // Text typed meanwhile triggers htmx once it changes.
  const typed = field.value;
  for (const value of typed ? ["", typed] : []) {
    field.value = value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
};
document.addEventListener("focusin", ({ target }) => {
  const field = fieldAt(target);
  const template = /** @type {HTMLTemplateElement | null} */ (document.getElementById("htmx-later"));
  if (field && template && !fetched) fetchSearch(field, template);
});

// New text clears the choice, and the radio buttons of a form that asked which player.
document.addEventListener("input", (event) => {
  const field = fieldAt(event.target);
  if (!field) return;
  const asked = field.closest("[data-picker]").querySelector("fieldset");
  if (asked) {
    const hidden = document.createElement("input");
    hidden.type = "hidden";
    hidden.name = asked.querySelector("input").name;
    asked.replaceWith(hidden);
  }
  refOf(field).value = "";
  if (!field.value.trim()) {
    listOf(field).replaceChildren();
    show(field, false);
  }
});

document.addEventListener("htmx:configRequest", ({ detail, target }) => {
  const field = fieldAt(target);
  if (!field) return;
  delete detail.parameters[field.name];
  detail.parameters.q = field.value;
});

document.addEventListener("htmx:beforeRequest", (event) => {
  const field = fieldAt(event.target);
  if (field && !field.value.trim()) event.preventDefault();
});

document.addEventListener("htmx:afterSwap", ({ detail: { target: list } }) => {
  const field = list.matches?.("[data-picker] [role=listbox]") && fieldOf(list);
  if (!field) return;
  [...list.children].forEach((option, at) => {
    option.id = `${list.id}-${at}`;
  });
  show(field, document.activeElement === field && field.value.trim() !== "");
  light(field, null);
  say(field, list.querySelector("*")?.dataset.said ?? "");
});

// Pressing keeps the focus in the field; releasing chooses.
document.addEventListener("pointerdown", (event) => {
  if (event.target.closest?.("[data-picker] [role=listbox]")) event.preventDefault();
});
document.addEventListener("mousedown", (event) => {
  if (event.target.closest?.("[data-picker] [role=listbox]")) event.preventDefault();
});
document.addEventListener("click", (event) => {
  const option = event.target.closest?.("[data-picker] [role=option]:not([aria-disabled])");
  if (option) choose(fieldOf(option), option);
});
document.addEventListener("focusout", ({ target }) => {
  const field = fieldAt(target);
  if (field) show(field, false);
});

// A form reset does not clear hidden values.
document.addEventListener("reset", ({ target }) => {
  const form = /** @type {HTMLFormElement} */ (target);
  for (const field of [...form.querySelectorAll(FIELD)].map(fieldAt)) {
    refOf(field).value = "";
    listOf(field).replaceChildren();
    show(field, false);
  }
});
