// A field that looks for people (templates/forms/person.html): htmx fetches who has the typed name; here the list is
// opened, walked with the arrows and chosen from, as in the combobox pattern of WAI-ARIA. Without it the form asks.
"use strict";

const fieldOf = (node) => node.closest?.("[data-picker]")?.querySelector("[role=combobox]");
const listOf = (field) => document.getElementById(field.getAttribute("aria-controls"));
const refOf = (field) => field.closest("[data-picker]").querySelector("input[type=hidden]");
const choicesIn = (list) => [...list.querySelectorAll("[role=option]:not([aria-disabled])")];
const say = (field, text) => {
  field.closest("[data-picker]").querySelector("[role=status]").textContent = text;
};

const light = (field, option) => {
  for (const each of listOf(field).children) each.setAttribute("aria-selected", String(each === option));
  if (!option) return field.removeAttribute("aria-activedescendant");
  field.setAttribute("aria-activedescendant", option.id);
  option.scrollIntoView({ block: "nearest" });
};

const show = (field, open) => {
  const list = listOf(field);
  list.hidden = !open || !list.children.length;
  field.setAttribute("aria-expanded", String(!list.hidden));
  if (list.hidden) light(field, null);
};

const choose = (field, option) => {
  field.value = option.dataset.name;
  refOf(field).value = option.dataset.ref;
  show(field, false);
  say(field, option.dataset.name);
  field.dispatchEvent(new Event("change", { bubbles: true }));
};

const litIn = (field) => document.getElementById(field.getAttribute("aria-activedescendant") ?? "");

const walk = (field, step) => {
  const choices = choicesIn(listOf(field));
  if (!choices.length) return;
  show(field, true);
  const at = choices.indexOf(litIn(field));
  light(field, choices[at < 0 ? (step > 0 ? 0 : choices.length - 1) : (at + step + choices.length) % choices.length]);
};

document.addEventListener("keydown", (event) => {
  const field = event.target.matches?.("[data-picker] [role=combobox]") && event.target;
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

// What was typed since is somebody else; radio buttons of a form that asked who it is are answered by it, too.
document.addEventListener("input", (event) => {
  const field = event.target.matches?.("[data-picker] [role=combobox]") && event.target;
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
  if (!target.matches?.("[data-picker] [role=combobox]")) return;
  delete detail.parameters[target.name];
  detail.parameters.q = target.value;
});

document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.target.matches?.("[data-picker] [role=combobox]") && !event.target.value.trim()) event.preventDefault();
});

document.addEventListener("htmx:afterSwap", ({ detail: { target: list } }) => {
  const field = list.matches?.("[data-picker] [role=listbox]") && fieldOf(list);
  if (!field) return;
  [...list.children].forEach((option, at) => {
    option.id = `${list.id}-${at}`;
  });
  show(field, document.activeElement === field && field.value.trim() !== "");
  light(field, null);
  say(field, list.firstElementChild?.dataset.said ?? "");
});

// A press keeps the focus in the field; lifting it chooses.
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
  if (target.matches?.("[data-picker] [role=combobox]")) show(target, false);
});

// A hidden value is no value to a form that is emptied.
document.addEventListener("reset", ({ target: form }) => {
  for (const field of form.querySelectorAll("[data-picker] [role=combobox]")) {
    refOf(field).value = "";
    listOf(field).replaceChildren();
    show(field, false);
  }
});
