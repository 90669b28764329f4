"""The players of entrants: their names in an event, and where they play in pairs."""

from collections.abc import Collection
from hashlib import blake2b

from django.db.models import Count

from tournaments.models import EntrantMember, Event, Flight


def flights_with_pairs(flights: Collection[Flight]) -> frozenset[int]:
    """Keys of the flights for singles or pairs in which a pair has entered.

    One query, none where every flight has a size of its own.
    """
    either = [flight.pk for flight in flights if flight.team_size is None]
    if not either:
        return frozenset()
    rows = EntrantMember.objects.filter(flight__in=either, active=True).values("flight", "entrant")
    return frozenset(
        rows.annotate(players=Count("pk")).filter(players__gt=1).values_list("flight", flat=True)
    )


def names_in(event: Event) -> str:
    """Digest of the names of all players in an event (one query).

    It changes when a player is renamed, merged or erased, which does not change the event.
    """
    members = EntrantMember.objects.filter(flight__event=event).order_by("pk")
    names = list(members.values_list("entrant__name", "player__person__name"))
    return blake2b(repr(names).encode(), digest_size=12).hexdigest()
