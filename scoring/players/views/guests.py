"""Players without an account, and their claim codes."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from clubs.access import ClubRequest, club_role
from clubs.clubs.services.clubs import make_claim_code, take_in
from clubs.clubs.services.erasures import ErasureRefused, erase_unclaimed
from clubs.http.addresses import for_phones
from clubs.http.methods import shows_a_form
from clubs.http.parts import page_or_part
from clubs.models import Club, Role
from clubs.people.services.names import NameRefused
from scoring.players.queries.guests import guest_stretch, guests_of


@club_role(Role.DIRECTOR)
@require_safe
def guests(request: ClubRequest, club: Club) -> HttpResponse:
    """List all players without an account, marking the unclaimed."""
    search = request.GET.get("q", "").strip()
    stretch = guest_stretch(
        club, search=search, after=request.GET.get("after", ""), before=request.GET.get("before", "")
    )
    owns = request.role == Role.OWNER
    context = {"club": club, "search": search, "stretch": stretch, "owns": owns}
    return page_or_part(request, "scoring/players/guests.html", context, part="list")


@club_role(Role.DIRECTOR)
@never_cache
@require_POST
def claim_code(request: ClubRequest, club: Club, player: str) -> HttpResponse:
    """Create a claim code for the guest and show it once."""
    guest = get_object_or_404(guests_of(club), ref=player)
    invitation, code = make_claim_code(club=club, guest=guest, made_by=request.user)
    link = for_phones(request, reverse("clubs:join", args=[code]))
    context = {"club": club, "guest": guest, "invitation": invitation, "code": code, "link": link}
    return render(request, "scoring/players/claim_code.html", context)


@club_role(Role.DIRECTOR)
@require_POST
def add_guest(request: ClubRequest, club: Club, player: str) -> HttpResponse:
    """Add an unclaimed player to the club as a guest."""
    guest = get_object_or_404(guests_of(club), ref=player)
    try:
        take_in(club=club, player=guest)
    except NameRefused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, _("%(name)s is now a guest of the club.") % {"name": guest.name})
    return redirect("scoring:guests", club.slug)


@club_role(Role.OWNER)
@shows_a_form
def erase_guest(request: ClubRequest, club: Club, player: str) -> HttpResponse:
    """Erase an unclaimed player: GET shows what is deleted and kept, POST erases."""
    guest = get_object_or_404(guests_of(club).exclude(memberships__club=club), ref=player)
    if request.method == "POST":
        try:
            erase_unclaimed(club=club, player=guest)
        except ErasureRefused as refused:
            messages.error(request, str(refused))
        else:
            messages.success(request, _("Name erased. The matches are kept."))
        return redirect("scoring:guests", club.slug)
    return render(request, "scoring/players/erase_guest.html", {"club": club, "guest": guest})
