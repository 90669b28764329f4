"""Final ranking of elimination sections: by the round in which an entrant was put out, places shared inside
it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from tournaments.draws.bracket import MAIN, THIRD, Table
from tournaments.draws.resolve import Resolution
from tournaments.draws.slots import Empty
from tournaments.standings.places import Place, share_places


@dataclass(frozen=True, slots=True)
class TablePlaces:
    """The places of one table; ``open`` are entrants who can still play in it and have no place yet."""

    table: str
    places: tuple[Place, ...]
    open: tuple[int, ...]


def table_places(resolution: Resolution, table: Table) -> TablePlaces:
    """Places by round lost; the loser of a later round is better, losers of one round share.

    An entrant who left is placed where he would have lost: at his first match in the table that he did not
    play. In a double no-show both lost there. Places below open ones are exact already, since those ahead can
    only come in ahead.
    """
    level = _levels(table)
    seen: dict[int, int] = {}
    a, b = resolution.a, resolution.b
    for match in level:  # in their order: what stays is an entrant's last
        seen[a[match]] = seen[b[match]] = match
    for nobody in Empty:
        seen.pop(nobody, None)
    champion = resolution.champion(table)
    out: dict[int, list[int]] = {}
    undecided: list[int] = []
    winner, gone = resolution.winner, resolution.gone
    for entrant, match in sorted(seen.items()):
        # Most of a large draw: it has won its last match, or that is still to be played.
        is_in = winner[match] in (entrant, Empty.TO_BE_DECIDED) and entrant not in gone
        lost = None if is_in or entrant == champion else _lost_at(resolution, entrant, match, level)
        if lost is not None:
            out.setdefault(level[lost], []).append(entrant)
        elif entrant != champion:
            undecided.append(entrant)
    groups = [out[index] for index in sorted(out, reverse=True)]
    if champion is not None:
        groups.insert(0, [champion])
    return TablePlaces(table.name, share_places(groups, first=1 + len(undecided)), tuple(undecided))


def final_places(resolution: Resolution) -> TablePlaces:
    """The final ranking of the main table: as ``table_places``, with places 3 and 4 from the third-place
    match.

    The first three are the medals. While the third-place match is open, the losing semi-finalists share.
    """
    tables = {table.name: table for table in resolution.bracket.tables}
    main = table_places(resolution, tables[MAIN])
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


def _lost_at(resolution: Resolution, entrant: int, match: int, level: Mapping[int, int]) -> int | None:
    """The match of the table that put the entrant out, ``None`` while he is still in."""
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
    # He dropped inside the table but no longer shows there: he left, or nobody advanced from a double
    # no-show.
    return following
