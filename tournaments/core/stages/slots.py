"""What a bracket slot is waiting for, and what it holds once that is known.

A slot is ``Seed | WinnerOf | LoserOf | BYE``. What it holds is an entrant's number, or one of three kinds of
emptiness that are never confused (docs/reference/tournaments.md, "Slots of a bracket"): a bye never had an
entrant, a withdrawn entrant has left, and *to be decided* waits for a match.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final, Literal


@dataclass(frozen=True, slots=True)
class Seed:
    """The entrant with this number, from 1."""

    number: int


@dataclass(frozen=True, slots=True)
class WinnerOf:
    """The winner of the match with this number, from 1."""

    match: int


@dataclass(frozen=True, slots=True)
class LoserOf:
    """The loser of the match with this number, from 1."""

    match: int


class Empty(IntEnum):
    """What a slot without an entrant holds. Negative or zero, so that entrants are the positive numbers."""

    BYE = 0
    TO_BE_DECIDED = -1
    WITHDRAWN = -2


BYE: Final = Empty.BYE
Slot = Seed | WinnerOf | LoserOf | Literal[Empty.BYE]


def pack(slot: Slot) -> int:
    """One integer for a slot: 0 a bye, -n seed n, 2m the winner and 2m + 1 the loser of match m.

    A bracket for 100,000 entries has half a million slots: as objects they would cost more than everything
    else.

    >>> [pack(slot) for slot in (BYE, Seed(3), WinnerOf(5), LoserOf(5))]
    [0, -3, 10, 11]
    """
    match slot:
        case Seed(number):
            return -number
        case WinnerOf(number):
            return 2 * number
        case LoserOf(number):
            return 2 * number + 1
        case _:
            return 0


def unpack(code: int) -> Slot:
    """The slot that ``pack`` made this integer of."""
    if code < 0:
        return Seed(-code)
    if code == 0:
        return BYE
    return LoserOf(code >> 1) if code & 1 else WinnerOf(code >> 1)
