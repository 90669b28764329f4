"""A page refuses a play in the words of the server: the same sentence with the same values."""

from random import Random

import pytest

from scoring.rules.dice import Roll
from scoring.rules.errors import IllegalPlay
from scoring.rules.explain import WORDS, explain_play
from scoring.rules.plays import legal_sequences
from scoring.rules.position import Position
from scoring.sheets.words import sheet_words
from tests.node import PAGE, run_script
from tests.scoring.rules.positions import random_placement, random_roll, random_walk
from tests.tiers import sized

Moves = list[tuple[int, int]]

REFUSALS = (
    PAGE
    + """
const { whyIllegal } = await import("./scoring/static/scoring/rules/explain.js");
const { say } = await import("./scoring/static/scoring/sheets/words.js");
tell(given.cases.map(({ position, roll, moves }) => {
  const refusal = whyIllegal(position, "white", roll, moves);
  return refusal && say(`illegal_${refusal.code}`, refusal.values);
}));
"""
)


def any_position(rng: Random) -> Position:
    """A position from play, a wild one, or two checkers among held points, where a die can be in the way."""
    kind = rng.random()
    if kind < 0.4:
        return random_walk(rng, rng.randint(0, 40))
    if kind < 0.8:
        return random_placement(rng)
    own = rng.sample(range(1, 16), 2)
    held = rng.sample([point for point in range(1, 25) if 25 - point not in own], 6)
    return Position.from_points(dict.fromkeys(own, 1), dict.fromkeys(held, 2))


def moves_of(rng: Random, position: Position, legal: tuple[Moves, ...]) -> Moves:
    """Legal moves, too few, too many, in another order or joined; or moves that fingers might make."""
    if legal and rng.random() < 0.7:
        moves = [*rng.choice(legal)][: rng.randint(0, 4)]
        if rng.random() < 0.3:
            rng.shuffle(moves)
        if len(moves) > 1 and moves[0][1] == moves[1][0] and rng.random() < 0.5:
            moves[:2] = [(moves[0][0], moves[1][1])]
        if rng.random() < 0.6:
            return moves
    else:
        moves = []
    for _ in range(rng.randint(1, 2)):
        source = rng.choice([slot for slot in range(26) if position.own[slot] or rng.random() < 0.1] or [6])
        moves.append((source, max(source - rng.randint(-1, 12), 0)))
    return moves


def any_case(rng: Random) -> tuple[Position, Roll, Moves]:
    position, roll = any_position(rng), random_roll(rng)
    legal = tuple([(move[0], move[1]) for move in moves] for moves in legal_sequences(position, roll)[:200])
    return position, roll, moves_of(rng, position, legal)


HELD = {13: 2, 14: 2, 21: 2, 7: 2, 2: 2, 19: 2}
RARE: tuple[tuple[Position, Roll, Moves], ...] = (
    (Position.from_points({13: 1, 1: 2}, {21: 2}), Roll(5, 4), [(13, 9)]),
    (Position.from_points({5: 1, 19: 1}, HELD), Roll(6, 2), [(19, 17)]),
)
"""The higher die, and both dice, which hardly any random position asks for."""


@pytest.mark.each_case
@pytest.mark.parametrize("seed", sized(range(1), range(8)))
def test_a_page_refuses_a_play_in_the_words_of_the_server(seed: int) -> None:
    rng = Random(seed)
    asked, wanted, codes = [], [], set()
    for position, roll, moves in (*RARE, *(any_case(rng) for _ in range(sized(1_500, 10_000)))):
        answer = explain_play(position, roll, moves)
        sides = {"white": list(position.own), "black": list(position.opponent)}
        asked.append({"position": sides, "roll": [roll.low, roll.high], "moves": moves})
        wanted.append(str(answer) if isinstance(answer, IllegalPlay) else None)
        codes.add(answer.code if isinstance(answer, IllegalPlay) else "")
    told = run_script(REFUSALS, {"words": sheet_words(), "cases": asked})
    for case, answer, expected in zip(asked, told, wanted, strict=True):
        assert answer == expected, case
    assert codes >= {*WORDS, ""} - {"play_is_legal", "play_is_not_incomplete", "must_be_corrected"}
