"""What the columns of a club's list of entries are: as asked for, as remembered, or as recognised."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

from clubs.lists.cells import CellTable
from clubs.lists.columns import FIELDS, Field, guess_columns, has_headings
from clubs.lists.values import folded
from clubs.models import Club
from tournaments.events.eligibility import pools_of
from tournaments.models import Flight, ListColumns

MOST_COLUMNS = 40


@dataclass(frozen=True, slots=True)
class ChosenColumns:
    """The columns of a list, its headings, and the key by which the club remembers them."""

    fields: tuple[Field, ...]
    headed: bool
    headings: tuple[str, ...]
    key: str


def choose_columns(
    table: CellTable,
    flight: Flight,
    flights: Sequence[Flight],
    *,
    asked: Sequence[str] | None,
    headed: bool | None,
) -> ChosenColumns:
    """What the columns are: as ``asked`` for, as remembered, or as recognised (at most one query)."""
    width = min(table.width, MOST_COLUMNS)
    first = tuple(table.rows[0].cells) if table.rows else ()
    pools = [pool.key for each in flights for pool in pools_of(each.pools)]
    divisions = [each.name for each in flights if each.name] if len(flights) > 1 else []
    guess = guess_columns(table, places=flight.team_size or 2, pools=pools, divisions=divisions)
    fields, is_headed = guess.fields, has_headings(table, pools) if headed is None else headed
    keys = [_digest(first), str(width)]
    if asked is None:
        rows = ListColumns.objects.filter(club=flight.event.club_id, heading__in=keys)
        kept = {row.heading: row.columns for row in rows}
        found = kept.get(keys[0]) or (None if is_headed else kept.get(keys[1]))
        if found and headed is None:
            asked, is_headed = found.get("fields"), bool(found.get("headed"))
    if asked is not None and len(asked) == width and all(each in FIELDS for each in asked):
        known = {str(each): each for each in FIELDS}
        fields = tuple(known[each] for each in asked)
    if not divisions:
        fields = tuple(FIELDS[0] if each == "division" else each for each in fields)
    fields = fields[:width]
    return ChosenColumns(fields, is_headed, first if is_headed else (), keys[0 if is_headed else 1])


def _digest(cells: Sequence[str]) -> str:
    return blake2b("\x1f".join(map(folded, cells)).encode(), digest_size=12).hexdigest()


def remember_columns(club: Club, columns: ChosenColumns) -> None:
    """Keep what the columns of such a list are, for the club's next one."""
    kept = {"fields": list(columns.fields), "headed": columns.headed}
    ListColumns.objects.update_or_create(club=club, heading=columns.key, defaults={"columns": kept})
