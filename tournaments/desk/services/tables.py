"""Tables of an event: add, rename, close and feature."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import User
from tournaments.events.services.events import require_as_seen
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import lock_event, note
from tournaments.models import DeskEvent, Event, EventTable, PairingRow, PairingState

MOST_TABLES = 500
CHANGEABLE = ("name", "featured", "closed")


def make_tables(*, event: Event, last: int, user: User | None) -> DeskEvent:
    """Add tables up to number ``last`` (1 to 500), keeping the existing ones.

    Raises DeskRefused if there is none to add.
    """
    with transaction.atomic():
        lock_event(event)
        known = set(EventTable.objects.filter(event=event).values_list("number", flat=True))
        made = [number for number in range(1, last + 1) if number not in known]
        if not made or last > MOST_TABLES:
            raise DeskRefused(
                _("Enter a number of tables from %(first)s to %(most)s, not %(last)s.")
                % {"last": last, "first": max(known, default=0) + 1, "most": MOST_TABLES},
                code="tables",
            )
        EventTable.objects.bulk_create(EventTable(event=event, number=number) for number in made)
        return note(event=event, kind="tables_made", user=user, numbers=made)


def change_table(
    *,
    event: Event,
    number: int,
    user: User | None,
    seen: Mapping[str, Any] | None = None,
    **changes: Any,
) -> DeskEvent:
    """Rename, close, open or feature a table: ``name``, ``closed``, ``featured``.

    A match in progress at a closed table stays there. Raises DeskRefused for an unknown table and without a
    change, OvertakenRefused if the table differs from ``seen``.
    """
    with transaction.atomic():
        lock_event(event)
        table = table_of(event, number)
        require_as_seen(seen, {name: getattr(table, name) for name in CHANGEABLE})
        before = {name: getattr(table, name) for name in changes}
        if not changes or before == changes:
            raise DeskRefused(
                _("Table %(number)s already has these settings.") % {"number": number}, code="unchanged"
            )
        for name, value in changes.items():
            setattr(table, name, value)
        table.save(update_fields=list(changes))
        # The name of a table is not personal data.
        return note(event=event, kind="table", user=user, table=number, before=before, after=changes)


def table_of(event: Event, number: int) -> EventTable:
    """The table with this number. Raises DeskRefused if there is none."""
    found = EventTable.objects.filter(event=event, number=number).first()
    if found is None:
        raise DeskRefused(
            _("There is no table %(number)s in this event.") % {"number": number}, code="no_such_table"
        )
    return found


def occupied(event: Event) -> set[int]:
    """Numbers of tables with an open match called to them."""
    rows = PairingRow.objects.filter(
        stage__flight__event=event, state=PairingState.OPEN, called_at__isnull=False, table__isnull=False
    )
    return {number for number in rows.values_list("table", flat=True) if number is not None}


def tables_of(event: Event) -> list[EventTable]:
    """All tables of the event, in order."""
    return list(EventTable.objects.filter(event=event).in_order())
