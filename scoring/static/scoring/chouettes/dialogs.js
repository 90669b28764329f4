// What takes more than a tap: the end of a game, places, people, prices, corrections, conflicts. Forms in dialogs of the page.

import { READY } from "./dock.js";
import { edited, editFields } from "./edits.js";
import { boxOf, here, named } from "./projection.js";
import { signed } from "./seats.js";
import { entriesOf, minorOf } from "./typed.js";
import { make, newKey, say } from "../sheets/words.js";

/**
 * @typedef {import("./actions.js").Action} Action
 * @typedef {import("./game.js").Ref} Ref
 * @typedef {import("./projection.js").Line} Line
 * @typedef {import("./projection.js").Player} Player
 * @typedef {import("./projection.js").TableView} TableView
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
/** @type {(value: string, words: string) => HTMLOptionElement} */
const option = (value, words) => make("option", { value }, words);

/**
 * An address as a QR code, which the server has drawn, and as a link.
 * @type {(found: HTMLDialogElement, code: { qr: string, page: string }) => void}
 */
const showCode = (found, { qr, page }) => {
  const drawn = document.createElement("template");
  drawn.innerHTML = qr;
  found.querySelector(".qr").replaceChildren(drawn.content);
  const link = /** @type {HTMLAnchorElement} */ (found.querySelector("p a"));
  link.href = page;
  link.textContent = page;
};

const WINS = ["single", "gammon", "backgammon"];

export class Dialogs {
  /** @type {import("../sheets/sync.js").Sync} */
  sync;
  /** @type {(entries: import("./projection.js").Entry[]) => Promise<void>} */
  record;
  /** @type {() => any} */
  shown;
  /** @type {any} */
  config;
  /** @type {string[]} the rotation that is being put in order */
  line;

  /** @type {object | null} the conflict that is shown */
  drawnConflict = null;
  /** @type {object | null} the refused entry that is shown */
  drawnRefused = null;

  /** @param {Pick<Dialogs, "sync" | "record" | "shown" | "config">} parts */
  constructor(parts) {
    Object.assign(this, parts);
    for (const form of document.querySelectorAll("form[data-entry]"))
      form.addEventListener("submit", (event) => this.submit(event, form));
    for (const button of document.querySelectorAll("[data-close]"))
      button.addEventListener("click", () => button.closest("dialog").close());
    for (const button of document.querySelectorAll("[data-shows]"))
      button.addEventListener("click", () => this.open(button.dataset.shows));
    for (const button of document.querySelectorAll("[data-settle]"))
      button.addEventListener("click", () => this.settle(button.dataset.settle));
    for (const button of document.querySelectorAll("[data-forget]")) {
      button.addEventListener("click", () => {
        dialog("refused").close();
        this.sync.forget({ all: button.dataset.forget === "all" });
      });
    }
    for (const button of dialog("over").querySelectorAll("[data-win]"))
      button.addEventListener("click", () => this.over(button));
    dialog("places")
      .querySelector("form")
      .addEventListener("submit", (event) => this.places(event));
    dialog("order")
      .querySelector("form")
      .addEventListener("submit", (event) => this.order(event));
    dialog("correct")
      .querySelector("form")
      .addEventListener("submit", (event) => this.correction(event));
    dialog("hand")
      ?.querySelector("form")
      .addEventListener("submit", (event) => this.hand(event));
    document.getElementById("house-form")?.addEventListener("submit", (event) => this.house(event));
  }

  /**
   * Fill a dialog from the view and show it in the place of any other.
   * @param {string} name
   * @param {any} value
   */
  open(name, value = null) {
    for (const other of document.querySelectorAll("dialog[open]")) other.close();
    this.fill[name]?.call(this, dialog(name), this.shown(), value);
    dialog(name).showModal();
  }

  /**
   * @param {HTMLSelectElement} select
   * @param {Ref[]} refs
   * @param {TableView} view
   * @param {Node[]} extra
   */
  choices(select, refs, view, extra = []) {
    const kept = select.value;
    select.replaceChildren(...extra, ...refs.map((ref) => option(ref, named(view, ref))));
    if ([...select.options].some(({ value }) => value === kept)) select.value = kept;
  }

  /**
   * @param {TableView} view
   * @param {string} kind
   */
  actions(view, kind) {
    return view.actions.filter((action) => action.kind === kind);
  }

  /** @type {Record<string, (this: Dialogs, found: HTMLDialogElement, view: any, value: any) => void>} */
  fill = {
    over(found, view) {
      found.querySelector("form").reset();
      for (const button of found.querySelectorAll("[data-win]")) {
        const mine = view.stakes_to_win?.[view.you]?.[this.way(button)];
        button.querySelector("[data-mine]").textContent = mine
          ? say("mine", { points: signed(mine.points) })
          : "";
      }
      found.querySelector("[data-box]").textContent = boxOf(view)
        ? named(view, boxOf(view))
        : say("role_box");
    },
    start(found, view) {
      const starts = this.actions(view, "game_start");
      const begin = (/** @type {{ body?: any }} */ row) => {
        found.close();
        this.record([{ kind: "game_start", body: {}, ...row }]);
      };
      const button = (/** @type {string} */ words, /** @type {object} */ row, /** @type {number} */ n) =>
        make(
          "button",
          { type: "button", class: "secondary", "data-does": `start-${n}`, onclick: () => begin(row) },
          words,
        );
      found.querySelector("[data-question]").textContent = say("who_partner");
      found
        .querySelector("[data-choices]")
        .replaceChildren(...starts.map((action, n) => button(action.label, { body: action.body }, n)));
    },
    ready(found, view) {
      const ready = view.actions.filter((/** @type {Action} */ action) => READY.includes(action.kind));
      const act = (/** @type {Action} */ action) => {
        found.close();
        this.record([{ kind: action.kind, body: action.body }]);
      };
      found
        .querySelector("[data-choices]")
        .replaceChildren(
          ...ready.map((/** @type {Action} */ action) =>
            make("button", { type: "button", class: "secondary", onclick: () => act(action) }, action.label),
          ),
        );
    },
    settle: (found, view, key) => Dialogs.price(found, view, key),
    take_over(found, view, key) {
      Dialogs.price(found, view, key);
      this.choices(
        found.querySelector("select[name=by]"),
        this.actions(view, "take_over")[0]?.players ?? [],
        view,
      );
    },
    people(found, view) {
      for (const form of found.querySelectorAll("form[data-entry]")) {
        const action = this.actions(view, form.dataset.entry)[0];
        const players = action?.players?.length
          ? action.players
          : form.dataset.entry === "swap" && action
            ? view.players.filter(here).map((/** @type {Player} */ { ref }) => ref)
            : [];
        form.closest("details").hidden = !players.length;
        this.choices(form.querySelector("select[name=player]"), players, view);
        for (const other of form.querySelectorAll("select[name=other]")) this.choices(other, players, view);
        for (const proxy of form.querySelectorAll("select[name=proxy]"))
          this.choices(
            proxy,
            view.players
              .filter((/** @type {Player} */ { role }) => role !== "gone")
              .map((/** @type {Player} */ { ref }) => ref),
            view,
            [option("", say("nobody"))],
          );
      }
    },
    places(found, view) {
      const [action] = this.actions(view, "places");
      const dice = action?.dice ?? 1;
      const die = (/** @type {Ref} */ ref, /** @type {number} */ n) =>
        make(
          "div",
          {
            class: "pad dice",
            role: "radiogroup",
            "aria-label": say("die_of", { name: named(view, ref), number: n + 1 }),
          },
          ...[1, 2, 3, 4, 5, 6].map((value) =>
            make(
              "label",
              {},
              make("input", { type: "radio", name: `${ref} ${n}`, value, required: true }),
              make("span", {}, String(value)),
            ),
          ),
        );
      found
        .querySelector("[data-throws]")
        .replaceChildren(
          ...(view.throw_now ?? []).map((/** @type {Ref} */ ref) =>
            make(
              "fieldset",
              { "data-thrower": ref },
              make("legend", {}, named(view, ref)),
              ...Array.from({ length: dice }, (_none, n) => die(ref, n)),
            ),
          ),
        );
    },
    code(found, view) {
      if (!view.join) return;
      showCode(found, view.join);
      found.querySelector(".join-code").textContent = view.join.code;
      if (!view.join.renews || found.querySelector("[data-renew]")) return;
      const renew = make(
        "button",
        { type: "button", class: "secondary", "data-renew": "", onclick: () => this.renew(found) },
        say("renew_code"),
      );
      found.querySelector(".actions").prepend(renew);
    },
    hand(found, view) {
      found.querySelector("[data-problem]")?.remove();
      found.querySelector("[data-opened]").hidden = true;
      this.choices(found.querySelector("select[name=player]"), view.hands ?? [], view);
    },
    order(found, view) {
      this.line = view.players.filter(here).map((/** @type {Player} */ { ref }) => ref);
      this.drawOrder(found, view);
    },
    rules(found) {
      found.querySelector("form")?.reset();
    },
    correct: (found) => found.querySelector("[data-problem]")?.remove(),
  };

  /**
   * @param {HTMLDialogElement} found
   * @param {TableView} view
   * @param {string} key
   */
  static price(found, view, key) {
    found.querySelector("form").reset();
    const cube = view.game.cubes.find((each) => each.key === key);
    found.querySelector("input[name=cube]").value = key;
    found.querySelector("[data-what]").textContent = cube?.words || named(view, key);
    for (const place of found.querySelectorAll("[data-holder]"))
      place.textContent = named(view, cube?.holder ?? key);
  }

  /**
   * @param {HTMLDialogElement} found
   * @param {TableView} view
   */
  drawOrder(found, view) {
    const move = (/** @type {number} */ at) => () => {
      [this.line[at - 1], this.line[at]] = [this.line[at], this.line[at - 1]];
      this.drawOrder(found, view);
      found.querySelectorAll("[data-up]")[Math.max(at - 1, 1) - 1]?.focus();
    };
    const role = (/** @type {number} */ at) =>
      at === 0 ? say("role_box") : at === 1 ? say("role_captain") : "";
    found.querySelector("[data-order]").replaceChildren(
      ...this.line.map((ref, at) =>
        make(
          "li",
          {},
          make("span", {}, named(view, ref), " ", make("span", { class: "role" }, role(at))),
          at
            ? make(
                "button",
                {
                  type: "button",
                  class: "secondary",
                  "data-up": "",
                  onclick: move(at),
                  "aria-label": say("move_up", { name: named(view, ref) }),
                },
                "↑",
              )
            : null,
        ),
      ),
    );
  }

  // Recording ----------------------------------------------------------------------------------------------------

  /** @param {HTMLElement} button */
  way(button) {
    const { dataset } = button;
    return `${dataset.winner === "box" ? "box" : "team"}_${WINS[Number(dataset.win) - 1]}`;
  }

  /** @param {HTMLElement} button */
  over(button) {
    const { winner, win } = button.dataset;
    const resigned = fieldsOf(dialog("over").querySelector("form")).resigned;
    dialog("over").close();
    this.record([
      {
        kind: "game_over",
        body: { box_won: winner === "box", win: Number(win), ...(resigned ? { ended: "resignation" } : {}) },
      },
    ]);
  }

  /**
   * @param {SubmitEvent} event
   * @param {HTMLFormElement} form
   */
  submit(event, form) {
    event.preventDefault();
    const fields = fieldsOf(form);
    if (fields.member) fields.label = fields.member_name;
    else if (form.dataset.entry === "join" && fields.member_name?.trim())
      return fieldOf(form, "member_name").focus();
    else if (form.dataset.entry === "join" && !fields.name.trim()) return fieldOf(form, "name").focus();
    const entries = entriesOf(form.dataset.entry, fields, this.config.decimals).map((entry) => ({
      ...entry,
      label: fields.label,
    }));
    form.closest("dialog").close();
    form.reset();
    this.record(entries);
    return undefined;
  }

  /** @param {SubmitEvent} event */
  places(event) {
    event.preventDefault();
    const throws = [...event.target.querySelectorAll("[data-thrower]")].map((set) => ({
      player: set.dataset.thrower,
      dice: [...set.querySelectorAll("input[type=radio]")]
        .filter((die) => die.matches(":checked"))
        .map(({ value }) => Number(value)),
    }));
    dialog("places").close();
    this.record([{ kind: "places", body: { throws } }]);
  }

  /** @param {SubmitEvent} event */
  order(event) {
    event.preventDefault();
    dialog("order").close();
    this.record([{ kind: "order", body: { players: this.line } }]);
  }

  /**
   * Another code: the old one opens the table no more.
   * @param {HTMLDialogElement} found
   */
  async renew(found) {
    const form = found.querySelector("form");
    found.querySelector("[data-problem]")?.remove();
    if (await this.sync.send(this.sync.urls.code, {})) this.fill.code.call(this, found, this.shown(), null);
    else this.fail(form, this.problem());
  }

  /**
   * A guest's seat is opened for another phone: the link is shown once, here.
   * @param {SubmitEvent} event
   */
  async hand(event) {
    event.preventDefault();
    const form = event.target;
    const found = dialog("hand");
    found.querySelector("[data-problem]")?.remove();
    const opened = await this.sync.send(this.sync.urls.seats, {
      player: fieldsOf(form).player,
      key: newKey(),
    });
    if (!opened) {
      this.fail(form, this.problem());
      return;
    }
    showCode(found, opened);
    found.querySelector("[data-opened]").hidden = false;
    await this.sync.refresh();
  }

  problem() {
    const { notice } = this.sync;
    return notice?.words ?? say(notice?.name ?? "needs_line", notice?.values);
  }

  /** @param {SubmitEvent} event */
  house(event) {
    event.preventDefault();
    const { house } = fieldsOf(event.target);
    dialog("rules").close();
    this.record([{ kind: "options", body: this.config.houses[house] }]);
  }

  // Two wrote at once, or something did not fit ------------------------------------------------------------------

  draw() {
    const { conflict, refused } = this.sync;
    document.querySelector("[data-part=conflict-open]").hidden = !conflict;
    if (conflict && this.drawnConflict !== conflict) {
      this.drawnConflict = conflict;
      const list = (/** @type {string[]} */ rows) =>
        rows.map((words, n) => make("li", { class: n ? "" : "differs" }, words));
      dialog("conflict")
        .querySelector("[data-theirs]")
        .replaceChildren(...list(conflict.shown.map((line) => line.words)));
      dialog("conflict")
        .querySelector("[data-mine]")
        .replaceChildren(...list(conflict.mine.map((row) => row.words)));
      this.open("conflict");
    }
    if (!conflict && dialog("conflict").open) dialog("conflict").close();
    if (refused && this.drawnRefused !== refused) {
      this.drawnRefused = refused;
      this.refused();
    }
  }

  refused() {
    const { row, detail } = this.sync.refused;
    const found = dialog("refused");
    found.querySelector("[data-what]").textContent = row.words;
    found.querySelector("[data-why]").textContent = detail;
    const later = this.sync.queue.length - 1;
    found.querySelector("[data-later]").textContent = later > 0 ? say("refused_later", { count: later }) : "";
    found.querySelector("[data-forget=all]").hidden = later < 1;
    this.open("refused");
  }

  /** @param {string} choice */
  async settle(choice) {
    dialog("conflict").close();
    await this.sync.settle(choice);
  }

  // Corrections --------------------------------------------------------------------------------------------------

  /** @param {Line} line */
  correct(line) {
    this.line_ = line;
    const found = dialog("correct");
    const form = found.querySelector("form");
    form.reset();
    found.querySelector("[data-what]").textContent = line.words;
    form.querySelector("[data-cut]").hidden = true;
    const { kind, body } = line;
    const view = this.shown();
    for (const set of form.querySelectorAll("fieldset[data-of]")) {
      set.hidden = !set.dataset.of.split(" ").includes(kind);
      set.disabled = set.hidden;
    }
    const set = (/** @type {string} */ name, /** @type {string} */ value) => {
      /** @type {HTMLInputElement | RadioNodeList} */ (form.elements.namedItem(name)).value = value;
    };
    if (kind === "game_over") {
      set("winner", body.box_won ? "box" : "team");
      set("win", String(body.win));
      set("ended", body.ended ?? "borne_off");
    } else if (kind === "answer") {
      const answers = [
        ...(body.takes ?? []).map((/** @type {string} */ key) => [key, "take"]),
        ...(body.passes ?? []).map((/** @type {string} */ key) => [key, "pass"]),
      ];
      const select = (/** @type {string[]} */ [key, word]) => {
        const choose = make(
          "select",
          { name: `answer ${key}` },
          option("take", say("take")),
          option("pass", say("pass")),
        );
        choose.value = word;
        return make(
          "label",
          {},
          key
            .split(">")
            .map((ref) => named(view, ref))
            .join(" – "),
          choose,
        );
      };
      form.querySelector("[data-answers-of]").replaceChildren(...answers.map(select));
    } else if (["settle", "take_over"].includes(kind)) {
      set("points", String(body.points));
    } else if (["stake", "join"].includes(kind)) {
      set("stake", (body.stake / 10 ** this.config.decimals).toFixed(this.config.decimals));
    }
    this.editSet(form).replaceChildren(...editFields(kind, body, view));
    this.open("correct");
  }

  /**
   * Where the fields of kinds without a set of their own in the page are shown.
   * @param {HTMLFormElement} form
   */
  editSet(form) {
    let found = form.querySelector("[data-edit]");
    if (!found) {
      found = make("fieldset", { class: "bare", "data-edit": "" });
      form.prepend(found);
    }
    return found;
  }

  /**
   * @param {Record<string, string>} fields
   * @param {HTMLFormElement} form
   */
  corrected(fields, form) {
    const { kind, body } = this.line_;
    if (fields.away) return { kind: "nothing", body: {} };
    if (kind === "game_over")
      return {
        kind,
        body: {
          box_won: fields.winner === "box",
          win: Number(fields.win),
          ...(fields.ended === "borne_off" ? {} : { ended: fields.ended }),
        },
      };
    if (kind === "answer") {
      const keys = (/** @type {string} */ word) =>
        Object.entries(fields)
          .filter(([name, value]) => name.startsWith("answer ") && value === word)
          .map(([name]) => name.slice(7));
      return { kind, body: { by: body.by, takes: keys("take"), passes: keys("pass") } };
    }
    if (["settle", "take_over"].includes(kind))
      return { kind, body: { ...body, points: Number(fields.points) } };
    if (["stake", "join"].includes(kind))
      return { kind, body: { ...body, stake: minorOf(fields.stake, this.config.decimals) } };
    const typed = edited(kind, form, body);
    return typed && { kind, body: typed };
  }

  /** @param {SubmitEvent} event */
  async correction(event) {
    event.preventDefault();
    const form = event.target;
    const fields = fieldsOf(form);
    const entry = this.corrected(fields, form);
    if (!entry) {
      this.fail(form, say("only_away"));
      return;
    }
    const { seq } = this.line_;
    const done = await this.sync.send(this.sync.urls.correct, {
      after: this.sync.view.seq,
      key: newKey(),
      seq,
      ...entry,
      reason: fields.why,
      cut: event.submitter?.getAttribute("value") === "cut",
    });
    const broken = this.sync.answer?.data?.does_not_fit;
    if (done) {
      dialog("correct").close();
    } else if (broken) {
      this.fail(form, say("does_not_fit", { line: broken.line?.words ?? broken.seq, reason: broken.reason }));
      form.querySelector("[data-cut]").hidden = false;
    } else {
      this.fail(form, this.problem());
    }
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
}
