// What is not needed every turn. Each is a form in a dialog of the page.

import { listenForClaims } from "./claims.js";
import { Conflicts } from "./conflicts.js";
import { Corrections, names, readForm } from "./corrections.js";
import { dialog, fieldOf, fieldsOf, showAlone } from "./dialog.js";
import { hide, tell } from "./part.js";
import { ENTRIES, writeCheckers } from "./reading.js";
import { projected } from "./projection.js";
import { drawResignation } from "./resignation.js";
import { resultWords } from "./result.js";
import { Transcribing } from "./transcribing.js";
import { listenForTimes } from "./video_times.js";
import { say } from "./words.js";

/**
 * @typedef {{ kind: string, body: any }} Entry
 *
 * @typedef {object} Parts
 * @property {import("./sync.js").Sync} sync
 * @property {import("./turn.js").Turn} turn
 * @property {(kind: string, body: object) => Promise<void> | undefined} record
 * @property {() => any} shown
 * @property {() => void} render
 * @property {import("./sheet.js").Config} config
 * @property {HTMLFormElement} typed where lines are typed
 */

export class Dialogs {
  /** @param {Parts} parts */
  constructor({ sync, turn, record, shown, render, config, typed }) {
    this.sync = sync;
    this.turn = turn;
    this.record = record;
    this.shown = shown;
    this.render = render;
    this.starting = config.starting;
    const open = (/** @type {string} */ name) => this.open(name);
    this.corrections = new Corrections({ sync, open });
    this.conflicts = new Conflicts({ sync, open, fillRefused: this.corrections.fillRefused });
    this.transcribing = new Transcribing({ sync, form: typed, shown, render });
    listenForClaims(sync);
    listenForTimes(sync);
    this.listen();
    this.listenForResult();
  }

  listen() {
    for (const form of document.querySelectorAll("form[data-entry]"))
      form.addEventListener("submit", (event) => this.submit(event, form));
    for (const button of document.querySelectorAll("[data-opens-instead]"))
      button.addEventListener("click", () => this.open(button.dataset.opensInstead.slice(7)));
    document.querySelector("[data-does-resign]")?.addEventListener("click", () => this.resign());
    for (const button of document.querySelectorAll("[data-close]"))
      button.addEventListener("click", () => button.closest("dialog").close());
    dialog("irregular").addEventListener(
      "toggle",
      (event) => event.newState === "open" && this.fillPosition(),
    );
  }

  /** The result is confirmed, or objected to. */
  listenForResult() {
    const { sync } = this;
    document.querySelector("[data-part=confirm]").addEventListener("click", () => {
      sync.send(sync.urls.confirm, { revision: sync.view.result.revision });
    });
    document.getElementById("object-form")?.addEventListener("submit", async (event) => {
      event.preventDefault();
      const { reason } = fieldsOf(/** @type {HTMLFormElement} */ (event.target));
      const data = await sync.send(sync.urls.object, { reason, revision: sync.view.result.revision });
      if (data) dialog("object").close();
    });
  }

  /** @param {string} name */
  open(name) {
    const found = dialog(name);
    if (!found.open) showAlone(found);
  }

  /**
   * @param {SubmitEvent} event
   * @param {HTMLFormElement} form
   */
  async submit(event, form) {
    event.preventDefault();
    const fields = fieldsOf(form);
    if (form.dataset.entry === "illegal_play") {
      const noticed = fields.noticed === "yes";
      Object.assign(this.turn, { mode: "illegal", moves: [], status: fields.status, noticed });
      form.closest("dialog").close();
      this.render();
      return;
    }
    const entry = readForm(form, () => ENTRIES[form.dataset.entry](fields, names()));
    if (!entry) return;
    if (entry.kind === "penalty" && this.asksToEnd(entry, form)) return;
    await this.enter(entry, form);
  }

  /**
   * @param {Entry} entry
   * @param {HTMLFormElement} form
   */
  async enter(entry, form) {
    form.closest("dialog").close();
    form.reset();
    await this.record(entry.kind, entry.body);
  }

  /**
   * Ask once more whether a penalty is to end the match: a digit too many would. Whether that is asked.
   * @param {Entry} penalty
   * @param {HTMLFormElement} form
   */
  asksToEnd(penalty, form) {
    const after = projected(this.shown(), [penalty], this.starting);
    if (after.status !== "over") return false;
    const found = dialog("penalty");
    const result = resultWords(after);
    tell(found.querySelector("[data-what]"), say("penalty_ends", { points: penalty.body.points, result }));
    const button = found.querySelector("[data-ends]");
    button.onclick = () => {
      found.close();
      this.enter(penalty, form);
    };
    this.open("penalty");
    return true;
  }

  resign() {
    drawResignation(dialog("resign"), this.shown(), this.record);
    this.open("resign");
  }

  refused() {
    this.conflicts.refused();
  }

  /** @param {import("./log.js").Line} line */
  correct(line) {
    this.corrections.correct(line);
  }

  /** @param {any} view */
  draw(view) {
    this.conflicts.draw();
    this.transcribing.complete();
    for (const place of document.querySelectorAll("[data-side-name]"))
      tell(place, view[place.dataset.sideName].name);
    tell(document.querySelector("[data-value=xgid]"), view.game.xgid ?? "");
    const begun = view.games.length > 0 || view.game.phase !== "opening";
    for (const option of document.querySelectorAll("option[value=no_show], option[value=double_no_show]"))
      option.disabled = begun;
    const possible = new Set(view.actions.map((/** @type {{ kind: string }} */ action) => action.kind));
    for (const part of document.querySelectorAll("[data-needs]"))
      hide(part, !possible.has(part.dataset.needs));
    for (const part of document.querySelectorAll("[data-why]:not([data-why=''])")) {
      const why = possible.has(part.dataset.why) ? "" : (view.refusals[part.dataset.why] ?? "");
      tell(part, why);
      hide(part, !why);
    }
  }

  fillPosition() {
    const form = document.querySelector("form[data-entry=set_position]");
    const { position } = this.shown().game;
    fieldOf(form, "white").value = writeCheckers(position.white);
    fieldOf(form, "black").value = writeCheckers(position.black);
  }
}
