"""What fingers tap to enter the record of a match on a phone: planned by the page's own modules."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from scoring.notation.plays import format_moves
from scoring.rules.events import (
    Accepted,
    Doubled,
    Event,
    OpeningRolled,
    Passed,
    Played,
    RefusedResignation,
    Resigned,
    Rolled,
    Taken,
)
from scoring.rules.game import Phase
from scoring.rules.match_state import MatchState
from scoring.rules.position import Position
from scoring.rules.sheet import apply, replay
from scoring.rules.sides import Side
from tests.node import run_script

# The fewest taps that move a play as it is written: breadth first. A forced play has moved itself.
FEWEST = """
import { legalPlays } from "./scoring/static/scoring/rules/plays.js";
import { notation } from "./scoring/static/scoring/sheets/play.js";
import { Turn } from "./scoring/static/scoring/sheets/turn.js";
const names = { bar: "bar", off: "off" };
const fewest = ({ position, side, roll, words }) => {
  const game = { number: 1, phase: "moving", on_roll: side, to_act: side, roll, position };
  const view = { game, plays: legalPlays(position, side, roll) };
  const at = (moves, swapped) => Object.assign(new Turn(), { view, moves, swapped });
  const isWanted = (turn) => turn.isComplete && notation(position, side, turn.moves, names) === words;
  const seen = new Set();
  let next = [[new Turn().follow(view, "turn"), []]];
  while (next.length) {
    const reached = next;
    next = [];
    for (const [turn, taps] of reached) {
      if (isWanted(turn)) return taps;
      const key = JSON.stringify([turn.moves, turn.swapped]);
      if (seen.has(key)) continue;
      seen.add(key);
      const tapped = (touch, act) => {
        const after = at(turn.moves, turn.swapped);
        if (act(after) !== false) next.push([after, [...taps, touch]]);
      };
      for (let slot = 0; slot <= 25; slot += 1) tapped(`point-${slot}`, (after) => after.tap(slot));
      if (!turn.isComplete) tapped("dice", (after) => after.swap());
      if (turn.moves.length) tapped("undo", (after) => after.undo());
    }
  }
  return null;
};
tell(given.map(fewest));
"""


class Tap(NamedTuple):
    """One tap on what has ``name`` in its attribute ``data-`` and ``on``: a button, a place on the board."""

    on: str
    name: str

    @property
    def is_decision(self) -> bool:
        """Whether people think before it: a double, an answer, a resignation."""
        return self == MENU[0] or self.name.startswith("resign") or self.name in WORDS.values()


def does(name: str) -> Tap:
    return Tap("does", name)


MENU = [Tap("opens", "dialog-more"), Tap("does-resign", "")]
"""Who resigns with the dice on the board does so from the menu."""
WORDS = {
    Doubled: "double",
    Taken: "take",
    Passed: "pass",
    Accepted: "accept",
    RefusedResignation: "refuse",
}


def states_of(events: Sequence[Event]) -> Iterator[tuple[MatchState, Event]]:
    """Each event after the start of the match, with the state before it."""
    state = replay(events[:1])
    for event in events[1:]:
        yield state, event
        state = apply(state, event)


def taps_of(events: Sequence[Event], *, grid: bool) -> list[list[Tap]]:
    """The taps of each event of a record, after the start of the match; on a ``grid`` a roll is one.

    The dice of a roll pick up the play before it: that play needs no *Done*.
    """
    steps = list(states_of(events))
    plays = [(state, event) for state, event in steps if isinstance(event, Played)]
    moves = iter(run_script(FEWEST, [_case_of(state, play) for state, play in plays]))
    taps: list[list[Tap]] = []
    for number, (state, event) in enumerate(steps):
        following = steps[number + 1][1] if number + 1 < len(steps) else None
        taps.append(_taps_of(state, event, following, moves, grid=grid))
    return taps


def _taps_of(
    state: MatchState, event: Event, following: Event | None, moves: Iterator[list[str]], *, grid: bool
) -> list[Tap]:
    match event:
        case OpeningRolled(white=white, black=black):
            return [does(f"die-{white}"), does(f"die-{black}")]
        case Rolled(dice=dice) if grid:
            return [does(f"roll-{dice.high}{dice.low}")]
        case Rolled(dice=dice):
            return [does(f"die-{dice.high}"), does(f"die-{dice.low}")]
        case Played():
            tapped = next(moves)
            assert tapped is not None, f"no taps make {event.moves}"
            made = [does("undo") if name == "undo" else Tap("touch", name) for name in tapped]
            picked_up = isinstance(following, Rolled) and event.moves
            return made if picked_up else [*made, does("done")]
        case Resigned(by=by, level=level):
            opened = MENU if state.game.phase is Phase.MOVING else [does("resign")]
            return [*opened, does(f"resign-{by.value}-{int(level)}")]
        case _:
            return [does(WORDS[type(event)])]


def _case_of(state: MatchState, play: Played) -> dict[str, Any]:
    game = state.game
    assert game.on_roll is not None
    assert game.roll is not None
    before = game.seen_by(game.on_roll)
    return {
        "position": _by_side(before, game.on_roll),
        "side": game.on_roll.value,
        "roll": [game.roll.high, game.roll.low],
        "words": format_moves(before, play.moves),
    }


def _by_side(position: Position, mover: Side) -> dict[str, list[int]]:
    """A position as the page has it, each side's checkers in its own numbering."""
    return {mover.value: list(position.own), mover.other.value: list(position.opponent)}
