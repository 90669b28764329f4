// The form in which a match is typed line by line, and the refused line beside it.

import { legalSequences } from "../rules/plays.js";
import { readingsIn } from "./asking.js";
import { fieldOf } from "./dialog.js";
import { notation } from "./play.js";
import { timeIn, Transcription, UNREACHED } from "./transcription.js";
import { followVideo } from "./video_times.js";
import { asSentence, make, newKey, say } from "./words.js";

/**
 * @typedef {import("./sync.js").Sync} Sync
 * @typedef {import("./transcription.js").Line} Line
 * @typedef {import("./transcription.js").Refusal} Refusal
 */

export class Transcribing {
  /** @type {Refusal | null} */
  drawn = null;

  /**
   * @param {object} parts
   * @param {Sync} parts.sync
   * @param {HTMLFormElement} parts.form where lines are typed
   * @param {() => import("./game.js").SheetView} parts.shown
   * @param {() => void} parts.render
   */
  constructor({ sync, form, shown, render }) {
    this.sync = sync;
    this.form = form;
    this.render = render;
    this.shown = shown;
    // What completes a line is loaded once someone types: few do.
    fieldOf(form, "text").addEventListener("focus", () => this.loadCompletions(), { once: true });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit();
    });
    this.waiting = make("p", { class: "muted small" });
    this.transcription = new Transcription({
      send: (line) => this.send(line),
      changed: () => this.draw(),
      newKey,
      keep: (lines) => this.keep(lines),
    });
    this.transcription.hold(this.kept());
    document.addEventListener("midpoint:unsent", () => sync.online && this.transcription.goOn());
  }

  loadCompletions() {
    const later = /** @type {HTMLTemplateElement | null} */ (document.getElementById("completions-later"));
    if (!later) return;
    document.head.append(later.content.cloneNode(true));
    this.form.addEventListener("midpoint:completes", () => this.complete());
  }

  /** Tell completing.js what the next line goes on from: nobody knows while one is on its way or waits to be corrected. */
  complete() {
    const { isSending, refused, isHeld } = this.transcription;
    const game = isSending || refused || isHeld ? null : this.shown().game;
    this.form.dispatchEvent(new CustomEvent("midpoint:game", { detail: { game, legalSequences, notation } }));
  }

  /** Where this tab keeps typed lines until they are entered, for who typed them. */
  get place() {
    return `midpoint:typed:${this.sync.match}:${this.sync.writer?.ref ?? ""}`;
  }

  /** @returns {Line[]} what was typed before the page was loaded again */
  kept() {
    try {
      return JSON.parse(sessionStorage.getItem(this.place) ?? "[]");
    } catch (error) {
      console.warn("typed lines cannot be read on this device", error);
      return [];
    }
  }

  /** @param {Line[]} lines */
  keep(lines) {
    try {
      if (lines.length) sessionStorage.setItem(this.place, JSON.stringify(lines));
      else sessionStorage.removeItem(this.place);
    } catch (error) {
      console.warn("typed lines cannot be kept on this device", error); // they are sent all the same
    }
  }

  async submit() {
    const field = fieldOf(this.form, "text");
    const text = field.value.trim();
    if (!text) return;
    field.value = "";
    await this.transcription.add(text);
    this.complete();
  }

  /**
   * @param {Line} line
   * @returns {Promise<Refusal | typeof UNREACHED | null>}
   */
  async send({ text, key }) {
    const { sync } = this;
    const data = await sync.send(sync.urls.text, { after: sync.view.seq, key, text });
    if (data) {
      const time = timeIn(text);
      if (time) followVideo(time);
      return null;
    }
    const isUnreached = sync.notice?.name === "needs_line";
    const problem = asSentence(sync.takeNotice());
    if (isUnreached) return UNREACHED;
    return { text, problem, readings: readingsIn(sync.answer?.data) };
  }

  draw() {
    const { refused, lines, isHeld } = this.transcription;
    const place = this.form.querySelector("[data-readings]");
    if (!refused) place.replaceChildren(...(isHeld ? [this.waiting] : []));
    if (this.drawn !== refused) {
      this.drawn = refused;
      if (refused) place.replaceChildren(...this.correcting(refused));
      if (refused) this.render();
      else fieldOf(this.form, "text").focus();
    }
    const name = isHeld ? "typed_unsent" : "later_entries";
    this.waiting.textContent = lines.length ? say(name, { count: lines.length }) : "";
  }

  /**
   * The refused line, to be corrected or left out; the field for new lines stays where it is.
   * @param {Refusal} refused
   */
  correcting({ text, problem, readings }) {
    const answer = (/** @type {string} */ line) => this.transcription.answer(line);
    const input = make("input", {
      class: "notation grow",
      value: text,
      autocomplete: "off",
      spellcheck: "false",
      "aria-label": say("typed_again"),
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        answer(input.value.trim());
      },
    });
    const again = () => answer(input.value.trim());
    const choices = readings.map((reading) =>
      make(
        "button",
        { type: "button", class: "secondary", onclick: () => answer(reading.text) },
        reading.words,
      ),
    );
    return [
      make("p", { class: "problem", role: "alert" }, problem),
      make(
        "div",
        { class: "dock-row" },
        input,
        make("button", { type: "button", onclick: again }, say("enter_again")),
        make("button", { type: "button", class: "plain", onclick: () => answer("") }, say("leave_out")),
      ),
      make("div", { class: "choices" }, ...choices),
      this.waiting,
    ];
  }
}
