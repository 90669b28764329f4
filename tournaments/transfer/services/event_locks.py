"""A whole event held while its file is read, and seen as of one moment while it is written."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from django.db import connection, transaction

from scoring.models import Sheet
from tournaments.models import Event, Flight, Stage

_READING = 0x6D69_6470_6F69_6E74
"""The key of the lock of whoever reads an event file ("midpoint" in ASCII)."""


class _OvertakenError(Exception):
    """More came in between: everything is held anew."""


def one_reader_at_a_time() -> None:
    """Wait until nobody else reads an event file, and keep others out until the transaction ends: the second
    of two who bring the same event finds what the first has brought.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_READING])


def hold_all(ref: str) -> Event | None:
    """The event, held with its flights, sheets and stages until the transaction ends; None for one unknown.

    In the order in which everybody takes them: flights, sheets by the number of their pairing, stages by
    their position (their keys follow the file that brought them), the event. A draw may publish matches while
    their sheets are taken: then all are taken anew.
    """
    while True:
        with suppress(_OvertakenError), transaction.atomic():
            flights = Flight.objects.filter(event__ref=ref).order_by("pk")
            list(flights.select_for_update(of=("self",), no_key=True).values_list("pk"))
            sheets = Sheet.objects.filter(match__board__pairing__stage__flight__event__ref=ref)
            ordered = sheets.order_by("match__board__pairing__number", "pk")
            held = list(ordered.select_for_update(of=("self",), no_key=True).values_list("pk", flat=True))
            stages = Stage.objects.filter(flight__event__ref=ref).order_by("flight__position", "position")
            list(stages.select_for_update(of=("self",), no_key=True).values_list("pk"))
            event = Event.objects.select_for_update(of=("self",), no_key=True).filter(ref=ref).first()
            if sheets.exclude(pk__in=held).exists():
                raise _OvertakenError
            return event


@contextmanager
def one_moment() -> Iterator[None]:
    """Whatever is read inside is as it was at one moment, although others write meanwhile.

    Inside a transaction of the caller's it is what that sees.
    """
    if connection.in_atomic_block:
        yield
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield
