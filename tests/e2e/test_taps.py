"""How many taps a play takes: one where there is no choice, at most four whatever the dice."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from scoring.models import Match
from scoring.rules.dice import Roll
from scoring.rules.events import PositionSet
from scoring.rules.plays import legal_plays, legal_sequences
from scoring.rules.position import STARTING_POSITION, Position
from scoring.rules.sides import Side
from tests.e2e.scorers import Scorer
from tests.scoring.sheets.writing import write

# Every legal play has to be reached by taps on places and on the dice, as fingers make them: breadth first.
MOST_TAPS_OF = """async (cases) => {
  const { Turn } = await import("/static/scoring/sheets/turn.js");
  const ended = (turn) => JSON.stringify(turn.position);
  const mostTaps = ({ position, roll, sequences }) => {
    const game = { number: 1, phase: "moving", on_roll: "white", roll, position };
    const view = { game, plays: { sequences } };
    const at = (moves, swapped) => Object.assign(new Turn(), { view, moves, swapped });
    const wanted = new Set(sequences.map((moves) => ended(at(moves, false))));
    const seen = new Set();
    let most = 0;
    let next = [at([], false)];
    for (let taps = 0; wanted.size && next.length; taps += 1) {
      const reached = next;
      next = [];
      for (const turn of reached) {
        if (turn.isComplete && wanted.delete(ended(turn))) most = taps;
        const key = JSON.stringify([ended(turn), turn.moves.length, turn.swapped]);
        if (seen.has(key)) continue;
        seen.add(key);
        const swap = at(turn.moves, turn.swapped);
        swap.swap();
        next.push(swap);
        for (let slot = 0; slot <= 25; slot += 1) {
          const after = at(turn.moves, turn.swapped);
          if (after.tap(slot)) next.push(after);
        }
      }
    }
    return wanted.size ? null : most;
  };
  return cases.map(mostTaps);
}"""


def rolls_of_a_game(turns: int) -> Iterator[tuple[Position, Roll]]:
    """Positions, seen by whoever is on roll, of games in which everybody plays anything legal."""
    rng = Random(7)
    position = STARTING_POSITION
    for _turn in range(turns):
        roll = Roll(rng.randint(1, 6), rng.randint(1, 6))
        plays = legal_plays(position, roll)
        if plays:
            yield position, roll
            position = rng.choice(plays).result
        position = position.flipped()
        if 15 in {position.own[0], position.opponent[0]}:
            position = STARTING_POSITION


def case_of(position: Position, roll: Roll) -> dict[str, Any]:
    return {
        "position": {"white": list(position.own), "black": list(position.opponent)},
        "roll": [roll.high, roll.low],
        "sequences": [[list(move) for move in moves] for moves in legal_sequences(position, roll)],
    }


@pytest.mark.long
@pytest.mark.parametrize("turns", [80, pytest.param(160, marks=pytest.mark.long)])
def test_every_legal_play_is_reached_in_at_most_four_taps(page: Page, server: str, turns: int) -> None:
    page.goto(f"{server}/style/")
    cases = list(rolls_of_a_game(turns))
    doubles = sum(roll.high == roll.low for _position, roll in cases)
    assert doubles > turns / 10
    taps = page.evaluate(MOST_TAPS_OF, [case_of(position, roll) for position, roll in cases])
    assert set(taps) <= {0, 1, 2, 3, 4}
    assert max(taps) == 4


@pytest.mark.long
def test_a_forced_play_and_a_dance_take_one_tap(match: Match, white: Scorer) -> None:
    # White's last runner stands on its 24 point; Black holds White's 18 point: 6-5 is 24/13 by the 19 point.
    own = [0, 14, *[0] * 22, 1, 0]
    theirs = [*[0] * 7, 2, *[0] * 5, 13, *[0] * 12]
    write(match, PositionSet(Position(tuple(own), tuple(theirs)), reason="as it stood", on_roll=Side.WHITE))
    white.open(match)
    white.roll(6, 5)
    expect(white.part("dock")).to_contain_text("24/13")
    expect(white.part("dock")).to_contain_text("forced")
    white.tap("done")
    expect(white.part("dock")).to_contain_text("Björn to roll")
    # On the bar against a made 19 point.
    bar = [0, 0, 3, 3, 2, 2, 2, 3, *[0] * 18]
    closed = [0, 2, 2, 2, 2, 2, 2, *[0] * 18, 3]
    write(match, PositionSet(Position(tuple(closed), tuple(bar)), reason="as it stood", on_roll=Side.WHITE))
    white.sees(5)
    white.roll(6, 6)
    expect(white.part("dock")).to_contain_text("cannot move with 6-6")
    white.tap("done")
    expect(white.part("dock")).to_contain_text("Björn to roll")
