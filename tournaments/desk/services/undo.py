"""Undo entries of the event's log, each once, by a further entry.

Entries that exist only in the log (rulings, reports) are struck out. Results are undone on their own page,
after a preview (``results``, ``previews``).
"""

from collections.abc import Callable

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import User
from scoring.log.queries.writers import Author
from scoring.log.services.sheets import lock_sheet
from scoring.rules.events import Voided
from scoring.sheets.services.corrections import correct
from scoring.sheets.services.entries import EntryRefused
from scoring.sheets.services.refolds import CorrectionRefused
from tournaments.desk.services.calls import lock_desk
from tournaments.desk.services.departures import undo_departure
from tournaments.desk.services.results import match_of
from tournaments.desk.services.tables import occupied
from tournaments.events.services.events import OvertakenRefused
from tournaments.log.cash_box import require_open_box
from tournaments.log.kinds import LEFT, WRITTEN
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import lock_event, note
from tournaments.models import (
    PAID_BY,
    DeskEvent,
    EntrantRow,
    EntrantState,
    Event,
    EventTable,
    Flight,
    PairingRow,
    PairingState,
    StageEntrant,
)
from tournaments.money.entry_fees import FEES_PAID
from tournaments.stages.services.locks import hold_for_result
from tournaments.stages.services.round_absences import undo_absence


def undo(*, event: Event, seq: int, user: User) -> DeskEvent:
    """Undo the entry ``seq`` of the event's log; returns the new entry.

    Raises OvertakenRefused if it is already undone or the same match or table was changed later, DeskRefused
    for an entry that cannot be undone here.
    """
    entry = DeskEvent.objects.filter(event=event, seq=seq).first()
    if entry is None or entry.undoes is not None:
        raise DeskRefused(_("There is no log entry %(seq)s to undo.") % {"seq": seq}, code="no_entry")
    if entry.kind == "result":
        raise DeskRefused(
            _("Undo a result on its own page, which shows the effects first."),
            code="needs_preview",
        )
    action = _ACTIONS.get(entry.kind)
    if action is None:
        raise DeskRefused(_("This log entry cannot be undone."), code="not_undone")
    with transaction.atomic():
        return action(event, entry, user)


def _struck_out(event: Event, entry: DeskEvent, user: User) -> DeskEvent:
    lock_event(event)
    return _taken_back(event, entry, user)


def _of_pairing(event: Event, entry: DeskEvent, user: User) -> DeskEvent:
    pairing = _pairing(entry)
    lock_desk(event, [pairing.stage])
    pairing.refresh_from_db()
    _require_last(entry, pairing)
    if entry.kind == "moved" and entry.body["before"] in occupied(event):
        raise OvertakenRefused(
            _("Table %(number)s is taken.") % {"number": entry.body["before"]},
            table=entry.body["before"],
        )
    for column, value in _BEFORE[entry.kind](entry, pairing).items():
        setattr(pairing, column, value)
    written = _taken_back(event, entry, user)
    pairing.desk_seq = written.seq
    pairing.save(update_fields=["table", "called_at", "started_at", "featured", "desk_seq"])
    return written


_BEFORE: dict[str, Callable[[DeskEvent, PairingRow], dict[str, object]]] = {
    "called": lambda _entry, _pairing: {"table": None, "called_at": None},
    "moved": lambda entry, _pairing: {"table": entry.body["before"]},
    "started": lambda entry, pairing: {
        "started_at": None,
        "called_at": pairing.called_at if entry.body["was_called"] else None,
    },
    "featured": lambda entry, _pairing: {"featured": not entry.body["featured"]},
}


def _of_penalty(event: Event, entry: DeskEvent, user: User) -> DeskEvent:
    pairing = _pairing(entry)
    match = match_of(pairing, entry.body.get("board", 1))
    sheet = lock_sheet(match.sheet_id)
    hold = hold_for_result(pairing)
    pairing.refresh_from_db()
    written = _taken_back(event, entry, user)
    try:
        correct(
            match=match,
            author=Author(user=user, directs=True),
            after=sheet.head_seq,
            key=f"desk-{written.seq}",
            seq=entry.body["sheet_seq"],
            event=Voided(),
            reason=_("penalty undone"),
            hold=hold,
        )
    except (CorrectionRefused, EntryRefused) as refused:
        raise DeskRefused(
            _("The penalty cannot be undone: %(why)s") % {"why": refused}, code="refused"
        ) from refused
    PairingRow.objects.filter(pk=pairing.pk).update(desk_seq=written.seq)
    return written


def _of_presence(event: Event, entry: DeskEvent, user: User) -> DeskEvent:
    flight = Flight.objects.get(entrants__ref=entry.body["entrant"])
    Flight.objects.select_for_update(no_key=True).get(pk=flight.pk)
    lock_event(event)
    entrant = EntrantRow.objects.get(ref=entry.body["entrant"])
    after = entry.body["after"]
    if {name: getattr(entrant, name) for name in after} != after:
        raise _later()
    before = entry.body["before"]
    if any(before[name] != getattr(entrant, name) for name in FEES_PAID if name in before):
        require_open_box(event)
    if before["payment"] not in PAID_BY:  # older entries of the log do not name it
        before = {"other_way": 0} | before
    EntrantRow.objects.filter(pk=entrant.pk).update(**before)
    return _taken_back(event, entry, user)


def _of_presence_of_all(event: Event, entry: DeskEvent, user: User) -> DeskEvent:
    """Check out all who were checked in together and still are."""
    flights = Flight.objects.filter(event=event).order_by("pk")
    held = list(flights.select_for_update(no_key=True).values_list("pk", flat=True))
    rows = EntrantRow.objects.filter(flight__in=held, ref__in=entry.body["entrants"])
    here = rows.filter(state=EntrantState.PRESENT).order_by("pk")
    pks = list(here.select_for_update(no_key=True).values_list("pk", flat=True))
    lock_event(event)
    if StageEntrant.objects.filter(entrant__in=pks).exists():
        raise _later()
    EntrantRow.objects.filter(pk__in=pks).update(state=EntrantState.REGISTERED)
    return _taken_back(event, entry, user)


def _of_chosen(event: Event, entry: DeskEvent, user: User) -> DeskEvent:
    """Restore chosen entries that still are as the entry of the log left them."""
    flights = Flight.objects.filter(event=event).order_by("pk")
    held = list(flights.select_for_update(no_key=True).values_list("pk", flat=True))
    before, after = entry.body["before"], entry.body["after"]
    rows = list(
        EntrantRow.objects.filter(flight__in=held, ref__in=list(after))
        .order_by("pk")
        .select_for_update(no_key=True)
    )
    require_open_box(event)
    for row in rows:
        changed = any(getattr(row, name) != value for name, value in after[row.ref].items())
        if changed or row.refunded_at is not None:
            raise _later()
        for name, value in before[row.ref].items():
            setattr(row, name, value)
        if row.other_way and row.payment not in PAID_BY:  # older entries of the log do not name it
            raise _later()
    EntrantRow.objects.bulk_update(rows, [*FEES_PAID, "pools"])
    return _taken_back(event, entry, user)


def _of_pool(event: Event, entry: DeskEvent, user: User) -> DeskEvent:
    """Take chosen entries out of a side pool while their division has not been played."""
    rows = PairingRow.objects.filter(stage__flight__event=event, state=PairingState.DECIDED)
    if rows.filter(stage__flight__entrants__ref__in=list(entry.body["after"])).exists():
        raise _later()
    return _of_chosen(event, entry, user)


def _of_leaving(event: Event, entry: DeskEvent, user: User) -> DeskEvent:
    undo_departure(entry, user=user)
    lock_event(event)
    return _taken_back(event, entry, user)


def _of_absence(event: Event, entry: DeskEvent, user: User) -> DeskEvent:
    undo_absence(entry, user=user)
    lock_event(event)
    return _taken_back(event, entry, user)


def _of_table(event: Event, entry: DeskEvent, user: User) -> DeskEvent:
    lock_event(event)
    table = EventTable.objects.filter(event=event, number=entry.body["table"])
    found = table.first()
    after = entry.body["after"]
    if found is None or any(getattr(found, name) != value for name, value in after.items()):
        raise _later()
    table.update(**entry.body["before"])
    return _taken_back(event, entry, user)


def _of_tables_made(event: Event, entry: DeskEvent, user: User) -> DeskEvent:
    lock_event(event)
    numbers = entry.body["numbers"]
    if PairingRow.objects.filter(stage__flight__event=event, table__in=numbers).exists():
        raise DeskRefused(
            _("Matches have been called to these tables. Close the tables you do not need."), code="used"
        )
    EventTable.objects.filter(event=event, number__in=numbers).delete()
    return _taken_back(event, entry, user)


_ACTIONS: dict[str, Callable[[Event, DeskEvent, User], DeskEvent]] = {
    **dict.fromkeys(WRITTEN, _struck_out),
    **dict.fromkeys(_BEFORE, _of_pairing),
    **dict.fromkeys(LEFT, _of_leaving),
    "penalty": _of_penalty,
    "round_missed": _of_absence,
    "check_in": _of_presence,
    "checked_in_all": _of_presence_of_all,
    "fees_paid": _of_chosen,
    "pool_joined": _of_pool,
    "table": _of_table,
    "tables_made": _of_tables_made,
}


def _taken_back(event: Event, entry: DeskEvent, user: User) -> DeskEvent:
    """Record the undo. The caller holds the event."""
    if DeskEvent.objects.filter(event=event, undoes=entry.seq).exists():
        raise OvertakenRefused(_("This has already been undone."), undone=entry.seq)
    about = {name: entry.body[name] for name in ("pairing", "entrant", "table") if name in entry.body}
    return note(event=event, kind="undone", user=user, undoes=entry.seq, what=entry.kind, **about)


def _require_last(entry: DeskEvent, pairing: PairingRow) -> None:
    """Raise OvertakenRefused if the match is finished or a later action on it stands."""
    if pairing.state != PairingState.OPEN:
        raise _later()
    own = DeskEvent.objects.filter(event=entry.event_id, body__pairing=pairing.ref)
    taken_back = own.filter(undoes__isnull=False).values_list("undoes", flat=True)
    later = own.filter(seq__gt=entry.seq, undoes=None, kind__in=_BEFORE).exclude(seq__in=list(taken_back))
    if later.exists():
        raise _later()


def _later() -> OvertakenRefused:
    return OvertakenRefused(_("There are later changes here. Undo those first."))


def _pairing(entry: DeskEvent) -> PairingRow:
    rows = PairingRow.objects.select_related("stage__flight__event__club", "a", "b")
    return rows.get(ref=entry.body["pairing"])
