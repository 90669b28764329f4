// What takes more than a tap: the end of a game, places, people, prices, corrections, conflicts. Forms in dialogs of the page.

import { READY } from "./dock.js";
import { edited, editFields } from "./edits.js";
import { boxOf, here, named } from "./projection.js";
import { signed } from "./seats.js";
import { make, newKey, say } from "../sheets/words.js";

const dialog = (name) => document.getElementById(`dialog-${name}`);
const fieldsOf = (form) => Object.fromEntries(new FormData(form));
const option = (value, words) => make("option", { value }, words);

/** A form's price: what one side gets, or pays. */
const price = ({ points, direction }) => (direction === "pays" ? -Number(points) : Number(points));

/** An address as a QR code, which the server has drawn, and as a link. */
const showCode = (found, { qr, url }) => {
  const drawn = document.createElement("template");
  drawn.innerHTML = qr;
  found.querySelector(".qr").replaceChildren(drawn.content);
  const link = found.querySelector("p a");
  link.href = url;
  link.textContent = url;
};

// Minor units of what was typed: "2.50" or "2,50" at two decimals.
export const minorOf = (text, decimals) => Math.round(Number(String(text).replace(",", ".")) * 10 ** decimals);

// The name of a newcomer in the log: nobody else's, and nothing about the person (clubs/refs.py).
const ALPHABET = "23456789abcdefghjkmnpqrstvwxyz";
const newRef = () => [...crypto.getRandomValues(new Uint8Array(64))].filter((byte) => byte < 240).slice(0, 10).map((byte) => ALPHABET[byte % 30]).join("");

const joined = (f, decimals) => {
  const player = newRef();
  const who = f.member ? { member: f.member } : { name: f.name.trim() };
  return [
    { kind: "join", body: { player, stake: minorOf(f.stake ?? "0", decimals), ...who } },
    { kind: "agree", body: { player } },
  ];
};

// What each form of the page records. Whether it may be recorded is for the server to say.
const ENTRIES = (decimals) => ({
  join: (f) => joined(f, decimals),
  settle: (f) => ({ kind: "settle", body: { cube: f.cube, points: price(f) } }),
  take_over: (f) => ({ kind: "take_over", body: { cube: f.cube, by: f.by, points: price(f) } }),
  sit_out: (f) => ({ kind: "sit_out", body: { player: f.player } }),
  come_back: (f) => ({ kind: "come_back", body: { player: f.player } }),
  leave: (f) => ({ kind: "leave", body: { player: f.player } }),
  agree: (f) => ({ kind: "agree", body: { player: f.player } }),
  stake: (f) => ({ kind: "stake", body: { player: f.player, stake: minorOf(f.stake, decimals) } }),
  proxy: (f) => ({ kind: "proxy", body: f.proxy ? { player: f.player, proxy: f.proxy } : { player: f.player } }),
  swap: (f) => ({ kind: "swap", body: { one: f.player, other: f.other } }),
  chouette_end: () => ({ kind: "chouette_end", body: {} }),
});

const WINS = ["single", "gammon", "backgammon"];

export class Dialogs {
  /** `parts`: sync, record(entries), shown(), known(), config. */
  constructor(parts) {
    Object.assign(this, parts);
    this.entries = ENTRIES(this.config.decimals);
    for (const form of document.querySelectorAll("form[data-entry]")) form.addEventListener("submit", (event) => this.submit(event, form));
    for (const button of document.querySelectorAll("[data-close]")) button.addEventListener("click", () => button.closest("dialog").close());
    for (const button of document.querySelectorAll("[data-shows]")) button.addEventListener("click", () => this.open(button.dataset.shows));
    for (const button of document.querySelectorAll("[data-settle]")) button.addEventListener("click", () => this.settle(button.dataset.settle));
    for (const button of document.querySelectorAll("[data-forget]")) {
      button.addEventListener("click", () => {
        dialog("refused").close();
        this.sync.forget({ all: button.dataset.forget === "all" });
      });
    }
    for (const button of dialog("over").querySelectorAll("[data-win]")) button.addEventListener("click", () => this.over(button));
    dialog("places").querySelector("form").addEventListener("submit", (event) => this.places(event));
    dialog("order").querySelector("form").addEventListener("submit", (event) => this.order(event));
    dialog("correct").querySelector("form").addEventListener("submit", (event) => this.correction(event));
    dialog("hand")?.querySelector("form").addEventListener("submit", (event) => this.hand(event));
    document.getElementById("house-form")?.addEventListener("submit", (event) => this.house(event));
  }

  /** Fill a dialog from the view and show it in the place of any other. */
  open(name, value = null) {
    for (const other of document.querySelectorAll("dialog[open]")) other.close();
    this.fill[name]?.call(this, dialog(name), this.shown(), value);
    dialog(name).showModal();
  }

  choices(select, refs, view, extra = []) {
    const kept = select.value;
    select.replaceChildren(...extra, ...refs.map((ref) => option(ref, named(view, ref))));
    if ([...select.options].some(({ value }) => value === kept)) select.value = kept;
  }

  actions(view, kind) {
    return view.actions.filter((action) => action.kind === kind);
  }

  fill = {
    over(found, view) {
      found.querySelector("form").reset();
      for (const button of found.querySelectorAll("[data-win]")) {
        const mine = view.stakes_to_win?.[view.you]?.[this.way(button)];
        button.querySelector("[data-mine]").textContent = mine ? say("mine", { points: signed(mine.points) }) : "";
      }
      found.querySelector("[data-box]").textContent = boxOf(view) ? named(view, boxOf(view)) : say("role_box");
    },
    start(found, view) {
      const starts = this.actions(view, "game_start");
      const begin = (row) => {
        found.close();
        this.record([{ kind: "game_start", body: {}, ...row }]);
      };
      const button = (words, row, n) => make("button", { type: "button", class: "secondary", "data-does": `start-${n}`, onclick: () => begin(row) }, words);
      found.querySelector("[data-question]").textContent = say("who_partner");
      found.querySelector("[data-choices]").replaceChildren(...starts.map((action, n) => button(action.label, { body: action.body }, n)));
    },
    ready(found, view) {
      const ready = view.actions.filter((action) => READY.includes(action.kind));
      const act = (action) => {
        found.close();
        this.record([{ kind: action.kind, body: action.body }]);
      };
      found.querySelector("[data-choices]").replaceChildren(...ready.map((action) => make("button", { type: "button", class: "secondary", onclick: () => act(action) }, action.label)));
    },
    settle: (found, view, key) => Dialogs.price(found, view, key),
    take_over(found, view, key) {
      Dialogs.price(found, view, key);
      this.choices(found.querySelector("[name=by]"), this.actions(view, "take_over")[0]?.players ?? [], view);
    },
    people(found, view) {
      for (const form of found.querySelectorAll("form[data-entry]")) {
        const action = this.actions(view, form.dataset.entry)[0];
        const players = action?.players?.length ? action.players : form.dataset.entry === "swap" && action ? view.players.filter(here).map(({ ref }) => ref) : [];
        form.closest("details").hidden = !players.length;
        this.choices(form.querySelector("[name=player]"), players, view);
        for (const other of form.querySelectorAll("[name=other]")) this.choices(other, players, view);
        for (const proxy of form.querySelectorAll("[name=proxy]")) this.choices(proxy, view.players.filter(({ role }) => role !== "gone").map(({ ref }) => ref), view, [option("", say("nobody"))]);
      }
    },
    places(found, view) {
      const [action] = this.actions(view, "places");
      const dice = action?.dice ?? 1;
      const die = (ref, n) =>
        make("div", { class: "pad dice", role: "radiogroup", "aria-label": say("die_of", { name: named(view, ref), number: n + 1 }) }, ...[1, 2, 3, 4, 5, 6].map((value) => make("label", {}, make("input", { type: "radio", name: `${ref} ${n}`, value, required: true }), make("span", {}, String(value)))));
      found.querySelector("[data-throws]").replaceChildren(...(view.throw_now ?? []).map((ref) => make("fieldset", { "data-thrower": ref }, make("legend", {}, named(view, ref)), ...Array.from({ length: dice }, (_none, n) => die(ref, n)))));
    },
    code(found, view) {
      if (!view.join) return;
      showCode(found, view.join);
      found.querySelector(".join-code").textContent = view.join.code;
      if (!view.join.renews || found.querySelector("[data-renew]")) return;
      const renew = make("button", { type: "button", class: "secondary", "data-renew": "", onclick: () => this.renew(found) }, say("renew_code"));
      found.querySelector(".actions").prepend(renew);
    },
    hand(found, view) {
      found.querySelector("[data-problem]")?.remove();
      found.querySelector("[data-opened]").hidden = true;
      this.choices(found.querySelector("[name=player]"), view.hands ?? [], view);
    },
    order(found, view) {
      this.line = view.players.filter(here).map(({ ref }) => ref);
      this.drawOrder(found, view);
    },
    rules(found) {
      found.querySelector("form")?.reset();
    },
    correct: (found) => found.querySelector("[data-problem]")?.remove(),
  };

  static price(found, view, key) {
    found.querySelector("form").reset();
    const cube = view.game.cubes.find((each) => each.key === key);
    found.querySelector("[name=cube]").value = key;
    found.querySelector("[data-what]").textContent = cube?.words || named(view, key);
    for (const place of found.querySelectorAll("[data-holder]")) place.textContent = named(view, cube?.holder ?? key);
  }

  drawOrder(found, view) {
    const move = (at) => () => {
      [this.line[at - 1], this.line[at]] = [this.line[at], this.line[at - 1]];
      this.drawOrder(found, view);
      found.querySelectorAll("[data-up]")[Math.max(at - 1, 1) - 1]?.focus();
    };
    const role = (at) => (at === 0 ? say("role_box") : at === 1 ? say("role_captain") : "");
    found.querySelector("[data-order]").replaceChildren(
      ...this.line.map((ref, at) =>
        make("li", {}, make("span", {}, named(view, ref), " ", make("span", { class: "role" }, role(at))), at ? make("button", { type: "button", class: "secondary", "data-up": "", onclick: move(at), "aria-label": say("move_up", { name: named(view, ref) }) }, "↑") : null),
      ),
    );
  }

  // Recording ----------------------------------------------------------------------------------------------------

  way({ dataset }) {
    return dataset.winner === "box" ? `box_${WINS[dataset.win - 1]}` : `team_${WINS[dataset.win - 1]}`;
  }

  over(button) {
    const { winner, win } = button.dataset;
    const resigned = fieldsOf(dialog("over").querySelector("form")).resigned;
    dialog("over").close();
    this.record([{ kind: "game_over", body: { box_won: winner === "box", win: Number(win), ...(resigned ? { ended: "resignation" } : {}) } }]);
  }

  submit(event, form) {
    event.preventDefault();
    const fields = fieldsOf(form);
    if (fields.member) fields.label = fields.member_name;
    else if (form.dataset.entry === "join" && fields.member_name?.trim()) return form.elements.member_name.focus();
    else if (form.dataset.entry === "join" && !fields.name.trim()) return form.elements.name.focus();
    const entries = [this.entries[form.dataset.entry](fields)].flat().map((entry) => ({ ...entry, label: fields.label }));
    form.closest("dialog").close();
    form.reset();
    this.record(entries);
    return undefined;
  }

  places(event) {
    event.preventDefault();
    const throws = [...event.target.querySelectorAll("[data-thrower]")].map((set) => ({ player: set.dataset.thrower, dice: [...set.querySelectorAll("input:checked")].map(({ value }) => Number(value)) }));
    dialog("places").close();
    this.record([{ kind: "places", body: { throws } }]);
  }

  order(event) {
    event.preventDefault();
    dialog("order").close();
    this.record([{ kind: "order", body: { players: this.line } }]);
  }

  /** Another code: the old one opens the table no more. */
  async renew(found) {
    const form = found.querySelector("form");
    found.querySelector("[data-problem]")?.remove();
    if (await this.sync.send(this.sync.urls.code, {})) this.fill.code.call(this, found, this.shown());
    else this.fail(form, this.problem());
  }

  /** A guest's seat is opened for another phone: the link is shown once, here. */
  async hand(event) {
    event.preventDefault();
    const form = event.target;
    const found = dialog("hand");
    found.querySelector("[data-problem]")?.remove();
    const opened = await this.sync.send(this.sync.urls.seats, { player: fieldsOf(form).player, key: newKey() });
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
      const list = (rows) => rows.map((words, n) => make("li", { class: n ? "" : "differs" }, words));
      dialog("conflict").querySelector("[data-theirs]").replaceChildren(...list(conflict.shown.map((line) => line.words)));
      dialog("conflict").querySelector("[data-mine]").replaceChildren(...list(conflict.mine.map((row) => row.words)));
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

  async settle(choice) {
    dialog("conflict").close();
    await this.sync.settle(choice);
  }

  // Corrections --------------------------------------------------------------------------------------------------

  correct(line) {
    this.line_ = line;
    const found = dialog("correct");
    const form = found.querySelector("form");
    form.reset();
    found.querySelector("[data-what]").textContent = line.words;
    form.querySelector("[data-cut]").hidden = true;
    const { kind, body } = line;
    const view = this.shown();
    for (const set of form.querySelectorAll("[data-of]")) {
      set.hidden = !set.dataset.of.split(" ").includes(kind);
      set.disabled = set.hidden;
    }
    const set = (name, value) => (form.elements[name].value = value);
    if (kind === "game_over") {
      set("winner", body.box_won ? "box" : "team");
      set("win", String(body.win));
      set("ended", body.ended ?? "borne_off");
    } else if (kind === "answer") {
      const answers = [...(body.takes ?? []).map((key) => [key, "take"]), ...(body.passes ?? []).map((key) => [key, "pass"])];
      const select = ([key, word]) => {
        const choose = make("select", { name: `answer ${key}` }, option("take", say("take")), option("pass", say("pass")));
        choose.value = word;
        return make("label", {}, key.split(">").map((ref) => named(view, ref)).join(" – "), choose);
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

  /** Where the fields of kinds without a set of their own in the page are shown. */
  editSet(form) {
    let found = form.querySelector("[data-edit]");
    if (!found) {
      found = make("fieldset", { class: "bare", "data-edit": "" });
      form.prepend(found);
    }
    return found;
  }

  corrected(fields, form) {
    const { kind, body } = this.line_;
    if (fields.away) return { kind: "nothing", body: {} };
    if (kind === "game_over") return { kind, body: { box_won: fields.winner === "box", win: Number(fields.win), ...(fields.ended === "borne_off" ? {} : { ended: fields.ended }) } };
    if (kind === "answer") {
      const keys = (word) => Object.entries(fields).filter(([name, value]) => name.startsWith("answer ") && value === word).map(([name]) => name.slice(7));
      return { kind, body: { by: body.by, takes: keys("take"), passes: keys("pass") } };
    }
    if (["settle", "take_over"].includes(kind)) return { kind, body: { ...body, points: Number(fields.points) } };
    if (["stake", "join"].includes(kind)) return { kind, body: { ...body, stake: minorOf(fields.stake, this.config.decimals) } };
    const typed = edited(kind, form, body);
    return typed && { kind, body: typed };
  }

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
    const done = await this.sync.send(this.sync.urls.correct, { after: this.sync.view.seq, key: newKey(), seq, ...entry, reason: fields.why, cut: event.submitter?.value === "cut" });
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

  fail(form, words) {
    let place = form.querySelector("[data-problem]");
    if (!place) {
      place = make("p", { class: "problem", "data-problem": "", role: "alert" });
      form.prepend(place);
    }
    place.textContent = words;
  }
}
