"""Lay out the sections that losers feed for the entrants who really come.

Losers' side, consolation and last chance are first built for a full main draw, in which a bye has a loser
like any match, and then compacted:

- As many rounds feed a section as give it a field (``rounds_that_feed``).
- Losers and byes of the first main round change places until every half, quarter, ... of the section has as
  many entrants as the other (``balanced``), so that byes are spread and no one has two.
- A round in which no two entrants can meet is taken out (``compact``).

A match that is taken out keeps its number: a late entrant who takes a bye of the main draw can bring it back
without changing any other match.

A *code* is a packed slot (``slots.pack``). It is *live* if an entrant comes out of it whatever the results.
"""

from collections import Counter
from collections.abc import Sequence

from tournaments.core.brackets.bracket import FINAL, MAIN, Builder

FIELD = 4
"""A section is fed by further rounds until its field is one in so many of those who can fall into it."""


def live_codes(a: Sequence[int], b: Sequence[int], drawn: int | None = None) -> list[bool]:
    """For every packed code of a match: whether it is live; entrants above ``drawn`` are not there yet."""
    live = [False, False]
    for pair in zip(a, b, strict=True):
        one, other = (live[code] if code >= 0 else drawn is None or -code <= drawn for code in pair)
        live += [one or other, one and other]
    return live


def rounds_that_feed(fields: Sequence[int], least: int, whole: int) -> int:
    """How many rounds feed a section; 0 if fewer than two entrants can come, so that it is not drawn.

    ``fields`` are the losers of the rounds that can feed it. At least ``least`` rounds with losers do, more
    until a quarter of the ``whole`` comes.

    >>> [rounds_that_feed(fields, 1, 24) for fields in ([8, 8, 4], [0, 1, 8, 4], [1])]
    [1, 3, 0]
    """
    found = feeding = 0
    for index, losers in enumerate(fields, 1):
        found += losers
        feeding += losers > 0
        if feeding >= least and found >= 2 and found * FIELD >= whole:
            return index
    return len(fields) if found >= 2 else 0


def balanced(codes: Sequence[int], live: Sequence[bool]) -> list[int]:
    """The codes with as few as possible moved, so that every half has as many live ones as the other.

    So it is in each half of a half, down to pairs. Of an odd number one half has one more.
    """
    if len(codes) < 2:
        return list(codes)
    left, right = list(codes[: len(codes) // 2]), list(codes[len(codes) // 2 :])
    surplus = sum(live[code] for code in left) - sum(live[code] for code in right)
    full, empty = (left, right) if surplus > 0 else (right, left)
    for _ in range(abs(surplus) // 2):
        here = max(index for index, code in enumerate(full) if live[code])
        there = min(index for index, code in enumerate(empty) if not live[code])
        full[here], empty[there] = empty[there], full[here]
    return balanced(left, live) + balanced(right, live)


def compact(builder: Builder, drawn: int) -> None:
    """Take out the matches of rounds in which no two of the ``drawn`` entrants can meet.

    Rounds that are left are numbered from 1; those taken out have numbers below and no entrants. Those who
    came late play their match of such a round.
    """
    at_draw, now = live_codes(builder.a, builder.b, drawn), live_codes(builder.a, builder.b)
    goes = list(range(2 * len(builder.a) + 2))
    idle: Counter[str] = Counter()
    for each in builder.rounds:
        taken_out = each.section not in {MAIN, FINAL} and not any(at_draw[2 * m + 1] for m in each.matches)
        idle[each.section] += taken_out
        for match in each.matches:
            a, b = (goes[code] if code > 0 else code for code in (builder.a[match - 1], builder.b[match - 1]))
            if taken_out and not now[2 * match + 1]:
                goes[2 * match], goes[2 * match + 1] = (a if now[a] else b), 0
                a = b = 0
            builder.a[match - 1], builder.b[match - 1] = a, b
    builder.rounds = [
        builder.numbered(each.section, each.number - idle[each.section], each.first, each.count)
        for each in builder.rounds
    ]
