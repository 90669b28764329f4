"""How many taps a play takes: one where there is no choice, at most four whatever the dice."""

from collections.abc import Iterator
from random import Random
from typing import Any

from scoring.rules.dice import Roll
from scoring.rules.plays import legal_plays, legal_sequences
from scoring.rules.position import STARTING_POSITION, Position
from tests.node import run_script

TURNS = 160

# Every legal play has to be reached by taps on places and on the dice, as fingers make them: breadth first.
MOST_TAPS_OF = """
import { Turn } from "./scoring/static/scoring/sheets/turn.js";
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
tell(given.map(mostTaps));
"""


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


def test_every_legal_play_is_reached_in_at_most_four_taps() -> None:
    cases = list(rolls_of_a_game(TURNS))
    doubles = sum(roll.high == roll.low for _position, roll in cases)
    assert doubles > TURNS / 10
    taps = run_script(MOST_TAPS_OF, [case_of(position, roll) for position, roll in cases])
    assert set(taps) <= {0, 1, 2, 3, 4}
    assert max(taps) == 4
