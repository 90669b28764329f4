"""Call matches to tables, each player to one table at a time.

Every action locks its stages and then the event, so two directors act one after the other. ``seen`` is the
pairing's ``desk_seq`` on the director's page; an outdated one is refused with the current state.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Min, Q
from django.utils.timezone import now
from django.utils.translation import gettext as _

from clubs.models import User
from tournaments.core.timetable.lateness import begins_at
from tournaments.desk.queries.next_calls import next_calls, table_for
from tournaments.desk.services.tables import occupied, table_of, tables_of
from tournaments.events.services.events import OvertakenRefused
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import lock_event, note
from tournaments.models import (
    EntrantMember,
    EntrantRow,
    Event,
    EventTable,
    PairingRow,
    PairingState,
    StageRow,
    StageStatus,
)


def lock_desk(event: Event, stages: Iterable[StageRow] | None = None) -> None:
    """Lock these stages (default: all), then the event, until the transaction ends."""
    rows = StageRow.objects.filter(flight__event=event)
    if stages is not None:
        rows = rows.filter(pk__in=[stage.pk for stage in stages])
    # By position, the lock order of results; keys of imported stages are in any order.
    ordered = rows.order_by("flight__position", "position")
    list(ordered.select_for_update(of=("self",), no_key=True).values_list("pk", flat=True))
    lock_event(event)


def call(
    *, pairing: PairingRow, user: User | None, seen: int | None = None, table: int | None = None
) -> PairingRow:
    """Call a match to ``table`` or the first free table.

    Without tables, by name only.

    Raises DeskRefused if a player is busy, no table is free or the table is closed, OvertakenRefused if the
    match was called or decided.
    """
    event = pairing.stage.flight.event
    with transaction.atomic():
        lock_desk(event, [pairing.stage])
        row = fresh(pairing, seen=seen)
        if row.called_at is not None:
            raise overtaken(_("This match has already been called."), row)
        _require_free(event, row)
        return _called(row, _table_for(event, row, table), user)


def call_ready(*, event: Event, user: User | None) -> list[PairingRow]:
    """Call all ready matches, longest waiting first, while tables are free.

    Returns the called ones.

    Calls nothing during a break. A featured match waits for a featured table; other matches take tables that
    are not featured.
    """
    with transaction.atomic():
        lock_desk(event)
        ready = list(ready_in(event))
        names = players_of(ready)
        waiting = [(row, names[row.pk]) for row in ready]
        calls = next_calls(waiting, tables_of(event), taken=occupied(event), busy=set(busy_in(event)))
        return [_called(row, table, user) for row, table in calls]


def move(*, pairing: PairingRow, table: int, user: User | None, seen: int | None = None) -> PairingRow:
    """Move a called match to another table.

    Raises as :func:`call`, and before the call.
    """
    event = pairing.stage.flight.event
    with transaction.atomic():
        lock_desk(event, [pairing.stage])
        row = fresh(pairing, seen=seen)
        if row.called_at is None:
            raise DeskRefused(_("This match has not been called to a table yet."), code="not_called")
        chosen = _chosen(event, table)
        entry = note(
            event=event, kind="moved", user=user, pairing=row.ref, before=row.table, table=chosen.number
        )
        row.table, row.desk_seq = chosen.number, entry.seq
        row.save(update_fields=["table", "desk_seq"])
        return row


def start(*, pairing: PairingRow, user: User | None, seen: int | None = None) -> PairingRow:
    """Record the start of a match. Raises OvertakenRefused if it has already started.

    A match that was not called counts as called now, without a table; then raises DeskRefused for a busy
    player.
    """
    event = pairing.stage.flight.event
    with transaction.atomic():
        lock_desk(event, [pairing.stage])
        row = fresh(pairing, seen=seen)
        if row.started_at is not None:
            raise overtaken(_("This match has already started."), row)
        was_called = row.called_at is not None
        if not was_called:
            _require_free(event, row)
        entry = note(event=event, kind="started", user=user, pairing=row.ref, was_called=was_called)
        row.started_at, row.called_at, row.desk_seq = now(), row.called_at or now(), entry.seq
        row.save(update_fields=["started_at", "called_at", "desk_seq"])
        return row


def feature(*, pairing: PairingRow, featured: bool, user: User | None, seen: int | None = None) -> PairingRow:
    """Feature a match or not; a featured match is called to a featured table."""
    event = pairing.stage.flight.event
    with transaction.atomic():
        lock_desk(event, [pairing.stage])
        row = fresh(pairing, seen=seen)
        if row.featured == featured:
            said = _("This match is already featured.") if featured else _("This match is not featured.")
            raise overtaken(said, row)
        entry = note(event=event, kind="featured", user=user, pairing=row.ref, featured=featured)
        row.featured, row.desk_seq = featured, entry.seq
        row.save(update_fields=["featured", "desk_seq"])
        return row


def fresh(pairing: PairingRow, *, seen: int | None) -> PairingRow:
    """Reload an open pairing.

    Raises OvertakenRefused if it is finished or differs from ``seen``.
    """
    row = PairingRow.objects.select_related("stage__flight__event__club", "a", "b").get(pk=pairing.pk)
    if row.state != PairingState.OPEN:
        raise overtaken(_("This match is finished, or the draw has changed. Check it and try again."), row)
    if seen is not None and seen != row.desk_seq:
        raise overtaken(_("Someone else changed this match. Check it and try again."), row)
    return row


def overtaken(message: str, row: PairingRow) -> OvertakenRefused:
    """A refusal with the current state of the pairing."""
    return OvertakenRefused(message, **standing(row))


def standing(row: PairingRow) -> dict[str, Any]:
    """State of a pairing at the desk, as plain data."""
    return {
        "pairing": row.ref,
        "state": row.state,
        "table": row.table,
        "called_at": row.called_at.isoformat() if row.called_at else None,
        "started_at": row.started_at.isoformat() if row.started_at else None,
        "seen": row.desk_seq,
    }


@dataclass(frozen=True, slots=True)
class Busy:
    """Where a player is busy: the entrant, and the table if there is one."""

    entrant: EntrantRow
    table: int | None


def busy_in(event: Event, *, but: PairingRow | None = None) -> dict[int, Busy]:
    """Players (by key) with a called or started match anywhere in the event."""
    called = Q(called_at__isnull=False) | Q(boards__match__sheet__head_seq__gt=1)
    rows = PairingRow.objects.filter(called, stage__flight__event=event, state=PairingState.OPEN).distinct()
    if but is not None:
        rows = rows.exclude(pk=but.pk)
    found = list(rows.select_related("a", "b").prefetch_related("a__members", "b__members"))
    return {
        member.player_id: Busy(entrant, row.table)
        for row in found
        for entrant in (row.a, row.b)
        if entrant is not None
        for member in entrant.members.all()
    }


def ready_in(event: Event) -> Sequence[PairingRow]:
    """Open matches that can be called now, longest published first.

    None during a break.
    """
    rows = PairingRow.objects.filter(
        stage__flight__event=event,
        stage__status=StageStatus.RUNNING,
        state=PairingState.OPEN,
        called_at=None,
    ).exclude(boards__match__sheet__head_seq__gt=1)
    published = rows.annotate(published=Min("boards__match__created_at"))
    loaded = published.select_related("stage__flight__event__club", "a", "b")
    at = now()
    ordered = list(loaded.order_by("published", "stage__position", "number", "pk"))
    return [row for row in ordered if not _is_early(row, row.stage.flight.event, at)]


def _is_early(row: PairingRow, event: Event, at: datetime) -> bool:
    """Whether a break or the start time of its round delays the match."""
    opens_at = row.opens_at(event.tz)
    return begins_at(row.stage.starts, row.round, breaks=event.pauses, at=at, opens_at=opens_at) > at


def players_of(pairings: Sequence[PairingRow]) -> dict[int, set[int]]:
    """Players (by key) of each pairing (one query)."""
    entrants = {pk for row in pairings for pk in (row.a_id, row.b_id)}
    members: dict[int, set[int]] = {}
    rows = EntrantMember.objects.filter(entrant__in=entrants).values_list("entrant_id", "player_id")
    for entrant, player in rows:
        members.setdefault(entrant, set()).add(player)
    return {
        row.pk: {player for pk in (row.a_id, row.b_id) if pk is not None for player in members.get(pk, ())}
        for row in pairings
    }


def _table_for(event: Event, row: PairingRow, number: int | None) -> EventTable | None:
    if number is not None:
        return _chosen(event, number)
    tables, taken = tables_of(event), occupied(event)
    table = table_for(row, tables, taken)
    if table is None and tables:
        raise DeskRefused(_no_table(row, tables, taken), code="no_table")
    return table


def _no_table(row: PairingRow, tables: Sequence[EventTable], taken: set[int]) -> str:
    if all(table.closed or table.number in taken for table in tables):
        return _("No table is free. The match stays in the queue.")
    if row.featured:
        return _("No featured table is free. Choose another table, or call the match later.")
    return _("Only featured tables are free. Choose one of them, or call the match later.")


def _chosen(event: Event, number: int) -> EventTable:
    table = table_of(event, number)
    if table.closed:
        raise DeskRefused(_("Table %(number)s is closed.") % {"number": number}, code="table_closed")
    if number in occupied(event):
        raise DeskRefused(_("Table %(number)s is taken.") % {"number": number}, code="table_taken")
    return table


def _called(row: PairingRow, table: EventTable | None, user: User | None) -> PairingRow:
    number = None if table is None else table.number
    row.table, row.called_at = number, now()
    row.save(update_fields=["table", "called_at"])
    # After the row is saved: receivers of the entry read the call from it.
    entry = note(event=row.stage.flight.event, kind="called", user=user, pairing=row.ref, table=number)
    row.desk_seq = entry.seq
    row.save(update_fields=["desk_seq"])
    return row


def _require_free(event: Event, row: PairingRow) -> None:
    busy = busy_in(event, but=row)
    if met := [busy[player] for player in players_of([row])[row.pk] if player in busy]:
        raise DeskRefused(_busy(met[0]), code="player_busy")


def _busy(busy: Busy) -> str:
    names = {"name": busy.entrant.title, "table": busy.table}
    if busy.table is None:
        return _("%(name)s is still playing another match.") % names
    return _("%(name)s has been called to table %(table)s.") % names
