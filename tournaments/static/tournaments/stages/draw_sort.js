// Tables of standings that can be sorted by each column; the order of the server is that of the places.

import { rowOrder } from "./table_order.js";

(() => {
  /** @type {{ column: string, down: boolean } | null} By the head's words, so that a table that is replaced keeps it. */
  let chosen = null;
  const enhance = () => {
    const words = document.getElementById("event")?.dataset.sort;
    if (!words) return;
    for (const table of document.querySelectorAll("table.sortable:not([data-sorts])")) {
      table.dataset.sorts = "1";
      for (const head of table.querySelectorAll("thead th:not(.results, .against)")) {
        const name = (head.querySelector("button") ?? head).textContent.trim();
        head.dataset.name = name;
        const button = document.createElement("button");
        button.type = "button";
        button.className = "sort";
        button.setAttribute("aria-label", words.replace("%s", name));
        head.append(" ", button);
      }
      if (chosen) sort(table);
    }
  };
  /** @type {(table: HTMLElement) => void} */
  const sort = (table) => {
    const heads = /** @type {HTMLElement[]} */ ([...table.querySelectorAll("thead th")]);
    const index = heads.findIndex((head) => head.dataset.name === chosen.column);
    if (index < 0) return;
    for (const [n, head] of heads.entries()) {
      if (n === index) head.setAttribute("aria-sort", chosen.down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    }
    const body = table.querySelector("tbody");
    const rows = [...body.children];
    const texts = rows.map((row) => row.children[index].textContent.trim());
    const language = document.documentElement.lang || "en";
    body.append(...rowOrder(texts, chosen.down, language).map((n) => rows[n]));
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button.sort");
    if (!button) return;
    const head = button.closest("th");
    const down = head.getAttribute("aria-sort") === "ascending";
    chosen = { column: head.dataset.name, down };
    for (const table of document.querySelectorAll("table.sortable")) sort(table);
  });
  document.addEventListener("htmx:afterSettle", enhance);
  document.addEventListener("midpoint:parts", enhance);
  enhance();
})();
