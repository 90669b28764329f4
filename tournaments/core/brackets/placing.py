"""Final ranking of elimination sections.

By the round in which an entrant was put out; places are shared inside it.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from scoring.rules.endings import Ending
from tournaments.core.brackets.bracket import MAIN, THIRD, Bracket, Table
from tournaments.core.brackets.resolve import BracketStatus, Resolution
from tournaments.core.stages.slots import Empty
from tournaments.core.standings.places import Place, share_places


@dataclass(frozen=True, slots=True)
class TablePlaces:
    """The places of one table; ``open`` are entrants who can still play in it and have no place yet."""

    table: str
    places: tuple[Place, ...]
    open: tuple[int, ...]


def table_places(resolution: Resolution, table: Table) -> TablePlaces:
    """Places by round lost; the loser of a later round is better, losers of one round share.

    An entrant who left is placed where they would have lost: at their first match in the table that they did
    not play. In a double no-show both lost there. Places below open ones are exact already, since those ahead
    can only come in ahead.
    """
    champion, out, undecided = _standing(resolution, table)
    groups = [sorted(out[index]) for index in sorted(out, reverse=True)]
    if champion is not None:
        groups.insert(0, [champion])
    return TablePlaces(table.name, share_places(groups, first=1 + len(undecided)), tuple(sorted(undecided)))


def table_reached(resolution: Resolution, table: Table) -> TablePlaces:
    """Places during play: those out share the places of all their round puts out.

    The first quarter-final loser has reached 5–8, whoever loses the others.
    """
    champion, out, undecided = _standing(resolution, table)
    if not undecided:
        return table_places(resolution, table)
    level = _levels(table)
    losers = Counter(
        level[match] for match in _ends(resolution.bracket, table) if _has_loser(resolution, match)
    )
    places = [] if champion is None else [Place(champion, 1, 1)]
    last = 1
    for index in sorted(losers.keys() | out.keys(), reverse=True):
        group = sorted(out.get(index, ()))
        first, last = last + 1, last + max(losers[index], len(group))
        places.extend(Place(entrant, first, last) for entrant in group)
    return TablePlaces(table.name, tuple(places), tuple(sorted(undecided)))


def _has_loser(resolution: Resolution, match: int) -> bool:
    """Whether the match eliminates an entrant, or will."""
    status = resolution.status(match)
    if status is BracketStatus.WAITING:
        return {Empty.BYE, Empty.WITHDRAWN}.isdisjoint((resolution.a[match], resolution.b[match]))
    if status is BracketStatus.WALKOVER:
        return min(resolution.a[match], resolution.b[match]) > 0
    return status in {BracketStatus.DECIDED, BracketStatus.READY}


def _standing(resolution: Resolution, table: Table) -> tuple[int | None, Mapping[int, list[int]], set[int]]:
    """The winner of a table, the eliminated by round index, and all others."""
    level, ends = _levels(table), _ends(resolution.bracket, table)
    champion = resolution.champion(table)
    out: dict[int, list[int]] = {}
    apart = _apart(resolution)
    for match in ends:
        loser = resolution.loser[match]
        if loser > 0 and loser not in apart:
            out.setdefault(level[match], []).append(loser)
    for entrant, match in _last_matches(resolution, level, apart).items():
        lost = _lost_at(resolution, entrant, match, level)
        if lost is not None and entrant != champion:
            out.setdefault(level[lost], []).append(entrant)
    undecided = _entrants(resolution, table).difference({champion}, *out.values())
    return champion, out, undecided


def _entrants(resolution: Resolution, table: Table) -> set[int]:
    """All entrants who are or were in a match of the table."""
    found: set[int] = set()
    for round_ in table.rounds:
        matches = slice(round_.first, round_.first + round_.count)
        found.update(resolution.a[matches], resolution.b[matches])
    return found.difference(Empty)


def _apart(resolution: Resolution) -> set[int]:
    """Entrants out without a lost match: they left, or their match had no winner."""
    found = set(resolution.gone)
    for match, outcome in resolution.results.items():
        if outcome.ended is Ending.DOUBLE_NO_SHOW and match not in resolution.stale:
            found |= {outcome.winner, outcome.loser}
    return found


def _last_matches(
    resolution: Resolution, level: Mapping[int, int], entrants: Collection[int]
) -> Mapping[int, int]:
    """The last match of the table that each of these entrants is in."""
    if not entrants:
        return {}
    found = {}
    for match in level:  # in their order: what stays is an entrant's last
        for entrant in (resolution.a[match], resolution.b[match]):
            if entrant in entrants:
                found[entrant] = match
    return found


def final_places(resolution: Resolution, *, reached: bool = False) -> TablePlaces:
    """The final ranking of the main table, or what is ``reached`` of it.

    As ``table_places`` or ``table_reached``, with places 3 and 4 from the third-place match. The first three
    are the medals. While the third-place match is open, the losing semi-finalists share.
    """
    tables = {table.name: table for table in resolution.bracket.tables}
    main = (table_reached if reached else table_places)(resolution, tables[MAIN])
    if THIRD not in tables:
        return main
    third = {p.entrant: p for p in table_places(resolution, tables[THIRD]).places if not p.shared}
    shift = 2
    places = [
        Place(p.entrant, third[p.entrant].first + shift, third[p.entrant].last + shift)
        if p.entrant in third and (p.first, p.last) == (3, 4)
        else p
        for p in main.places
    ]
    return TablePlaces(main.table, tuple(sorted(places, key=lambda p: (p.first, p.entrant))), main.open)


@lru_cache(maxsize=64)
def _levels(table: Table) -> Mapping[int, int]:
    """The index of each match's round, by its number, in the order of the numbers."""
    return dict(sorted((m, index) for index, r in enumerate(table.rounds) for m in r.matches))


@lru_cache(maxsize=64)
def _ends(bracket: Bracket, table: Table) -> Sequence[int]:
    """The matches of the table whose losers play no further one of it."""
    level = _levels(table)
    return [match for match in level if bracket.loser_goes_to(match) not in level]


def _lost_at(resolution: Resolution, entrant: int, match: int, level: Mapping[int, int]) -> int | None:
    """The match of the table that eliminated the entrant, ``None`` if still in."""
    if resolution.winner[match] == entrant:
        following = resolution.bracket.winner_goes_to(match)
        if following in level and entrant in resolution.gone:
            return following
        return None
    if resolution.winner[match] < 0 and resolution.status(match) in ("waiting", "ready"):
        return match if entrant in resolution.gone else None
    following = resolution.bracket.loser_goes_to(match)
    if following is None or following not in level:
        return match
    # Dropped inside the table but no longer there: left, or no one advanced from a double
    # no-show.
    return following
