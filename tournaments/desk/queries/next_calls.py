"""Which matches are called next, and to which tables: what the desk shows and what a call does."""

from collections.abc import Iterable, Sequence, Set

from tournaments.models import EventTable, PairingRow


def table_for(row: PairingRow, tables: Sequence[EventTable], taken: Set[int]) -> EventTable | None:
    """The first of an event's tables that is free for a match: a featured one for a featured match, where any
    is open; another for any other. ``taken`` are the numbers of those in use.
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
    """The matches to call now, each with its table: None in an event without tables.

    ``waiting`` has the matches with their players (by key), the longest waiting first; featured ones go
    before others. A player who is ``busy`` is not called, and nobody twice.
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
