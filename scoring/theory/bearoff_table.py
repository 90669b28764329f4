"""Make the one-sided bear-off table: `python -m scoring.theory.bearoff_table FILE` (a minute or two).

Every move lowers the pip count, so positions are solved in the order of their pips, each from positions
solved before it. In the home board without contact a die can always be played while checkers remain, so every
roll is played in full; the play with the smallest mean is chosen.
"""

import hashlib
import struct
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

from scoring.theory.bearoff import CHECKERS, POINTS, POSITIONS, UNIT, Home, index

ROLLS = tuple((high, low) for high in range(1, 7) for low in range(1, high + 1))
FINISHED: Home = (0,) * POINTS


def positions(checkers: int = CHECKERS) -> list[Home]:
    """Every position of at most so many checkers, fewest pips first."""

    def spread(left: int, points: int) -> Iterator[Home]:
        if points == 0:
            yield ()
            return
        for count in range(left + 1):
            for rest in spread(left - count, points - 1):
                yield (count, *rest)

    return sorted(spread(checkers, POINTS), key=lambda home: sum(p * n for p, n in enumerate(home, start=1)))


def after_die(home: Home, die: int) -> set[Home]:
    """Every position after one die; the finished position stays as it is.

    >>> sorted(after_die((0, 1, 0, 0, 1, 0), 5)), sorted(after_die((0, 1, 1, 0, 0, 0), 5))
    ([(0, 1, 0, 0, 0, 0)], [(0, 1, 0, 0, 0, 0)])
    """
    highest = max((point for point in range(1, POINTS + 1) if home[point - 1]), default=0)
    if highest == 0:
        return {home}
    found = set()
    for point in range(1, highest + 1):
        if not home[point - 1] or (point < die and point != highest):
            continue
        counts = list(home)
        counts[point - 1] -= 1
        if point > die:
            counts[point - die - 1] += 1
        found.add(tuple(counts))
    return found


def after_roll(home: Home, high: int, low: int) -> set[Home]:
    """Every position after a roll played in full."""
    if high != low:
        return {
            end
            for first, second in ((high, low), (low, high))
            for middle in after_die(home, first)
            for end in after_die(middle, second)
        }
    found = {home}
    for _ in range(4):
        found = {end for middle in found for end in after_die(middle, high)}
    return found


def chance_off_next_roll(home: Home) -> float:
    """Chance (0..1) to bear off everything with one roll.

    The examples in docs/reference/theory.md, "Bear-off": a checker on the 6 point against a sure win next
    turn wins 27 of 36, one on 5 and one on 1 wins 23.

    >>> [round(36 * chance_off_next_roll(home)) for home in ((0, 0, 0, 0, 0, 1), (1, 0, 0, 0, 1, 0))]
    [27, 23]
    >>> [round(2 * chance_off_next_roll(home) - 1, 3) for home in ((0, 0, 0, 0, 0, 1), (1, 0, 0, 0, 1, 0))]
    [0.5, 0.278]
    """
    off = sum(1 if high == low else 2 for high, low in ROLLS if FINISHED in after_roll(home, high, low))
    return off / 36


def solve(checkers: int = CHECKERS) -> dict[Home, float]:
    """Mean rolls of every position of at most so many checkers."""
    means: dict[Home, float] = {FINISHED: 0.0}
    for home in positions(checkers)[1:]:
        rest = 0.0
        for high, low in ROLLS:
            best = min(means[end] for end in after_roll(home, high, low))
            rest += best if high == low else 2 * best
        means[home] = 1.0 + rest / 36
    return means


def numbers(means: dict[Home, float]) -> bytes:
    """The table as it lies in memory: unsigned 32-bit numbers in `UNIT`, by index."""
    values = [0] * POSITIONS
    for home, mean in means.items():
        values[index(home)] = round(mean / UNIT)
    return struct.pack(f"<{POSITIONS}I", *values)


def main() -> None:
    """Write the table, compressed, and say its digest."""
    content = numbers(solve())
    Path(sys.argv[1]).write_bytes(zlib.compress(content, level=9))
    sys.stdout.write(f"sha256 {hashlib.sha256(content).hexdigest()}\n")


if __name__ == "__main__":
    main()
