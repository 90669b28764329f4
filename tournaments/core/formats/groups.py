"""Groups: a field spread over round robins of equal strength."""

from collections.abc import Sequence

from tournaments.core.stages.entrants import Entrant, Field
from tournaments.core.stages.errors import DrawRefused


def spread(field: Field, groups: int, *, apart: str | None = "club") -> tuple[tuple[Entrant, ...], ...]:
    """Spread a ranked field (best first) over groups by the serpentine: 1-2-3, 3-2-1, 1-2-3, ...

    Sizes differ by at most one. Inside each row of the serpentine entrants change groups to part club mates
    (``apart="club"``) or compatriots (``"country"``), never rows, so that groups stay equally strong.

    Raises:
        DrawRefused: ``groups`` when a group would have fewer than two entrants.
    """
    if groups < 1 or len(field) < 2 * groups:
        raise DrawRefused(
            "groups", f"{len(field)} entrants cannot make {groups} groups of at least 2", groups=groups
        )
    found: list[list[Entrant]] = [[] for _ in range(groups)]
    for start in range(0, len(field), groups):
        row = list(field[start : start + groups])
        order = list(range(groups)) if (start // groups) % 2 == 0 else list(reversed(range(groups)))
        free = (
            order[: len(row)]
            if len(row) == groups
            else sorted(order, key=lambda g: len(found[g]))[: len(row)]
        )
        for entrant, group in zip(row, _part(row, free, found, apart), strict=True):
            found[group].append(entrant)
    return tuple(tuple(group) for group in found)


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
