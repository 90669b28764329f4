"""Bear-off of one side, exactly: mean rolls, effective pip count, chance to be off with the next roll.

Source: docs/reference/theory.md, "Bear-off". The table holds the mean number of rolls of each of the 54,263
positions with at most 15 checkers on the home points, under the play that makes it smallest. It is made by
`python -m scoring.theory.bearoff_table` and shipped beside this module; its digest is tested. The mean is
exact for a player who only wants to be off soon; it is **advice** about a race, where now and then the best
play against an opponent is another one.
"""

import hashlib
import struct
import zlib
from functools import cache
from importlib import resources
from itertools import accumulate
from math import comb

from scoring.rules.errors import InvalidValue

CHECKERS = 15
POINTS = 6
POSITIONS = comb(CHECKERS + POINTS, POINTS)
"""With the finished position: 54,264."""
DIGEST = "3f7c7425ed1b20bcf46e6f7e08461edda8a911f8378cd435ca6ee6389ec8ace3"
"""SHA-256 of the numbers as they lie in memory (unsigned, 32 bits, little end first), uncompressed."""
UNIT = 1 / (1 << 26)
"""A stored number is mean rolls in this unit."""

_FILE = "bearoff_one_sided.bin"
_PIPS_A_ROLL = 49 / 6

Home = tuple[int, ...]
"""Checkers on points 1 to 6, in this order."""


def index(home: Home) -> int:
    """The place of a position in the table, 0 (finished) to 54,263: combinatorial number system.

    Raises InvalidValue for anything but six counts that sum to at most 15.

    >>> index((0, 0, 0, 0, 0, 0)), index((15, 0, 0, 0, 0, 0))
    (0, 54263)
    """
    if len(home) != POINTS or any(type(n) is not int or n < 0 for n in home) or sum(home) > CHECKERS:
        raise InvalidValue("home", "{home!r} are not six counts of at most 15 checkers", home=home)
    # Sums over the points so far grow strictly once each has its place added: a choice of 6 out of 21.
    return sum(comb(total + place, place + 1) for place, total in enumerate(accumulate(home)))


def mean_rolls(home: Home) -> float:
    """Mean number of rolls to bear off everything.

    >>> mean_rolls((2, 0, 0, 0, 0, 0)), round(mean_rolls((0, 0, 0, 0, 0, 1)), 4)
    (1.0, 1.25)
    """
    return table()[index(home)] * UNIT


def effective_pip_count(home: Home) -> float:
    """EPC: mean rolls x 49/6, in pips. The ace stacks in docs/reference/theory.md, "Bear-off":

    >>> [round(effective_pip_count((n, 0, 0, 0, 0, 0)), 3) for n in (2, 4, 6, 8, 10)]
    [8.167, 14.972, 22.005, 28.999, 36.0]
    """
    return mean_rolls(home) * _PIPS_A_ROLL


def waste(home: Home) -> float:
    """Effective minus raw pip count, in pips: what gaps and stacks cost."""
    return effective_pip_count(home) - sum(point * n for point, n in enumerate(home, start=1))


def home_of(counts: tuple[int, ...]) -> Home:
    """The home points of one side of a `Position`; raises InvalidValue with a checker outside.

    >>> home_of((13, 1, 0, 0, 0, 1, 0) + (0,) * 19)
    (1, 0, 0, 0, 1, 0)
    """
    outside = next((slot for slot in range(POINTS + 1, len(counts)) if counts[slot]), None)
    if outside is not None:
        raise InvalidValue("outside", "a checker on {slot} is not home yet", slot=outside)
    return counts[1 : POINTS + 1]


@cache
def table() -> tuple[int, ...]:
    """The shipped numbers, one a position, in `UNIT`; raises InvalidValue for a file that is not ours."""
    numbers = zlib.decompress(resources.files("scoring.theory").joinpath(_FILE).read_bytes())
    if hashlib.sha256(numbers).hexdigest() != DIGEST:
        raise InvalidValue("digest", "{file} is not the shipped table", file=_FILE)
    return struct.unpack(f"<{POSITIONS}I", numbers)
