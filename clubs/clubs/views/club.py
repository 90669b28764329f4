"""Pages of clubs: list, members, new club, settings."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.access import ClubRequest, SignedInRequest, club_role, club_visible, public, sees_lists, signed_in
from clubs.clubs.forms import ClubForm, NewClubForm
from clubs.clubs.queries import MEMBERS, called, clubs_page, members_page, roles_of
from clubs.clubs.services.clubs import create_club
from clubs.clubs.services.clubs import edit_club as change_settings
from clubs.http.methods import shows_a_form
from clubs.models import Club, Invitation, Membership, Role, User


@public
@require_safe
def clubs(request: HttpRequest) -> HttpResponse:
    """List the clubs that the viewer can see, their own first."""
    mine = Club.objects.none()
    if isinstance(request.user, User):
        mine = Club.objects.of_user(request.user)
    others = Club.objects.public().exclude(pk__in=mine.values("pk"))
    context = {
        "mine": mine.annotate(members=MEMBERS).order_by("name", "pk"),
        "page": clubs_page(others, after=request.GET.get("after", "")),
    }
    return render(request, "clubs/clubs/clubs.html", context)


@club_visible
@require_safe
def people(request: ClubRequest, club: Club) -> HttpResponse:
    """Show a club's members; only their number to a viewer who cannot see the list."""
    members = Membership.objects.in_club(club)
    roles = roles_of(members)
    context: dict[str, Any] = {
        "club": club,
        "role": request.role,
        "roles": roles,
        "count": sum(roles.values()),
        "members": sum(number for role, number in roles.items() if role >= Role.MEMBER),
        "directs": request.role is not None and request.role >= Role.DIRECTOR,
        "owns": request.role == Role.OWNER,
    }
    context["sees_people"] = sees_lists(request.role, club)
    if context["sees_people"]:
        # Site administrators have the role of owner without a membership.
        own = request.role is not None and members.filter(player__user=request.user).exists()
        context["own_membership"] = own
        asked, search = request.GET.get("role", ""), request.GET.get("q", "").strip()
        shown = next((each for each in roles if str(each.value) == asked), None)
        if shown is not None:
            members = members.filter(role=shown)
        if search:
            members = called(members, search)
        after = request.GET.get("after", "")
        context |= {"page": members_page(members, after=after), "after": after}
        context |= {"shown": shown, "search": search}
    if context["owns"]:
        invitations = Invitation.objects.open().filter(club=club).select_related("guest__person")
        context["invitations"] = invitations.order_by("-created_at")
    template = (
        "clubs/clubs/people.html#members"
        if request.headers.get("HX-Target") == "members"
        else "clubs/clubs/people.html"
    )
    response = render(request, template, context)
    patch_vary_headers(response, ["HX-Target"])
    return response


@signed_in
@shows_a_form
def new_club(request: SignedInRequest) -> HttpResponse:
    """Create a club; the user becomes its owner."""
    form = NewClubForm(request.POST or None)
    if form.is_valid():
        made = create_club(user=request.user, **form.cleaned_data)
        messages.success(request, _("%(club)s is ready. Invite your players.") % {"club": made.name})
        return redirect(made)
    return render(request, "clubs/clubs/new_club.html", {"form": form})


@club_role(Role.OWNER)
@shows_a_form
def edit_club(request: ClubRequest, club: Club) -> HttpResponse:
    form = ClubForm(request.POST or None, instance=club)
    if form.is_valid():
        change_settings(club=club, **form.cleaned_data)
        messages.success(request, _("Settings saved."))
        return redirect(club)
    return render(request, "clubs/clubs/edit_club.html", {"form": form, "club": club})
