"""What events keep of a guest goes to the player that the guest turns out to be."""

from django.utils.translation import gettext as _

from clubs.models import Player
from clubs.services.merging import MergeRefusedError
from tournaments.models import EntrantMember, WrittenElsewhere


def move_entries(guest: Player, into: Player) -> None:
    """Give the guest's entries, and what the guest wrote, to the player.

    Raises MergeRefusedError where both are in one flight.
    """
    entries = EntrantMember.objects.filter(player=guest)
    both = EntrantMember.objects.filter(player=into, active=True, flight__in=entries.values("flight"))
    met = both.select_related("flight__event").first()
    if met is not None:
        raise MergeRefusedError(
            _("Both are in %(event)s: they cannot be one person.") % {"event": met.flight.event.name}
        )
    entries.update(player=into)
    WrittenElsewhere.objects.filter(player=guest).update(player=into)
