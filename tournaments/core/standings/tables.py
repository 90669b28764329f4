"""Tables by score, then by the tie-breaks an event has chosen, then by its director's decisions.

Places are shared where none separates.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tournaments.core.standings.games import Results
from tournaments.core.standings.places import Place, share_places
from tournaments.core.standings.tie_breaks import TIE_BREAKS, Context, TieBreak

DEFAULT_TIE_BREAKS = ("buchholz", "sonneborn_berger", "direct_encounter")
"""The tie-breaks of a stage that has chosen none."""


class UnknownTieBreak(Exception):
    """A tie-break that is not in ``tie_breaks.TIE_BREAKS``; ``key`` names it."""

    def __init__(self, key: str) -> None:
        super().__init__(f"there is no tie-break {key!r}; there are {', '.join(TIE_BREAKS)}")
        self.key = key


@dataclass(frozen=True, slots=True)
class TableOptions:
    """An event's choice. ``adjust_unplayed``: see ``tie_breaks``. ``lot_seed`` decides lots reproducibly."""

    tie_breaks: tuple[str, ...] = DEFAULT_TIE_BREAKS
    adjust_unplayed: bool = True
    lot_seed: str = ""


@dataclass(frozen=True, slots=True)
class TableRow:
    """An entrant's row: place, score and the value of every chosen tie-break.

    A tie-break is computed in the group it was needed for. Values of decisions come last.
    """

    place: Place
    score: float
    values: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Points:
    """Scores that are not the wins, and the ``values`` that they are made of, under the name ``key``.

    Every entrant has another value: the higher one is ahead where scores are equal.
    """

    key: str
    values: Mapping[int, float]
    scores: Mapping[int, float]


@dataclass(frozen=True, slots=True)
class TieOrder:
    """What separates entrants whom the tie-breaks left level: ``key`` names it, ``values`` has one for each.

    It holds while exactly these are level; others of their group must have ``left``.
    """

    key: str
    values: Mapping[int, float]
    lower_is_better: bool = False

    def holds(self, group: Collection[int], left: Collection[int]) -> bool:
        return self.values.keys() <= set(group) and all(n in self.values or n in left for n in group)


def table(
    results: Results,
    options: TableOptions,
    *,
    points: Points | None = None,
    last: Collection[int] = (),
    decisions: Sequence[TieOrder] = (),
    left: Collection[int] = (),
) -> tuple[TableRow, ...]:
    """The table, by wins and tie-breaks or by ``points``.

    Entrants in ``last`` (disqualified) come after all others, whatever their score.

    ``decisions`` apply in order to the groups they were made for; ``left`` are the entrants who withdrew.

    Raises:
        UnknownTieBreak: naming it.
    """
    chosen = [] if points else [known_tie_break(key) for key in options.tie_breaks]
    context = Context(results, options.adjust_unplayed, options.lot_seed)
    scores = points.scores if points else {n: results.score(n) for n in results.entrants}
    values: dict[int, dict[str, float]] = {
        n: {points.key: float(points.values[n])} if points else {} for n in results.entrants
    }
    by_score: dict[tuple[bool, float, float], list[int]] = {}
    for n in results.entrants:
        value = points.values[n] if points else 0
        by_score.setdefault((n in last, -scores[n], -value), []).append(n)
    groups = [
        decided
        for key in sorted(by_score)
        for part in _split(context, by_score[key], chosen, values)
        for decided in _decided(part, decisions, left, values)
    ]
    return tuple(
        TableRow(place, scores[place.entrant], tuple(values[place.entrant].items()))
        for place in share_places(groups)
    )


def known_tie_break(key: str) -> TieBreak:
    """The tie-break with this key.

    Raises:
        UnknownTieBreak: naming it.
    """
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
    for n in group:
        values[n][first.key] = found[n]
    for part in parts_of(group, found, lower_is_better=first.lower_is_better):
        yield from _split(context, part, rest, values)


def _decided(
    group: list[int],
    decisions: Sequence[TieOrder],
    left: Collection[int],
    values: dict[int, dict[str, float]],
) -> Iterator[list[int]]:
    """Split a group that the tie-breaks left level by the decisions made for it."""
    for number, decision in enumerate(decisions):
        if len(group) < 2 or not decision.holds(group, left):
            continue
        tied = [n for n in group if n in decision.values]
        for n in tied:
            values[n][decision.key] = decision.values[n]
        parts = list(parts_of(tied, decision.values, lower_is_better=decision.lower_is_better))
        if len(parts) < 2:
            continue
        rest = [n for n in group if n not in decision.values]
        for part in parts:
            yield from _decided(part, decisions[number + 1 :], left, values)
        if rest:
            yield rest
        return
    yield group


def parts_of(
    group: Sequence[int], values: Mapping[int, float], *, lower_is_better: bool
) -> Iterator[list[int]]:
    """The entrants of a group by value, best part first."""
    parts: dict[float, list[int]] = {}
    for n in group:
        parts.setdefault(values[n] if lower_is_better else -values[n], []).append(n)
    for key in sorted(parts):
        yield parts[key]
