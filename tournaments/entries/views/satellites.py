"""Enter the winner of a satellite from the money page."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from clubs.access import SignedInRequest, decides
from clubs.refusals import with_remedy
from tournaments.entries.services.satellites import enter_winner
from tournaments.events.access import DIRECTORS, known_prize, require_director
from tournaments.events.views.answers import REFUSALS, refused_on


@decides(DIRECTORS)
@require_POST
def prize_entry(request: SignedInRequest, prize: str) -> HttpResponse:
    """Enter the winner in the event that the satellite is for."""
    found, role = known_prize(request.user, prize)
    require_director(role)
    event = found.flight.event
    try:
        enter_winner(prize=found, user=request.user)
    except REFUSALS as refused:
        return refused_on("event", request, event.ref, refused=with_remedy(refused))
    messages.success(request, _("The winner is entered."))
    return redirect("tournaments:money", event.ref)
