// What is not needed every turn: irregularities, corrections, conflicts, claims. Each is a form in a dialog of the page.

import { readingsIn } from "./asking.js";
import { CORRECTABLE, ENTRIES, UnreadableError, writeCheckers } from "./reading.js";
import { make, newKey, say } from "./words.js";

/**
 * @typedef {import("./log.js").Line} Line
 */

/** @param {string} name */
const dialog = (name) => /** @type {HTMLDialogElement} */ (document.getElementById(`dialog-${name}`));
/**
 * What was typed; the forms of this page have no files.
 * @param {HTMLFormElement} form
 * @returns {Record<string, string>}
 */
const fieldsOf = (form) =>
  Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));

/**
 * A field of a form by its name.
 * @param {HTMLFormElement} form
 * @param {string} name
 */
const fieldOf = (form, name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));

/** What a point is called here, for those who type it. */
const names = () => ({ bar: say("bar"), off: say("off") });

export class Dialogs {
  /** @type {import("./sync.js").Sync} */
  sync;
  /** @type {import("./turn.js").Turn} */
  turn;
  /** @type {(kind: string, body: object) => Promise<void> | undefined} */
  record;
  /** @type {() => any} */
  shown;
  /** @type {() => void} */
  render;
  /** @type {string[]} lines that were typed and wait for the one before */
  lines;
  /** @type {boolean} */
  typing;
  /** @type {{ count(): void } | null} the refused line that waits to be corrected */
  asked;

  /** @type {Line | null} the line that is corrected */
  line = null;
  /** @type {object | null} the conflict that is shown */
  drawnConflict = null;
  /** @type {object | null} the refused entry that is shown */
  drawnRefused = null;

  /** @param {Pick<Dialogs, "sync" | "turn" | "record" | "shown" | "render"> & { config: object }} parts */
  constructor(parts) {
    Object.assign(this, parts, { lines: [], typing: false, asked: null });
    for (const form of document.querySelectorAll("form[data-entry]")) {
      form.addEventListener("submit", (event) => this.submit(event, form));
    }
    dialog("correct")
      .querySelector("form")
      .addEventListener("submit", (event) => this.submitCorrection(event));
    dialog("refused")
      .querySelector("form")
      .addEventListener("submit", (event) => this.submitRefused(event));
    for (const button of document.querySelectorAll("[data-settle]"))
      button.addEventListener("click", () => this.settle(button.dataset.settle));
    for (const button of document.querySelectorAll("[data-forget]")) {
      button.addEventListener("click", () => {
        dialog("refused").close();
        this.sync.forget({ all: button.dataset.forget === "all" });
      });
    }
    for (const button of document.querySelectorAll("[data-opens-instead]"))
      button.addEventListener("click", () => this.open(button.dataset.opensInstead.slice(7)));
    document.querySelector("[data-does-resign]")?.addEventListener("click", () => this.resign());
    for (const button of document.querySelectorAll("[data-close]"))
      button.addEventListener("click", () => button.closest("dialog").close());
    document.getElementById("claim-form")?.addEventListener("submit", (event) => this.claim(event));
    document.querySelector("[data-ends-claims]")?.addEventListener("click", () => this.endClaims());
    document
      .querySelector("[data-part=confirm]")
      .addEventListener("click", () =>
        this.sync.send(this.sync.urls.confirm, { revision: this.sync.view.result.revision }),
      );
    document.getElementById("object-form")?.addEventListener("submit", (event) => this.object(event));
    dialog("irregular").addEventListener(
      "toggle",
      (event) => event.newState === "open" && this.fillPosition(),
    );
    // A conflict and a refused entry wait for an answer; Escape closes their dialog, the notice keeps the way back.
  }

  /** @param {string} name */
  open(name) {
    const found = dialog(name);
    if (found.open) return;
    for (const other of document.querySelectorAll("dialog[open]")) other.close();
    found.showModal();
  }

  /**
   * @param {HTMLFormElement} form
   * @param {string} words
   */
  fail(form, words) {
    let place = form.querySelector("[data-problem]");
    if (!place) {
      place = make("p", { class: "problem", "data-problem": "", role: "alert" });
      form.prepend(place);
    }
    place.textContent = words;
  }

  /**
   * @template T
   * @param {HTMLFormElement} form
   * @param {() => T} work
   */
  read(form, work) {
    try {
      form.querySelector("[data-problem]")?.remove();
      return work();
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      this.fail(form, say(error.words, error.values));
      return null;
    }
  }

  /**
   * @param {SubmitEvent} event
   * @param {HTMLFormElement} form
   */
  async submit(event, form) {
    event.preventDefault();
    if (form.dataset.entry === "illegal_play") {
      Object.assign(this.turn, {
        mode: "illegal",
        moves: [],
        status: fieldsOf(form).status,
        noticed: fieldsOf(form).noticed === "yes",
      });
      form.closest("dialog").close();
      this.render();
      return;
    }
    const entry = this.read(form, () => ENTRIES[form.dataset.entry](fieldsOf(form), names()));
    if (!entry) return;
    form.closest("dialog").close();
    form.reset();
    await this.record(entry.kind, entry.body);
  }

  // Resigning ----------------------------------------------------------------------------------------------------

  resign() {
    const view = this.shown();
    /** @type {import("./projection.js").Action[]} */
    const offers = view.actions.filter(
      (/** @type {import("./projection.js").Action} */ action) => action.kind === "resign",
    );
    const sides = offers.length ? offers : ["white", "black"].map((by) => ({ by, levels: [1, 2, 3] }));
    const place = dialog("resign").querySelector("[data-choices]");
    place.replaceChildren(
      ...sides.map(({ by, levels }) =>
        make(
          "fieldset",
          {},
          make("legend", {}, say("resigns", { name: view[by].name })),
          make(
            "div",
            { class: "dock-row" },
            ...levels.map((level) =>
              make(
                "button",
                {
                  type: "button",
                  class: "secondary grow",
                  "data-does": `resign-${by}-${level}`,
                  onclick: () => {
                    dialog("resign").close();
                    this.record("resign", { by, level });
                  },
                },
                say(`level_${level}`),
              ),
            ),
          ),
        ),
      ),
    );
    this.open("resign");
  }

  // Two wrote at once, or something did not fit ------------------------------------------------------------------

  /** @param {any} view */
  draw(view) {
    const { conflict } = this.sync;
    document.querySelector("[data-part=conflict-open]").hidden = !conflict;
    if (conflict && this.drawnConflict !== conflict) {
      this.drawnConflict = conflict;
      this.drawConflict(conflict, this.sync.view);
      this.open("conflict");
    }
    if (!conflict && dialog("conflict").open) dialog("conflict").close();
    if (this.sync.refused && this.drawnRefused !== this.sync.refused) {
      this.drawnRefused = this.sync.refused;
      this.refused();
    }
    for (const place of document.querySelectorAll("[data-side-name]"))
      place.textContent = view[place.dataset.sideName].name;
    document.querySelector("[data-value=xgid]").textContent = view.game.xgid ?? "";
    const begun = view.games.length > 0 || view.game.phase !== "opening";
    for (const option of document.querySelectorAll("option[value=no_show], option[value=double_no_show]"))
      option.disabled = begun;
    const possible = new Set(view.actions.map((/** @type {{ kind: string }} */ action) => action.kind));
    for (const part of document.querySelectorAll("[data-needs]"))
      part.hidden = !possible.has(part.dataset.needs);
    for (const part of document.querySelectorAll("[data-why]")) {
      const why = possible.has(part.dataset.why) ? "" : (view.refusals[part.dataset.why] ?? "");
      part.textContent = why;
      part.hidden = !why;
    }
  }

  /**
   * @param {{ shown: { words: string }[], mine: { words: string }[] }} conflict
   * @param {any} view
   */
  drawConflict(conflict, view) {
    const { shown, mine } = conflict;
    const { result, directs } = view;
    const found = dialog("conflict");
    const isClosed = Boolean(result?.final) && !directs;
    found.querySelector("[data-closed]").hidden = !isClosed;
    for (const button of found.querySelectorAll("[data-settle=mine], [data-settle=both]"))
      button.hidden = isClosed;
    const list = (/** @type {string[]} */ rows) =>
      rows.map((words, n) => make("li", { class: n ? "" : "differs" }, words));
    found.querySelector("[data-theirs]").replaceChildren(...list(shown.map((line) => line.words)));
    found.querySelector("[data-mine]").replaceChildren(...list(mine.map((row) => row.words)));
  }

  /** @param {string} choice */
  async settle(choice) {
    dialog("conflict").close();
    await this.sync.settle(choice);
  }

  refused() {
    const { row, detail } = this.sync.refused;
    const found = dialog("refused");
    const form = found.querySelector("form");
    found.querySelector("[data-what]").textContent = row.words;
    found.querySelector("[data-why]").textContent = detail;
    const known = CORRECTABLE[row.kind];
    found.querySelector("[data-field]").hidden = !known;
    if (known) fieldOf(form, "value").value = known.write(row.body);
    form.querySelector("[data-problem]")?.remove();
    found.querySelector("[data-later]").textContent = say("later_entries", {
      count: this.sync.queue.length - 1,
    });
    this.open("refused");
  }

  /** @param {SubmitEvent} event */
  async submitRefused(event) {
    event.preventDefault();
    const form = event.target;
    const { row } = this.sync.refused;
    const body = this.read(form, () => CORRECTABLE[row.kind].read(fieldOf(form, "value").value, names()));
    if (!body) return;
    dialog("refused").close();
    await this.sync.replaceRefused({ kind: row.kind, body });
  }

  // Corrections --------------------------------------------------------------------------------------------------

  /** @param {Line} line */
  correct(line) {
    this.line = line;
    const found = dialog("correct");
    const form = found.querySelector("form");
    form.reset();
    form.querySelector("[data-problem]")?.remove();
    found.querySelector("[data-what]").textContent = line.words;
    found.querySelector("[data-cut]").hidden = true;
    const known = line.body ? CORRECTABLE[line.kind] : undefined;
    found.querySelector("[data-field]").hidden = !known;
    found.querySelector("[data-game]").hidden = line.kind !== "game_result";
    if (known) fieldOf(form, "value").value = known.write(line.body);
    if (line.kind === "game_result" && line.body) {
      for (const name of ["winner", "win", "cube", "ended"])
        fieldOf(form, name).value = String(line.body[name]);
    }
    fieldOf(form, "away").closest("label").hidden = false;
    this.open("correct");
  }

  /** @param {SubmitEvent} event */
  async submitCorrection(event) {
    event.preventDefault();
    const form = event.target;
    const fields = fieldsOf(form);
    const entry = this.read(form, () => this.correction(fields));
    if (!entry) return;
    const cut = event.submitter?.getAttribute("value") === "cut";
    const data = await this.sync.send(this.sync.urls.correct, {
      after: this.sync.view.seq,
      key: newKey(),
      seq: this.line.seq,
      ...entry,
      reason: fields.why,
      cut,
    });
    if (data) {
      dialog("correct").close();
      return;
    }
    const answer = this.sync.answer;
    const misfit = answer?.data?.does_not_fit;
    if (misfit) {
      this.fail(
        form,
        say("does_not_fit", { line: misfit.line?.words ?? misfit.line, reason: misfit.reason }),
      );
      dialog("correct").querySelector("[data-cut]").hidden = false;
    } else {
      this.fail(form, this.words(this.sync.notice));
    }
  }

  /** @param {Record<string, string>} fields */
  correction(fields) {
    const { kind, body } = this.line;
    if (fields.away) return { kind: "voided", body: { reason: fields.why } };
    if (kind === "game_result")
      return {
        kind,
        body: {
          winner: fields.winner,
          win: Number(fields.win),
          cube: Number(fields.cube),
          ended: fields.ended,
        },
      };
    if (CORRECTABLE[kind])
      return {
        kind,
        body: {
          ...Object.fromEntries(Object.entries(body).filter(([name]) => name === "void")),
          ...CORRECTABLE[kind].read(fields.value, names()),
        },
      };
    throw new UnreadableError("only_away");
  }

  fillPosition() {
    const form = document.querySelector("form[data-entry=set_position]");
    const { position } = this.shown().game;
    fieldOf(form, "white").value = writeCheckers(position.white);
    fieldOf(form, "black").value = writeCheckers(position.black);
  }

  // Typed, shared, objected --------------------------------------------------------------------------------------

  /**
   * Lines go one after the other, while the next is typed already. One that is refused waits beside the field to be
   * corrected, and those behind it wait with it: whoever looks at a video types on.
   * @param {HTMLFormElement} form
   */
  async transcribe(form) {
    const field = fieldOf(form, "text");
    const text = field.value.trim();
    if (!text) return;
    field.value = "";
    this.lines.push(text);
    if (this.asked) this.asked.count();
    else await this.sendLines(form);
  }

  /** @param {HTMLFormElement} form */
  async sendLines(form) {
    if (this.typing) return;
    this.typing = true;
    try {
      while (this.lines.length && !this.asked) await this.sendLine(form, this.lines.shift());
    } finally {
      this.typing = false;
    }
  }

  /**
   * @param {HTMLFormElement} form
   * @param {string} text
   */
  async sendLine(form, text) {
    const data = await this.sync.send(this.sync.urls.text, {
      after: this.sync.view.seq,
      key: newKey(),
      text,
    });
    if (data) return;
    const problem = this.words(this.sync.notice);
    const readings = readingsIn(this.sync.answer?.data);
    this.sync.notice = null;
    this.askAgain(form, { text, problem, readings });
    this.render();
  }

  /**
   * The refused line, to be corrected or left out; the field for new lines stays where it is.
   * @param {HTMLFormElement} form
   * @param {{ text: string, problem: string, readings: { text: string, words: string }[] }} refused
   */
  askAgain(form, refused) {
    const { text, problem, readings } = refused;
    const place = form.querySelector("[data-readings]");
    const waiting = make("p", { class: "muted small" });
    const input = make("input", {
      class: "notation grow",
      value: text,
      autocomplete: "off",
      spellcheck: "false",
      "aria-label": say("typed_again"),
    });
    const settle = async (/** @type {string} */ line) => {
      this.asked = null;
      place.replaceChildren();
      if (line) this.lines.unshift(line);
      fieldOf(form, "text").focus();
      await this.sendLines(form);
    };
    const count = () => {
      waiting.textContent = this.lines.length ? say("later_entries", { count: this.lines.length }) : "";
    };
    input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      settle(input.value.trim());
    });
    const choices = readings.map((reading) =>
      make(
        "button",
        { type: "button", class: "secondary", onclick: () => settle(reading.text) },
        reading.words,
      ),
    );
    place.replaceChildren(
      make("p", { class: "problem", role: "alert" }, problem),
      make(
        "div",
        { class: "dock-row" },
        input,
        make("button", { type: "button", onclick: () => settle(input.value.trim()) }, say("enter_again")),
        make("button", { type: "button", class: "plain", onclick: () => settle("") }, say("leave_out")),
      ),
      make("div", { class: "choices" }, ...choices),
      waiting,
    );
    this.asked = { count };
    count();
  }

  /** @param {import("./sync.js").Notice | null} notice */
  words(notice) {
    return notice?.words ?? (notice ? say(notice.name, notice.values) : "");
  }

  /** @param {SubmitEvent} event */
  async claim(event) {
    event.preventDefault();
    const data = await this.sync.send(this.sync.urls.claims, fieldsOf(event.target));
    const place = document.getElementById("claim-made");
    if (!data) {
      place.replaceChildren(make("p", { class: "problem" }, this.words(this.sync.notice)));
      return;
    }
    place.replaceChildren(
      make("p", {}, say("claim_made")),
      make("p", {}, make("a", { href: data.page, class: "notation" }, data.page)),
    );
    place.append(
      make("img", {
        src: `data:image/svg+xml,${encodeURIComponent(data.qr.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" '))}`,
        alt: say("claim_qr"),
        class: "qr",
        width: 240,
        height: 240,
      }),
    );
  }

  async endClaims() {
    const data = await this.sync.send(this.sync.urls.claims, {}, "DELETE");
    const words = data ? say("claims_ended", { count: data.revoked }) : this.words(this.sync.notice);
    document.getElementById("claim-made").replaceChildren(make("p", data ? {} : { class: "problem" }, words));
  }

  /** @param {SubmitEvent} event */
  async object(event) {
    event.preventDefault();
    const data = await this.sync.send(this.sync.urls.object, {
      reason: fieldsOf(event.target).reason,
      revision: this.sync.view.result.revision,
    });
    if (data) dialog("object").close();
  }
}
