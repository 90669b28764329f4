// The dock: buttons for the possible actions, or for the chosen cubes.

import { boxOf, here, named } from "./projection.js";
import { changesStakes, READY, stepsOf } from "./steps.js";
import { DoubleTaps } from "../sheets/double_taps.js";
import { icon, make, say } from "../sheets/words.js";

/**
 * @typedef {import("./actions.js").Action} Action
 * @typedef {import("./choice.js").Word} Word
 * @typedef {import("./game.js").Ref} Ref
 * @typedef {import("../sheets/words.js").Child} Child
 *
 * @typedef {object} DockState
 * @property {import("./projection.js").TableView} view
 * @property {import("./choice.js").Choice} choice
 * @property {boolean} writes
 * @property {{ kind: string, words: string } | null} pending the last unsent entry
 *
 * @typedef {object} Does what its buttons do
 * @property {(side: string) => void} choose
 * @property {(side: string) => Promise<void>} offer
 * @property {() => void} clear
 * @property {(word: Word) => void} all
 * @property {(rest: Word | null) => Promise<void>} answer
 * @property {(action: Action) => Promise<void>} act
 * @property {(action: Action) => void} ask asks once more before it records
 * @property {(dialog: string, value?: string) => void} open
 * @property {() => void} undo
 * @property {string} summary the address of the night's summary
 */

// Most one-tap actions beside doubles and answers; more are in a list, and the cubes stay in sight.
const MOST = 2;
// Most players called by name in a question; more are counted, their names are above.
const MOST_NAMED = 3;
const FEWEST_PLAYERS = 3;

/** @type {(names: string[]) => string} */
const list = (names) => new Intl.ListFormat(document.documentElement.lang).format(names);

export class Dock {
  /**
   * Recording returns a promise.
   * @param {HTMLElement} host
   * @param {Does} does
   */
  constructor(host, does) {
    this.host = host;
    this.does = does;
    /** @type {DockState | null} */
    this.state = null;
    this.taps = new DoubleTaps();
  }

  /**
   * Ignore the second of two quick taps in one place: it was meant for the button of the first.
   * @param {PointerEvent} event
   * @param {() => unknown} click
   */
  press(event, click) {
    if (!this.taps.isSecond(event)) click();
  }

  /** @param {DockState} state */
  draw(state) {
    const focused = this.host.contains(document.activeElement) ? document.activeElement.dataset.does : null;
    this.state = state;
    const parts = state.writes || state.view.status !== "open" ? this.parts() : [];
    this.host.replaceChildren(...parts.filter(Boolean));
    if (focused)
      (
        this.host.querySelector(`[data-does="${CSS.escape(focused)}"]`) ?? this.host.querySelector("button")
      )?.focus();
  }

  /** @param {string} kind */
  of(kind) {
    return this.state.view.actions.filter((action) => action.kind === kind);
  }

  /** @param {Ref[]} refs */
  names(refs) {
    return list([...new Set(refs)].map((ref) => named(this.state.view, ref)));
  }

  parts() {
    const { view, choice, writes } = this.state;
    if (view.status !== "open")
      return [this.line(say("closed"), writes ? this.takeBack() : null), this.row(this.summary())];
    if (!view.game) return this.between();
    if (choice.asks(view).length) return this.answering();
    if (choice.step) return this.confirming(choice.step);
    if (choice.cubes.size) return this.chosen();
    return this.playing();
  }

  /**
   * @param {string} words
   * @param {(Node | null)[]} controls
   */
  line(words, ...controls) {
    return make("div", { class: "dock-line" }, make("p", {}, words), ...controls);
  }

  /** The last entry, which *Undo* beside it takes back. */
  lastLine() {
    return make(
      "div",
      { class: "dock-line" },
      make("p", { class: "last" }, this.last()?.words ?? ""),
      this.takeBack(),
    );
  }

  /** @param {(Child | Child[])[]} buttons */
  row(...buttons) {
    const found = buttons.flat().filter(Boolean);
    return found.length ? make("div", { class: "dock-row" }, ...found) : null;
  }

  /**
   * @param {string} does
   * @param {string} words
   * @param {() => unknown} click
   * @param {string} kind
   */
  button(does, words, click, kind = "") {
    return make(
      "button",
      {
        type: "button",
        "data-does": does,
        class: `grow ${kind}`.trim(),
        onclick: (/** @type {PointerEvent} */ event) => this.press(event, click),
      },
      words,
    );
  }

  /**
   * The entry that *Undo* takes back.
   * @returns {{ kind: string, words: string } | undefined}
   */
  last() {
    const { view, pending } = this.state;
    const stays = ["chouette_start", "seat", "nothing"];
    return pending ?? view.lines.filter((line) => !line.undone && !stays.includes(line.kind)).at(-1);
  }

  takeBack() {
    const last = this.last();
    if (!last) return null;
    const words = say("take_back", { what: last.words });
    return make(
      "button",
      {
        type: "button",
        "data-does": "undo",
        class: "plain undo",
        onclick: (/** @type {PointerEvent} */ event) => this.press(event, this.does.undo),
        title: words,
        "aria-label": words,
      },
      icon("undo"),
      make("span", { "aria-hidden": "true" }, say("undo")),
    );
  }

  /** Games, totals and payments to share; none before the end of a game. */
  summary() {
    return (
      this.state.view.games.length > 0 &&
      make("a", { class: "button grow", "data-does": "summary", href: this.does.summary }, say("summary"))
    );
  }

  between() {
    const { view } = this.state;
    const starts = this.of("game_start");
    const seated = view.players.filter(here).length;
    const code = (/** @type {string} */ kind) =>
      this.button("code", say("show_code"), () => this.does.open("code"), kind);
    if (seated < FEWEST_PLAYERS && !starts.length)
      return [
        this.line(say("too_few", { count: seated, least: FEWEST_PLAYERS }), this.takeBack()),
        this.row(
          this.button("add", say("add_player"), () => this.does.open("join"), "secondary"),
          code(""),
        ),
      ];
    const places = [
      this.of("places").length && this.button("places", say("throw_places"), () => this.does.open("places")),
      this.of("order").length &&
        !view.placed &&
        this.button("order", say("agree_places"), () => this.does.open("order"), "secondary"),
    ];
    if (starts.length) {
      const plain = starts.find(({ body }) => !body.partner);
      // A partner of the box stays with it, and is not named again.
      const isKnown = starts.length === 1 || view.players.some(({ role }) => role === "partner");
      const next = plain && isKnown ? () => this.does.act(plain) : () => this.does.open("start");
      return [this.lastLine(), this.row(this.button("next", say("next_game"), next))];
    }
    const tied = (view.to_roll?.length ?? 0) < seated;
    const words = tied ? say("throws_now", { names: this.names(view.to_roll ?? []) }) : say("all_throw");
    return [this.line(words, this.takeBack()), this.row(...places, code("secondary"))];
  }

  playing() {
    const { view } = this.state;
    const box = boxOf(view);
    const side = (/** @type {string} */ name) => this.state.choice.possible(view, name, box).length > 0;
    const ready = READY.flatMap((kind) => this.of(kind));
    const moves = view.players.find(
      (player) => ["captain", "acting_captain"].includes(player.role) && player.still_in !== false,
    );
    const over = this.of("game_over").length > 0;
    const due = !over && view.refusals?.game_over;
    const seats = say("game_now", { box: box ? named(view, box) : "–", captain: moves?.name ?? "–" });
    const begins = this.last()?.kind === "game_start";
    const each = () =>
      ready.map((action, n) =>
        this.button(`ready-${action.kind}-${n}`, action.label, () => this.start(action), "secondary"),
      );
    const listed = () => {
      const kinds = new Set(ready.map(({ kind }) => say(`ready_${kind}`)));
      return this.button("ready-list", [...kinds].join(", "), () => this.does.open("ready"), "secondary");
    };
    return [
      due || begins ? this.line(due || seats, this.takeBack()) : this.lastLine(),
      this.row(ready.length > MOST ? listed() : each()),
      this.row(
        side("box") &&
          this.button("box-doubles", say("box_doubles"), () => this.does.choose("box"), "secondary"),
        side("crew") &&
          this.button("crew-doubles", say("crew_doubles"), () => this.does.choose("crew"), "secondary"),
        over && this.button("game-over", say("game_over"), () => this.does.open("over")),
      ),
    ];
  }

  /** @param {Action} action */
  start(action) {
    return changesStakes(action) ? this.does.ask(action) : this.does.act(action);
  }

  /**
   * Two answers of unlike shape at opposite edges, below the button that was tapped.
   * @param {Action} action
   */
  confirming(action) {
    const { words, value } = stepsOf(this.state.view, action);
    return [
      this.line([action.label, ...words].join(" · ")),
      this.edges(
        this.edge("clear", "stop", say("cancel"), this.does.clear),
        value && make("span", { class: "cube-face", "aria-hidden": "true" }, String(value)),
        this.edge("confirm", "go", say(`confirm_${action.kind}`), () => this.does.act(action)),
      ),
    ];
  }

  /** @param {Child[]} buttons */
  edges(...buttons) {
    return make("div", { class: "dock-edges" }, ...buttons);
  }

  /**
   * A button at an edge of the dock, known by its shape: "stop" dashed with a cross, "go" round with a tick.
   * @param {string} does
   * @param {"stop" | "go"} shape
   * @param {string} words
   * @param {() => unknown} click
   */
  edge(does, shape, words, click) {
    return make(
      "button",
      {
        type: "button",
        "data-does": does,
        class: `edge-${shape}`,
        onclick: (/** @type {PointerEvent} */ event) => this.press(event, click),
      },
      icon(shape === "go" ? "check" : "close"),
      make("span", {}, words),
    );
  }

  chosen() {
    const { view, choice } = this.state;
    const box = boxOf(view);
    const offer = (/** @type {string} */ side) => {
      const offers = choice.offers(view, side, box);
      const names = this.names(offers.map(({ by }) => by));
      return offers.length
        ? this.button(
            `offer-${side}`,
            offers.length > MOST_NAMED
              ? say("many_double", { count: offers.length })
              : say(offers.length > 1 ? "they_double" : "doubles", { name: names, names }),
            () => this.does.offer(side),
          )
        : null;
    };
    const sale = (/** @type {string} */ kind, /** @type {string} */ word) => {
      const [key] = choice.cubes;
      const isOffered = this.of(kind).some(({ cubes }) => cubes.includes(key));
      return choice.side === null && choice.cubes.size === 1 && isOffered
        ? this.button(kind, say(word), () => this.does.open(kind, key), "secondary")
        : null;
    };
    const buttons = [offer("box"), offer("crew")];
    const others = [
      sale("settle", "settle"),
      sale("take_over", "take_over"),
      this.button("clear", say("cancel"), this.does.clear, "secondary"),
    ];
    const nothing = buttons.every((button) => !button)
      ? (view.refusals?.offer ?? say("no_double"))
      : say("chosen", { count: choice.cubes.size });
    return [this.line(nothing, this.takeBack()), this.row(buttons), this.row(others)];
  }

  answering() {
    const { view, choice } = this.state;
    const asked = choice.asks(view);
    const people = this.names(asked.map(({ by }) => by[0]));
    const cubes = asked.flatMap((each) => each.cubes);
    const open = cubes.filter((key) => !choice.answers.has(key)).length;
    const replies = choice.replies(view);
    const record =
      replies.length && replies.every(({ whole }) => whole)
        ? this.button("record", this.told(replies), () => this.does.answer(null))
        : null;
    const rest = (/** @type {Word} */ word) =>
      this.button(`rest-${word}`, say(`rest_${word}`), () => this.does.answer(word), "secondary");
    const said = new Set(choice.answers.values());
    const each = (/** @type {Word} */ word) => {
      const [words, click] =
        cubes.length === 1
          ? [say(word), () => this.does.answer(word)]
          : [say(`all_${word}`), () => this.does.all(word)];
      return this.edge(`all-${word}`, word === "take" ? "go" : "stop", words, click);
    };
    const values = new Set(
      view.game.cubes.filter(({ key }) => cubes.includes(key)).map(({ offered }) => offered?.value),
    );
    const value = values.size === 1 ? [...values][0] : null; // cubes at different values have none for all
    const words =
      asked.length > MOST_NAMED
        ? say("many_answer", { count: asked.length })
        : asked.length > 1
          ? say("they_answer", { names: people })
          : value
            ? say("answers", { name: people, value })
            : say("answers_each", { name: people });
    const rests = open ? [said.has("pass") && rest("take"), said.has("take") && rest("pass")] : [];
    const quick = choice.answers.size
      ? this.row(rests)
      : this.edges(
          each("pass"),
          value && make("span", { class: "cube-face", "aria-hidden": "true" }, String(value)),
          each("take"),
        );
    return [this.line(words, this.takeBack()), quick, this.row(record)];
  }

  /** @param {{ takes: string[], passes: string[] }[]} replies */
  told(replies) {
    const count = (/** @type {"takes" | "passes"} */ word) =>
      replies.reduce((sum, reply) => sum + reply[word].length, 0);
    const takes = count("takes");
    const passes = count("passes");
    if (takes && passes) return say("record_both", { takes, passes });
    return takes ? say("record_takes", { takes }) : say("record_passes", { passes });
  }
}
