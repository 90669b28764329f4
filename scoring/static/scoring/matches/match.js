// A match, step by step: the keys press the page's own links, the checkers go their way, and the graph leads to steps.
// Without this script every step is a page of its own.

import { ways } from "./ways.js";

const MOVES = 200; // milliseconds
const still = matchMedia("(prefers-reduced-motion: reduce)");
/** @type {Record<string, string>} */
const keys = {
  ArrowLeft: "prev",
  ArrowRight: "next",
  PageUp: "prev-error",
  PageDown: "next-error",
  e: "next-error",
};

// While one step is under way its links lead nowhere new: what is pressed meanwhile follows when it has come.
/** @type {string[]} */
const pressed = [];
let onTheWay = false;
/** @type {(wanted: string) => HTMLElement | null} */
const linkTo = (wanted) => document.querySelector(`#stage a[data-step="${wanted}"]`);
const goOn = () => {
  onTheWay = false;
  const wanted = pressed.shift();
  if (wanted) linkTo(wanted)?.click();
};
document.addEventListener(
  "click",
  (event) => {
    /** @type {HTMLElement | null} */
    const link = event.target.closest("#stage a[data-step]");
    if (!link || !onTheWay || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    pressed.push(String(link.dataset.step));
  },
  true,
);
document.addEventListener("htmx:beforeRequest", ({ detail }) => {
  if (detail.elt.matches("#stage a[data-step]")) onTheWay = true;
});
document.addEventListener("htmx:afterSettle", goOn);
for (const name of ["htmx:sendError", "htmx:responseError", "htmx:timeout"]) {
  document.addEventListener(name, () => {
    onTheWay = false;
    pressed.length = 0;
  });
}

document.addEventListener("keydown", (event) => {
  const wanted = keys[event.key];
  if (!wanted || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.target.closest("input, textarea, select, [contenteditable], [popover]")) return;
  const link = linkTo(wanted);
  if (!link) return;
  event.preventDefault();
  link.click();
});

// What the reader chose in the sheet above the steps: it closes, and the focus goes back to its button.
document.addEventListener("change", (event) => {
  const field = /** @type {HTMLElement} */ (event.target);
  /** @type {HTMLElement | null} */ (field.closest("#wanted:popover-open"))?.hidePopover();
});

/** The list of plays and the games are scrolled to the one that is shown; the page stays where it is. */
const showCurrentStep = () => {
  for (const [list, wanted] of [
    ["#stage .steps", '[aria-current="step"]'],
    ["#stage .games", '[aria-current="true"]'],
  ]) {
    const place = document.querySelector(list);
    const current = place?.querySelector(wanted);
    if (!place || !current) continue;
    const [outer, inner] = [place.getBoundingClientRect(), current.getBoundingClientRect()];
    place.scrollTop += inner.top - outer.top - place.clientHeight / 2;
    place.scrollLeft += inner.left - outer.left - place.clientWidth / 2;
  }
};

/** @returns {Record<string, { node: SVGGraphicsElement, x: number, y: number }[]>} the checkers of both sides */
const checkers = () => {
  /** @type {Record<string, { node: SVGGraphicsElement, x: number, y: number }[]>} */
  const found = {};
  for (const side of ["white", "black"]) {
    /** @type {unknown} */
    const all = document.querySelectorAll(`#stage .checkers.${side} :is(circle, rect)`);
    const nodes = /** @type {NodeListOf<SVGGraphicsElement>} */ (all);
    found[side] = [...nodes].map((node) => {
      const { x, y, width, height } = node.getBBox();
      return { node, x: x + width / 2, y: y + height / 2 };
    });
  }
  return found;
};

let before = checkers();
const move = () => {
  const now = checkers();
  if (!still.matches) {
    for (const [side, to] of Object.entries(now)) {
      for (const [from, spot] of ways(before[side] ?? [], to)) {
        const shift = `translate(${from.x - spot.x}px, ${from.y - spot.y}px)`;
        spot.node.animate([{ transform: shift }, { transform: "none" }], {
          duration: MOVES,
          easing: "ease-in-out",
        });
      }
    }
  }
  before = now;
};

const say = () => {
  const words = document.getElementById("step-words");
  const said = [...document.querySelectorAll("#stage .said strong, #stage .verdict h2")];
  if (words) words.textContent = said.map((each) => each.textContent.replace(/\s+/g, " ").trim()).join(". ");
};

showCurrentStep();
document.addEventListener("htmx:afterSwap", ({ target }) => {
  if (target.id !== "stage" && !document.getElementById("stage")?.contains(target)) return;
  showCurrentStep();
  move();
  say();
});

// From where the graph is touched follows the step that is meant.
document.addEventListener("click", (event) => {
  const graph = event.target.closest("[data-graph]");
  /** @type {unknown} */
  const found = graph?.querySelector("svg");
  const drawing = /** @type {SVGSVGElement | null | undefined} */ (found);
  if (!graph || !drawing) return;
  const { left, width } = drawing.getBoundingClientRect();
  const { from, width: plot, steps } = drawing.dataset;
  const at = ((event.clientX - left) / width) * drawing.viewBox.baseVal.width;
  const step = Math.ceil(((at - Number(from)) / Number(plot)) * Number(steps));
  const number = Math.min(Math.max(step, 1), Number(steps));
  const address = `${graph.dataset.graph}${number}/${graph.dataset.query}`;
  window.htmx.ajax("GET", address, { source: graph, target: "#stage", swap: "outerHTML show:none" });
});
