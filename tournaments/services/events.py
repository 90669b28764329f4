"""Events, their flights and stages: what a director announces."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from secrets import token_hex
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.live import publish
from clubs.models import Club
from tournaments.draws.encoding import encode
from tournaments.draws.presets import preset
from tournaments.draws.stage import seed_hash
from tournaments.models import Event, Flight, Stage
from tournaments.prizes.pools import Fees


class DeskRefusedError(Exception):
    """The desk cannot do this now; ``code`` tells programs why, the message is meant for the reader."""

    def __init__(self, message: str, *, code: str = "refused") -> None:
        super().__init__(message)
        self.code = code


class OvertakenError(DeskRefusedError):
    """Somebody else was first: ``parameters`` say what stands now, in refs and numbers."""

    def __init__(self, message: str, **present: Any) -> None:
        super().__init__(message, code="overtaken")
        self.parameters = present


@dataclass(frozen=True, slots=True)
class FlightTerms:
    """What a flight costs, in minor units, and how many it takes."""

    fees: Fees = field(default_factory=Fees)
    added: int = 0
    capacity: int | None = None
    percentages: Sequence[int] = ()


def announce_event(
    *,
    club: Club,
    name: str,
    starts_at: datetime,
    format_key: str,
    length: int,
    terms: FlightTerms | None = None,
) -> Event:
    """An event with one flight and one stage in a named format (``tournaments.draws.presets``).

    The stage's seed is made now and kept; its hash is what everybody may see before the draw. Raises
    DrawRefused for an unknown format.
    """
    chosen, terms = preset(format_key), terms or FlightTerms()
    with transaction.atomic():
        event = Event.objects.create(club=club, name=name, starts_at=starts_at)
        flight = Flight.objects.create(
            event=event,
            capacity=terms.capacity,
            registration_fee=terms.fees.registration,
            entry_fee=terms.fees.entry,
            returned=terms.fees.returned,
            added=terms.added,
            percentages=list(terms.percentages),
        )
        seed = token_hex(16)
        Stage.objects.create(
            flight=flight,
            name=_("Main"),
            format=chosen.format,
            options=encode(chosen.options),
            length=length,
            seed=seed,
            seed_hash=seed_hash(seed),
        )
    return event


def touch(event: Event) -> None:
    """Every open page of the event fetches itself anew once the caller's transaction commits."""
    version = Event.objects.select_for_update(no_key=True).values_list("version", flat=True).get(pk=event.pk)
    event.version = version + 1
    event.save(update_fields=["version"])
    publish(event.ref, event.version)
