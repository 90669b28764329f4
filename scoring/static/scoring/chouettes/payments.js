// The payments that settle a night: mark one as paid, or take that back.

import { dialog, fail, forgetProblem } from "../sheets/dialog.js";
import { DoubleTaps } from "../sheets/double_taps.js";
import { icon, make, newKey, say } from "../sheets/words.js";
import { formats } from "../../clubs/formats.js";

/**
 * @typedef {import("./projection.js").Entry} Entry
 * @typedef {import("./projection.js").Payment} Payment
 * @typedef {import("../sheets/words.js").Child} Child
 */

/** @type {(payment: Payment) => string} who recorded it and when; "" for an entry that waits on this phone */
const recorded = ({ at, by }) => (at ? [formats().timeOfDay(at), by].filter(Boolean).join(" · ") : "");

export class Payments {
  drawn = "";
  /** @type {Payment | null} the one that the dialog is about */
  asked = null;

  /**
   * @param {object} parts
   * @param {HTMLElement} parts.host
   * @param {import("../sheets/sync.js").Sync} parts.sync
   * @param {(entries: Entry[]) => Promise<void>} parts.record
   * @param {(name: string) => void} parts.open opens a dialog
   */
  constructor({ host, sync, record, open }) {
    this.host = host;
    this.sync = sync;
    this.record = record;
    this.open = open;
    this.taps = new DoubleTaps();
  }

  /**
   * Rows that stay the same stay in place, under the finger.
   * @param {Payment[]} payments
   * @param {boolean} writes
   */
  draw(payments, writes) {
    const told = JSON.stringify([payments, writes]);
    if (told === this.drawn) return;
    this.drawn = told;
    const focused = this.host.contains(document.activeElement) ? document.activeElement?.id : "";
    this.host.replaceChildren(...payments.map((payment, n) => this.row(payment, n, writes)));
    if (focused) document.getElementById(focused)?.focus();
  }

  /**
   * @param {Payment} payment
   * @param {number} n
   * @param {boolean} writes
   */
  row(payment, n, writes) {
    const by = payment.paid ? recorded(payment) : "";
    return make(
      "li",
      { class: payment.paid ? "paid" : "" },
      make("p", { id: `paying-${n}` }, payment.words, by ? make("span", { class: "small muted" }, by) : null),
      payment.paid ? this.paid(payment, n, writes) : writes ? this.mark(payment, n) : null,
    );
  }

  /**
   * Its name says which payment it is about.
   * @param {number} n
   * @param {string} kind
   * @param {() => unknown} click
   * @param {Child[]} words
   */
  button(n, kind, click, ...words) {
    return make(
      "button",
      {
        type: "button",
        class: kind,
        id: `pay-${n}`,
        "aria-labelledby": `pay-${n} paying-${n}`,
        onclick: (/** @type {PointerEvent} */ event) => this.taps.isSecond(event) || click(),
      },
      ...words,
    );
  }

  /**
   * @param {Payment} payment
   * @param {number} n
   */
  mark({ payer, receiver, minor }, n) {
    const click = () => this.record([{ kind: "paid", body: { payer, receiver, minor } }]);
    return this.button(n, "secondary", click, say("mark_paid"));
  }

  /**
   * @param {Payment} payment
   * @param {number} n
   * @param {boolean} writes
   */
  paid(payment, n, writes) {
    const isUnsent = payment.seq === null;
    if (writes && !isUnsent)
      return this.button(n, "plain", () => this.ask(payment), icon("check"), say("paid"));
    return make("span", { class: "done" }, icon("check"), say(isUnsent ? "badge_unsent" : "paid"));
  }

  /** @param {Payment} payment */
  ask(payment) {
    this.asked = payment;
    const found = dialog("paid");
    found.querySelector("[data-what]").textContent = payment.words;
    found.querySelector("[data-by]").textContent = recorded(payment);
    forgetProblem(found);
    this.open("paid");
  }

  /** @param {SubmitEvent} event */
  async takeBack(event) {
    event.preventDefault();
    if (!this.asked) return;
    const { sync } = this;
    const done = await sync.send(sync.urls.correct, {
      after: sync.view.seq,
      key: newKey(),
      seq: this.asked.seq,
      kind: "nothing",
      body: {},
      reason: say("not_paid_after_all"),
    });
    if (done) dialog("paid").close();
    else fail(/** @type {HTMLFormElement} */ (event.target), sync.takeNotice());
  }
}
