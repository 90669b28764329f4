// Two wrote at once, or an entry was refused: each has a dialog that waits for an answer. Escape closes it; the notice of
// the page keeps the way back.

import { dialog } from "./dialog.js";
import { hide } from "./part.js";
import { make } from "./words.js";

/**
 * @typedef {import("./sync.js").Sync} Sync
 * @typedef {(found: HTMLDialogElement, refused: any, later: number) => void} FillRefused fills in what a page has of its own
 */

/** @param {{ words: string }[]} rows the first is where they differ */
const list = (rows) => rows.map(({ words }, n) => make("li", { class: n ? "" : "differs" }, words));

export class Conflicts {
  /** @type {object | null} the conflict that is shown */
  drawnConflict = null;
  /** @type {object | null} the refused entry that is shown */
  drawnRefused = null;

  /** @param {{ sync: Sync, open: (name: string) => void, fillRefused: FillRefused }} parts */
  constructor({ sync, open, fillRefused }) {
    this.sync = sync;
    this.open = open;
    this.fillRefused = fillRefused;
    for (const button of document.querySelectorAll("[data-settle]"))
      button.addEventListener("click", () => this.settle(button.dataset.settle));
    for (const button of document.querySelectorAll("[data-forget]")) {
      button.addEventListener("click", () => {
        dialog("refused").close();
        sync.forget({ all: button.dataset.forget === "all" });
      });
    }
  }

  draw() {
    const { conflict, refused } = this.sync;
    hide(document.querySelector("[data-part=conflict-open]"), !conflict);
    if (conflict && this.drawnConflict !== conflict) {
      this.drawnConflict = conflict;
      this.drawConflict(conflict);
      this.open("conflict");
    }
    if (!conflict && dialog("conflict").open) dialog("conflict").close();
    if (refused && this.drawnRefused !== refused) {
      this.drawnRefused = refused;
      this.refused();
    }
  }

  /** @param {{ theirs: object[], shown: { words: string }[], mine: { words: string }[] }} conflict */
  drawConflict({ theirs, shown, mine }) {
    const { result, directs, may_write: mayWrite } = this.sync.view;
    const found = dialog("conflict");
    const isClosed = (Boolean(result?.final) && !directs) || !mayWrite;
    const closed = found.querySelector("[data-closed]");
    if (closed) closed.hidden = !isClosed;
    found.querySelector("[data-settle=both]").hidden = isClosed;
    // Where they have only undone something, there is nothing of theirs to undo.
    found.querySelector("[data-settle=mine]").hidden = isClosed || !theirs.length;
    found.querySelector("[data-theirs]").replaceChildren(...list(shown));
    found.querySelector("[data-mine]").replaceChildren(...list(mine));
  }

  refused() {
    const { row, detail } = this.sync.refused;
    const found = dialog("refused");
    found.querySelector("[data-what]").textContent = row.words;
    found.querySelector("[data-why]").textContent = detail;
    this.fillRefused(found, row, this.sync.queue.length - 1);
    this.open("refused");
  }

  /** @param {string} choice */
  async settle(choice) {
    dialog("conflict").close();
    await this.sync.settle(choice);
  }
}
