"""Groups: a field spread over round robins of equal strength."""

from collections.abc import Sequence
from itertools import combinations

from tournaments.core.stages.entrants import Entrant, Field
from tournaments.core.stages.errors import DrawRefused


def spread(field: Field, groups: int, *, apart: str | None = "club") -> tuple[tuple[Entrant, ...], ...]:
    """Spread a ranked field (best first) over groups by the serpentine: 1-2-3, 3-2-1, 1-2-3, ...

    Sizes differ by at most one. Inside each row of the serpentine entrants change groups to part club mates
    (``apart="club"``) or compatriots (``"country"``) and above all forbidden pairs, never rows, so that
    groups stay equally strong.

    Raises:
        DrawRefused: ``groups`` when a group would have fewer than two entrants.
    """
    if groups < 1 or len(field) < 2 * groups:
        raise DrawRefused(
            "groups", f"{len(field)} entrants cannot make {groups} groups of at least 2", groups=groups
        )
    found: list[list[Entrant]] = [[] for _ in range(groups)]
    rows: list[list[tuple[Entrant, int]]] = []
    for start in range(0, len(field), groups):
        row = list(field[start : start + groups])
        order = list(range(groups)) if (start // groups) % 2 == 0 else list(reversed(range(groups)))
        free = (
            order[: len(row)]
            if len(row) == groups
            else sorted(order, key=lambda g: len(found[g]))[: len(row)]
        )
        rows.append(list(zip(row, _part(row, free, found, apart), strict=True)))
        for entrant, group in rows[-1]:
            found[group].append(entrant)
    if any(entrant.never or entrant.avoid for entrant in field):
        _part_forbidden(rows, apart)
    found = [[] for _ in range(groups)]
    for placed in rows:
        for entrant, group in placed:
            found[group].append(entrant)
    return tuple(tuple(group) for group in found)


def _part_forbidden(rows: Sequence[list[tuple[Entrant, int]]], apart: str | None) -> None:
    """Exchange groups inside rows as long as that leaves fewer forbidden pairs in a group.

    Fewest of those that must never meet, then of those to avoid, then of club mates.
    """
    placed = {entrant.ref: (entrant, group) for row in rows for entrant, group in row}

    def weight(entrant: Entrant, group: int) -> int:
        others = [other for other, where in placed.values() if where == group and other is not entrant]
        mates = 0 if apart is None else sum(_mates(entrant, other, apart) for other in others)
        never = sum(bool(entrant.never & other.never) for other in others)
        avoid = sum(bool(entrant.avoid & other.avoid) for other in others)
        return (never * len(placed) + avoid) * len(placed) + mates

    better = True
    while better:
        better = False
        for row in rows:
            for i, j in combinations(range(len(row)), 2):
                (one, here), (other, there) = row[i], row[j]
                now = weight(one, here) + weight(other, there)
                placed |= {one.ref: (one, there), other.ref: (other, here)}
                if weight(one, there) + weight(other, here) < now:
                    row[i], row[j], better = (one, there), (other, here), True
                else:
                    placed |= {one.ref: (one, here), other.ref: (other, there)}


def _mates(one: Entrant, other: Entrant, apart: str) -> bool:
    value = getattr(one, apart)
    return value is not None and getattr(other, apart) == value


def _part(
    row: Sequence[Entrant], free: Sequence[int], found: Sequence[Sequence[Entrant]], apart: str | None
) -> list[int]:
    """The group of each entrant of a row: unchanged unless an exchange helps."""
    placed = list(free)
    if apart is None:
        return placed

    def mates(entrant: Entrant, group: int) -> int:
        value = getattr(entrant, apart)
        return 0 if value is None else sum(getattr(other, apart) == value for other in found[group])

    for i in range(len(row)):
        for j in range(i + 1, len(row)):
            now = mates(row[i], placed[i]) + mates(row[j], placed[j])
            swapped = mates(row[i], placed[j]) + mates(row[j], placed[i])
            if swapped < now:
                placed[i], placed[j] = placed[j], placed[i]
    return placed


def interleave(rankings: Sequence[Sequence[Entrant]]) -> tuple[Entrant, ...]:
    """One ranking of several groups: all firsts in group order, then all seconds, ..."""
    longest = max((len(ranking) for ranking in rankings), default=0)
    return tuple(ranking[i] for i in range(longest) for ranking in rankings if i < len(ranking))
