"""Choose the matches to call next and their tables, for the desk and for calls."""

from collections.abc import Iterable, Sequence, Set

from tournaments.models import EventTable, PairingRow


def table_for(row: PairingRow, tables: Sequence[EventTable], taken: Set[int]) -> EventTable | None:
    """The first free table for a match, by number; ``taken`` are the tables in use.

    A featured match needs a featured table if any is open; other matches need one that is not featured.
    """
    usable = [table for table in tables if not table.closed]
    wanted = row.featured and any(table.featured for table in usable)
    suited = (table for table in usable if table.featured == wanted and table.number not in taken)
    return next(suited, None)


def next_calls(
    waiting: Iterable[tuple[PairingRow, Set[int]]],
    tables: Sequence[EventTable],
    *,
    taken: Set[int],
    busy: Set[int],
) -> list[tuple[PairingRow, EventTable | None]]:
    """Matches to call now with their tables.

    The table is None in an event without tables.

    ``waiting`` are matches with their players (by key), longest waiting first; featured matches come first.
    No ``busy`` player is called, and no player twice.
    """
    taken, busy = set(taken), set(busy)
    called: list[tuple[PairingRow, EventTable | None]] = []
    for row, players in sorted(waiting, key=lambda each: not each[0].featured):
        table = table_for(row, tables, taken)
        if busy & players or (table is None and tables):
            continue
        if table is not None:
            taken.add(table.number)
        busy |= players
        called.append((row, table))
    return called
