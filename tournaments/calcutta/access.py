"""Access to the lots of an auction: as to the event of their flight."""

from django.http import Http404
from django.utils.translation import gettext as _

from clubs.access import Viewer
from clubs.models import Role
from tournaments.events.access import known_flight
from tournaments.models import AuctionLot


def known_lot(viewer: Viewer, ref: str) -> tuple[AuctionLot, Role | None]:
    """The lot with its auction, flight, event and club. Raises Http404 if not visible."""
    rows = AuctionLot.objects.filter(ref=ref).select_related("auction__flight__event__club", "buyer__person")
    lot = rows.prefetch_related("entrants__entrant__members__player__person").first()
    if lot is None:
        raise Http404(_("Lot not found."))
    try:
        _flight, role = known_flight(viewer, lot.auction.flight.ref)
    except Http404:  # in the same words, so that nobody learns of a lot that they cannot see
        raise Http404(_("Lot not found.")) from None
    return lot, role
