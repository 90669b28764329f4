// A card that is asked: its play grows on the board and in the field, which alone is sent.
// Without this script the play is typed.

import { Board } from "../sheets/board.js";
import { boardSeen } from "../sheets/board_state.js";
import { notation } from "../sheets/play.js";
import { Turn } from "../sheets/turn.js";
import { keyed } from "./keys.js";

/** @type {any} */
const config = JSON.parse(document.getElementById("card-config").textContent);
const wide = matchMedia("(min-width: 60rem)");
const host = document.getElementById("card-board");
const field = /** @type {HTMLInputElement | null} */ (document.getElementById("answer"));
const form = /** @type {HTMLFormElement} */ (document.getElementById("answer-form"));
const undo = document.getElementById("undo-move");
const said = document.getElementById("card-said");
const turn = new Turn();
turn.follow(config.view, "card");

const written = () => {
  const names = { bar: "bar", off: "off" };
  return notation(config.view.game.position, turn.mover, turn.moves, names);
};

const draw = () => {
  const layout = wide.matches ? config.layouts.wide : config.layouts.tall;
  const looks = { layout, bottom: config.bottom, home: "right" };
  board.draw(boardSeen({ view: config.view, turn, mine: Boolean(field) }, /** @type {any} */ (looks)));
};

/** The play as it grew by one tap: into the field, to the button, and said. */
const grown = () => {
  if (field) field.value = written();
  if (undo) undo.hidden = !turn.moves.length;
  draw();
  if (said) said.textContent = written();
};

const board = new Board(host, {
  tap(slot) {
    if (field && turn.tap(slot)) grown();
  },
  drop(from, to) {
    if (field && turn.drop(from, to)) grown();
    else draw();
  },
  press: (slot) => turn.landing(slot),
  dice() {
    turn.swap();
    draw();
  },
  cube() {},
});

host.classList.add("touched");
wide.addEventListener("change", draw);
undo?.addEventListener("click", () => {
  turn.undo();
  grown();
});
// What is typed stands alone: the board goes back to the position of the card.
field?.addEventListener("input", () => {
  if (!turn.moves.length) return;
  turn.clear();
  undo.hidden = true;
  draw();
});
document.addEventListener("keydown", (event) => {
  const pressed = keyed(event, [...form.querySelectorAll("[data-key]")]);
  if (pressed === "type") {
    field?.focus(); // the key is typed there
    return;
  }
  if (pressed === "undo" && turn.moves.length) {
    turn.undo();
    grown();
  } else if (pressed === "send" && field?.value) {
    form.requestSubmit(document.getElementById("check-answer"));
  } else if (pressed instanceof HTMLElement) {
    pressed.click();
  } else {
    return;
  }
  event.preventDefault();
});
draw();
