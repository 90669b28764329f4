"""What entries of the logs are about: matches, entrants, divisions, the event that was copied."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Q

from clubs.models.columns import read
from tournaments.events.queries.entrant_rows import (
    ENTRANT,
    PLAYERS_OF_ENTRANTS,
    SELECT_ENTRANTS,
    with_their_players,
)
from tournaments.models import (
    DeskEvent,
    EarlierDraw,
    EarlierEntrant,
    EntrantRow,
    Event,
    Flight,
    PairingRow,
    StageEntrant,
)


@dataclass(frozen=True, slots=True)
class LogSubjects:
    """Pairings by ref, and entrants by key and by ref; ``known`` are the entrants if loaded."""

    pairings: Mapping[str, PairingRow]
    entrants: frozenset[int]
    refs: frozenset[str]
    known: Sequence[EntrantRow] | None = None

    def among(self, entrants: Iterable[EntrantRow]) -> "LogSubjects":
        """The same with its entrants, which are among these."""
        found = [each for each in entrants if each.pk in self.entrants or each.ref in self.refs]
        return replace(self, known=found)


NO_SUBJECTS = LogSubjects({}, frozenset(), frozenset())


def pairing_refs(desk: Sequence[DeskEvent]) -> frozenset[str]:
    """The refs of the pairings that desk entries are about."""
    return frozenset(str(row.body["pairing"]) for row in desk if row.body.get("pairing"))


def subjects_of(desk: Sequence[DeskEvent]) -> LogSubjects:
    """The subjects of desk entries (one query)."""
    rows = PairingRow.objects.filter(ref__in=pairing_refs(desk)).select_related("stage")
    return subjects_in(desk, {row.ref: row for row in rows})


def subjects_in(desk: Sequence[DeskEvent], pairings: Mapping[str, PairingRow]) -> LogSubjects:
    """The subjects of desk entries; ``pairings`` are those that they are about, by ref."""
    keys = ("entrant", "moved_up")
    named = {str(row.body[key]) for row in desk for key in keys if row.body.get(key)}
    named |= {str(ref) for row in desk for key in ("tied", "apart") for ref in row.body.get(key, ())}
    wanted = {pk for row in pairings.values() for pk in (row.a_id, row.b_id) if pk is not None}
    return LogSubjects(pairings, frozenset(wanted), frozenset(named))


Numbered = tuple[int, datetime | None, int]
"""A stage, the end of its draw (None: the current one) and a number in it."""


@dataclass(frozen=True, slots=True)
class NamedEntrants:
    """Entrants by primary key, and who has which number."""

    entrants: Mapping[int, EntrantRow]
    numbers: Mapping[Numbered, EntrantRow]


def entrants_named(event: Event, subjects: LogSubjects, stages: Collection[int]) -> NamedEntrants:
    """The entrants that entries of the desk and of these stages can name (one query).

    A stage names by number: all of the event are read. Without stages only the ``subjects`` are.
    """
    drawn, keys, refs = list(stages), list(subjects.entrants), list(subjects.refs)
    asked = [drawn, drawn, event.pk, bool(drawn), keys, refs]
    rows = list(read(_ENTRANTS, asked, *ENTRANT))
    entrants = with_their_players(row[:-1] for row in rows)
    numbers = {
        (stage, None if until is None else datetime.fromisoformat(until), number): entrants[row[0].pk]
        for row in rows
        for stage, until, number in row[-1] or ()
    }
    return NamedEntrants(entrants, numbers)


_ENTRANTS = f"""
    {SELECT_ENTRANTS}, (
        SELECT json_agg(json_build_array(stage_id, until, number))
        FROM (
            SELECT now.stage_id, NULL::timestamptz AS until, now.number
            FROM {StageEntrant._meta.db_table} AS now
            WHERE now.entrant_id = entrant.id AND now.stage_id = ANY(%s)
            UNION ALL
            SELECT draw.stage_id, draw.taken_back_at, earlier.number
            FROM {EarlierEntrant._meta.db_table} AS earlier
                JOIN {EarlierDraw._meta.db_table} AS draw ON draw.id = earlier.draw_id
            WHERE earlier.drawn_id = entrant.id AND draw.stage_id = ANY(%s)
        ) AS numbered
    )
    FROM {EntrantRow._meta.db_table} AS entrant
        JOIN {Flight._meta.db_table} AS flight ON flight.id = entrant.flight_id {PLAYERS_OF_ENTRANTS}
    WHERE flight.event_id = %s
        AND (%s OR entrant.id = ANY(%s) OR entrant.ref = ANY(%s))
    ORDER BY entrant.id, member.position, member.id
"""  # noqa: S608 - names of our own


@dataclass(frozen=True, slots=True)
class NamedDivisions:
    """Names of divisions by ref, and events by ref that others were copied from."""

    names: Mapping[str, str]
    copied: Mapping[str, Event]

    @classmethod
    def of(cls, desk: Sequence[DeskEvent]) -> "NamedDivisions":
        """Those of desk entries (one query, none where no entry names any)."""
        divisions = {row.body["division"] for row in desk if row.kind == "entry_changed"}
        divisions |= {row.body["flight"] for row in desk if row.kind == "flight_called_off"}
        copied = {row.body["like"] for row in desk if row.kind == "announced"}
        divisions, copied = divisions - {"", None}, copied - {"", None}
        if not divisions and not copied:
            return cls({}, {})
        wanted = Q(ref__in=divisions) | Q(event__ref__in=copied)
        found = list(Flight.objects.filter(wanted).select_related("event__club"))
        return cls(
            {flight.ref: flight.name for flight in found},
            {flight.event.ref: flight.event for flight in found if flight.event.ref in copied},
        )
