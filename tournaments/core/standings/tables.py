"""Tables by score, then by the tie-breaks an event has chosen, in its order.

Places are shared where none separates.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from tournaments.core.standings.games import Results
from tournaments.core.standings.places import Place, share_places
from tournaments.core.standings.tie_breaks import TIE_BREAKS, Context, TieBreak


class UnknownTieBreak(Exception):
    """A tie-break that is not in ``tie_breaks.TIE_BREAKS``; ``key`` names it."""

    def __init__(self, key: str) -> None:
        super().__init__(f"there is no tie-break {key!r}; there are {', '.join(TIE_BREAKS)}")
        self.key = key


@dataclass(frozen=True, slots=True)
class TableOptions:
    """An event's choice. ``adjust_unplayed``: see ``tie_breaks``. ``lot_seed`` decides lots reproducibly."""

    tie_breaks: tuple[str, ...] = ("buchholz", "sonneborn_berger", "direct_encounter")
    adjust_unplayed: bool = True
    lot_seed: str = ""


@dataclass(frozen=True, slots=True)
class TableRow:
    """An entrant's row: place, score and the value of every chosen tie-break.

    A tie-break is computed in the group it was needed for.
    """

    place: Place
    score: float
    values: tuple[tuple[str, float], ...]


def table(results: Results, options: TableOptions, *, last: Collection[int] = ()) -> tuple[TableRow, ...]:
    """The table. Entrants in ``last`` (disqualified) come after all others, whatever their score.

    Raises:
        UnknownTieBreak: naming it.
    """
    chosen = [_known(key) for key in options.tie_breaks]
    context = Context(results, options.adjust_unplayed, options.lot_seed)
    values: dict[int, dict[str, float]] = {n: {} for n in results.entrants}
    by_score: dict[tuple[bool, float], list[int]] = {}
    for n in results.entrants:
        by_score.setdefault((n in last, -results.score(n)), []).append(n)
    groups = [part for key in sorted(by_score) for part in _split(context, by_score[key], chosen, values)]
    return tuple(
        TableRow(place, results.score(place.entrant), tuple(values[place.entrant].items()))
        for place in share_places(groups)
    )


def _known(key: str) -> TieBreak:
    if key not in TIE_BREAKS:
        raise UnknownTieBreak(key)
    return TIE_BREAKS[key]


def _split(
    context: Context, group: Sequence[int], left: Sequence[TieBreak], values: dict[int, dict[str, float]]
) -> Iterator[list[int]]:
    """Split a tied group by the tie-breaks that are left, best part first."""
    if not left:
        yield list(group)
        return
    first, *rest = left
    found = first.values(context, group)
    parts: dict[float, list[int]] = {}
    for n in group:
        values[n][first.key] = found[n]
        parts.setdefault(found[n] if first.lower_is_better else -found[n], []).append(n)
    for key in sorted(parts):
        yield from _split(context, parts[key], rest, values)
