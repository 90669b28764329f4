"""Duplicate dice: all boards of a team match play the same rolls.

Source: docs/reference/tournaments.md, "Duplicate dice".
"""

from collections.abc import Iterator
from random import Random

FACES = 6


def rolls(seed: str, pairing: int, game: int) -> Iterator[tuple[int, int]]:
    """The endless rolls of one game (from 1) of a team match.

    The same seed, pairing and game give the same rolls on every board, larger die first.
    """
    stream = Random(f"{seed}/dice/{pairing}/{game}")  # noqa: S311 - checked by anyone later
    opening = _roll(stream)
    while opening[0] == opening[1]:
        opening = _roll(stream)
    yield opening
    while True:
        yield _roll(stream)


def _roll(stream: Random) -> tuple[int, int]:
    one, other = stream.randint(1, FACES), stream.randint(1, FACES)
    return max(one, other), min(one, other)
