"""Players of an entry by name: new names become guests of the club."""

from collections.abc import Sequence
from typing import TypeAlias

from django.utils.translation import gettext as _

from clubs.clubs.services.clubs import add_player
from clubs.models import Player
from clubs.models.person import sort_key
from clubs.people.search import members
from clubs.people.services.names import NameRefused
from tournaments.log.refusals import DeskRefused
from tournaments.models import EntrantMember, Flight

Entering: TypeAlias = "Player | str"
"""A player, or the name of a new guest."""


def guests_made(flight: Flight, players: Sequence[Entering]) -> list[Player]:
    """The players of an entry, with a guest of the club for each name (two queries a name).

    The name of a guest who is in this flight already is that guest, so that a form sent twice makes no second
    one. The caller has locked the flight. Raises DeskRefused for a name that looks like a member's.
    """
    return [player if isinstance(player, Player) else _guest(flight, player) for player in players]


def _guest(flight: Flight, name: str) -> Player:
    named = members(flight.event.club).filter(person__sort_key=sort_key(name), user=None)
    here = EntrantMember.objects.filter(flight=flight, active=True, player__in=named).values("player")
    known: Player | None = named.filter(pk__in=here).with_person().first()
    if known is not None:
        return known
    try:
        return add_player(club=flight.event.club, name=name).player
    except NameRefused as refused:
        raise DeskRefused(
            _("%(name)s cannot become a guest. %(why)s") % {"name": name, "why": refused}, code="name"
        ) from refused
