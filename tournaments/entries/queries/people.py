"""What the people in an event are called."""

from hashlib import blake2b

from tournaments.models import EntrantMember, Event


def names_in(event: Event) -> str:
    """A digest of the names of everybody in the event: another one as soon as somebody is renamed, merged or
    erased, none of which changes the event (one query).
    """
    members = EntrantMember.objects.filter(flight__event=event).order_by("pk")
    names = list(members.values_list("entrant__name", "player__person__name"))
    return blake2b(repr(names).encode(), digest_size=12).hexdigest()
