"""Move the entries and auction lots of a guest to a player when the two are merged."""

from django.utils.translation import gettext as _

from clubs.models import Player
from clubs.people.services.merges import MergeRefused, Moved
from tournaments.models import AuctionLot, EntrantMember


def move_entries(guest: Player, into: Player) -> Moved:
    """Move the guest's entries and lots to the player and return their keys.

    Raises MergeRefused if both are in one flight.
    """
    entries = EntrantMember.objects.filter(player=guest)
    both = EntrantMember.objects.filter(player=into, active=True, flight__in=entries.values("flight"))
    met = both.select_related("flight__event").first()
    if met is not None:
        raise MergeRefused(
            _("Both are entered in %(event)s, so they cannot be the same player.")
            % {"event": met.flight.event.name}
        )
    moved = {"entries": list(entries.values_list("pk", flat=True))}
    entries.update(player=into)
    lots = AuctionLot.objects.filter(buyer=guest)
    moved["lots"] = list(lots.values_list("pk", flat=True))
    lots.update(buyer=into)
    return moved


def put_entries_back(guest: Player, into: Player, moved: Moved) -> None:
    """Undo :func:`move_entries`."""
    EntrantMember.objects.filter(pk__in=moved["entries"], player=into).update(player=guest)
    AuctionLot.objects.filter(pk__in=moved.get("lots", []), buyer=into).update(buyer=guest)
