"""The entries of an event as a table: sorted, filtered, with the treasurer's totals."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from clubs.models.person import sort_key
from clubs.people.search import search_key
from tournaments.core.prizes.dues import Dues, dues_of, total
from tournaments.core.prizes.settlement import Standing
from tournaments.events.queries.entrant_rows import every_entrant
from tournaments.events.queries.event_page import whole_flights
from tournaments.models import EntrantRow, EntrantState, Event, Flight
from tournaments.money.entry_fees import (
    HAS_PLACE,
    fee_states,
    fees_of,
    standing_of,
)

UNPAID, NOT_HERE, WAITING = "unpaid", "not-here", "waiting"
FILTERS = (UNPAID, NOT_HERE, WAITING)
PAGE = 200
"""Entries of one page."""


@dataclass(frozen=True, slots=True)
class EntryOfTable:
    """An entry with its flight, what is due of it, and whether it was drawn."""

    entrant: EntrantRow
    flight: Flight
    dues: Dues
    drawn: bool

    @property
    def placed(self) -> bool:
        return self.entrant.state in HAS_PLACE

    @property
    def present(self) -> bool:
        return self.entrant.state == EntrantState.PRESENT

    @property
    def withdrawn(self) -> bool:
        return self.entrant.state == EntrantState.WITHDRAWN


@dataclass(frozen=True, slots=True)
class EntryTable:
    """The entries of an event.

    ``lines`` are those of the page, ``shown`` counts what the filter leaves; totals are of all entries.
    """

    lines: Sequence[EntryOfTable]
    shown: int
    pages: int
    totals: Dues
    states: Mapping[str, int]
    counts: Mapping[str, int]
    pools: Mapping[str, int] = field(default_factory=dict)

    @property
    def entered(self) -> int:
        return self.states.get(EntrantState.REGISTERED, 0) + self.present

    @property
    def present(self) -> int:
        return self.states.get(EntrantState.PRESENT, 0)


def dues_of_entrant(entrant: EntrantRow, flight: Flight, standing: Standing = Standing.DUE) -> Dues:
    """What is due of an entry and paid (no query)."""
    return dues_of(fees_of(entrant, flight, standing))


def entries_of(event: Event, known: Sequence[Flight] | None = None) -> list[EntryOfTable]:
    """All entries of an event, withdrawn ones only if they were drawn or paid.

    Two queries, one if its :func:`whole_flights` are ``known``.
    """
    flights = {flight.pk: flight for flight in (whole_flights(event) if known is None else known)}
    states = fee_states(event, list(flights.values()))
    found = []
    for entrant in sorted(every_entrant(event), key=lambda each: (each.registered_at, each.pk)):
        flight = flights[entrant.flight_id]
        dues = dues_of_entrant(entrant, flight, standing_of(entrant, states[flight.pk]))
        line = EntryOfTable(entrant, flight, dues, entrant.was_drawn)
        if not line.withdrawn or line.drawn or dues.due:
            found.append(line)
    return found


def entry_table(
    event: Event,
    *,
    sort: str = "",
    only: str = "",
    text: str = "",
    page: int = 1,
    known: Sequence[Flight] | None = None,
) -> EntryTable:
    """A page of the entries. ``sort`` is a key of ``SORTS``, with "-" in front for descending.

    ``only`` is one of ``FILTERS``, ``text`` a part of the name. Without ``sort`` they are by name, withdrawn
    ones last. The order of equals is that of registration. ``known`` are its flights, as for ``entries_of``.
    """
    rows = entries_of(event, known)
    states = Counter(row.entrant.state for row in rows)
    counts = {name: sum(map(keeps, rows)) for name, keeps in _KEEPS.items()}
    pools = Counter(key for row in rows if row.placed for key in row.entrant.pools)
    kept = [row for row in rows if only not in _KEEPS or _KEEPS[only](row)]
    if words := search_key(text).split():
        kept = [row for row in kept if all(word in search_key(row.entrant.title) for word in words)]
    pages = max(1, -(-len(kept) // PAGE))
    first = (min(max(page, 1), pages) - 1) * PAGE
    lines = _sorted(kept, sort)[first : first + PAGE]
    return EntryTable(lines, len(kept), pages, total(row.dues for row in rows), states, counts, pools)


_STATES = (
    (EntrantState.PRESENT, EntrantState.REGISTERED),
    (EntrantState.INVITED, EntrantState.WAITING),
    (EntrantState.WITHDRAWN,),
)
"""States in their order, in groups that stand together where names are sorted."""
_GROUP = {state: number for number, group in enumerate(_STATES) for state in group}
_ORDER = {state: number for number, state in enumerate(_GROUP)}

_KEEPS: dict[str, Callable[[EntryOfTable], bool]] = {
    UNPAID: lambda row: row.dues.outstanding > 0,
    NOT_HERE: lambda row: row.entrant.state == EntrantState.REGISTERED,
    WAITING: lambda row: row.entrant.state in {EntrantState.WAITING, EntrantState.INVITED},
}

SORTS: dict[str, Callable[[EntryOfTable], Any]] = {
    "name": lambda row: sort_key(row.entrant.title),
    "rating": lambda row: row.entrant.rating,
    "seed": lambda row: row.entrant.seed,
    "club": lambda row: sort_key(row.entrant.from_club) or None,
    "division": lambda row: row.flight.position,
    "fee": lambda row: row.dues.due,
    "paid": lambda row: row.dues.outstanding,
    "status": lambda row: _ORDER[EntrantState(row.entrant.state)],
}
"""The columns in their order, with the value by which each sorts; None comes last in either direction."""


def _sorted(rows: Iterable[EntryOfTable], sort: str) -> list[EntryOfTable]:
    value = SORTS.get(sort.removeprefix("-"))
    if value is None:
        return sorted(rows, key=lambda row: (_GROUP[EntrantState(row.entrant.state)], SORTS["name"](row)))
    told = [(value(row), row) for row in rows]
    known = [pair for pair in told if pair[0] is not None]
    known.sort(key=lambda pair: pair[0], reverse=sort.startswith("-"))
    return [row for _value, row in known] + [row for found, row in told if found is None]
