"""Pages of names in match files: members claim them, directors assign them."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.access import ClubRequest, SignedInRequest, club_role, decides, role_of
from clubs.http.parts import page_or_part
from clubs.models import Club, Merge, Player, Role
from clubs.people.services.merges import MergeRefused, undo_merge
from clubs.people.services.names import player_of
from scoring.files.queries.names import (
    claims_waiting,
    likely_people,
    merges_in,
    name_stretch,
    people_of,
    people_stretch,
)
from scoring.files.services.aliases import ClaimWaitsRefused, claim_name, confirm_claim, refuse_claim
from scoring.models import Alias, Match


@club_role(Role.DIRECTOR)
@require_safe
def names(request: ClubRequest, club: Club) -> HttpResponse:
    """List the names in the club's files, claims first."""
    search = request.GET.get("q", "").strip()
    stretch = name_stretch(
        club, search=search, after=request.GET.get("after", ""), before=request.GET.get("before", "")
    )
    context = {"club": club, "search": search, "stretch": stretch}
    context |= {"claims": claims_waiting(club), "merges": merges_in(club)}
    return page_or_part(request, "scoring/files/names.html", context, part="list")


@club_role(Role.DIRECTOR)
@require_safe
def name(request: ClubRequest, club: Club, alias: str) -> HttpResponse:
    """Find the player for a name, and preview the change."""
    found = _alias(club, alias)
    search = request.GET.get("q", "").strip()
    people = people_stretch(
        club, found, search=search, after=request.GET.get("after", ""), before=request.GET.get("before", "")
    )
    chosen = people_of(club, found).filter(ref=request.GET.get("player", "")).first()
    matches = Match.objects.in_club(club).filter(seats__player=found.player).count()
    context = {
        "club": club,
        "alias": found,
        "search": search,
        "stretch": people,
        "person": chosen,
        "matches": matches,
    }
    if chosen is None and not search and not found.confirmed_at and "after" not in request.GET:
        context["likely"] = likely_people(club, found)
    return page_or_part(request, "scoring/files/name.html", context, part="list")


@club_role(Role.DIRECTOR)
@require_POST
def assign_name(request: ClubRequest, club: Club, alias: str) -> HttpResponse:
    """Assign the name to a player, by default the one who claimed it."""
    found = _alias(club, alias)
    ref = request.POST.get("player")
    chosen = get_object_or_404(people_of(club, found), ref=ref) if ref else None
    try:
        settled = confirm_claim(alias=found, player=chosen, by=request.user)
    except MergeRefused as refused:
        messages.error(request, str(refused))
    else:
        words = {"name": settled.name, "player": _name_of(settled.player_id)}
        messages.success(request, _("“%(name)s” is now assigned to %(player)s.") % words)
    return redirect("scoring:names", club.slug)


@club_role(Role.DIRECTOR)
@require_POST
def refuse_name(request: ClubRequest, club: Club, alias: str) -> HttpResponse:
    """Reject the claim to a name."""
    found = _alias(club, alias)
    refuse_claim(alias=found)
    messages.info(request, _("The claim to “%(name)s” is rejected.") % {"name": found.name})
    return redirect("scoring:names", club.slug)


@decides("people of the name's club")
@require_POST
def claim(request: SignedInRequest, alias: str) -> HttpResponse:
    """Claim a name."""
    found = Alias.objects.select_related("club", "player").filter(ref=alias).first()
    role = None if found is None else role_of(request.user, found.club)
    if found is None or role is None:
        raise Http404(_("No name has the ref %(ref)s.") % {"ref": alias})
    mine = player_of(user=request.user)
    try:
        claimed = claim_name(alias=found, player=mine)
    except (MergeRefused, ClaimWaitsRefused) as refused:
        messages.error(request, str(refused))
        return redirect("scoring:player", found.player.ref)
    words = _("You have claimed “%(name)s”. A director of %(club)s decides.")
    messages.info(request, words % {"club": found.club.name, "name": claimed.name})
    return redirect("scoring:player", found.player.ref)


@club_role(Role.DIRECTOR)
@require_POST
def undo(request: ClubRequest, club: Club, merge: str) -> HttpResponse:
    """Undo a merge; the guest becomes a separate player again."""
    found = get_object_or_404(Merge.objects.in_club(club), ref=merge)
    try:
        guest = undo_merge(merge=found)
    except MergeRefused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(
            request, _("Merge undone: %(name)s is a separate player again.") % {"name": _name_of(guest.pk)}
        )
    return redirect("scoring:names", club.slug)


def _alias(club: Club, ref: str) -> Alias:
    aliases = Alias.objects.in_club(club).select_related("player__person", "claimed_by__person")
    return get_object_or_404(aliases, ref=ref)


def _name_of(player_id: int) -> str:
    return Player.objects.with_person().get(pk=player_id).name
