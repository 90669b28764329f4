"""Names of the players in an event."""

from hashlib import blake2b

from tournaments.models import EntrantMember, Event


def names_in(event: Event) -> str:
    """Digest of the names of all players in an event (one query).

    It changes when a player is renamed, merged or erased, which does not change the event.
    """
    members = EntrantMember.objects.filter(flight__event=event).order_by("pk")
    names = list(members.values_list("entrant__name", "player__person__name"))
    return blake2b(repr(names).encode(), digest_size=12).hexdigest()
