"""Pages of members and their roles."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from clubs.access import ClubRequest, club_role
from clubs.clubs.forms import PlayerForm, RoleForm, TitleForm
from clubs.clubs.services.clubs import ClubRefused, add_player, change_role, end_membership, give_title
from clubs.clubs.services.erasures import ErasureRefused, erase_guest
from clubs.http.methods import shows_a_form
from clubs.models import Club, Membership, Role
from clubs.people.services.names import NameRefused, player_of


@club_role(Role.DIRECTOR)
@shows_a_form
def add_member(request: ClubRequest, club: Club) -> HttpResponse:
    """Add a player without an account."""
    form = PlayerForm(request.POST or None, prefix="player")
    if form.is_valid():
        try:
            add_player(club=club, **form.cleaned_data)
        except NameRefused as refused:
            form.add_error("name", str(refused))
        else:
            messages.success(request, _("%(name)s is now in the club.") % form.cleaned_data)
            return redirect("clubs:people", club.slug)
    return render(request, "clubs/clubs/add_member.html", {"form": form, "club": club})


@club_role(Role.OWNER)
@shows_a_form
def change_member(request: ClubRequest, club: Club, player: str) -> HttpResponse:
    """Change a member's role."""
    people = Membership.objects.in_club(club).with_player()
    membership = get_object_or_404(people, player__ref=player)
    form = RoleForm(request.POST or None, initial={"role": membership.role})
    if form.is_valid():
        try:
            changed = change_role(club=club, player_ref=player, role=form.cleaned_data["role"])
        except ClubRefused as refused:
            form.add_error("role", str(refused))
        else:
            names = {"name": changed.player.name, "role": Role(changed.role).label}
            messages.success(request, _("%(name)s: %(role)s.") % names)
            return redirect("clubs:people", club.slug)
    context = {"form": form, "club": club, "membership": membership}
    return render(request, "clubs/clubs/member.html", context)


@club_role(Role.DIRECTOR)
@shows_a_form
def member_title(request: ClubRequest, club: Club, player: str) -> HttpResponse:
    """Set a player's title, which divisions can require."""
    people = Membership.objects.in_club(club).with_player().select_related("title_by__player__person")
    membership = get_object_or_404(people, player__ref=player)
    form = TitleForm(request.POST or None, initial={"title": membership.title})
    if request.method == "POST" and form.is_valid():
        title = form.cleaned_data["title"]
        give_title(club=club, player_ref=player, title=title, user=request.user)
        names = {"name": membership.player.name, "title": title.label if title else _("no title")}
        messages.success(request, _("%(name)s: %(title)s.") % names)
        return redirect("clubs:people", club.slug)
    context = {"form": form, "club": club, "membership": membership}
    return render(request, "clubs/clubs/title.html", context)


@club_role(Role.OWNER)
@shows_a_form
def remove_member(request: ClubRequest, club: Club, player: str) -> HttpResponse:
    """Show what is kept; a POST removes the member."""
    if request.method != "POST":
        people = Membership.objects.in_club(club).with_player()
        membership = get_object_or_404(people, player__ref=player)
        return render(request, "clubs/clubs/remove_member.html", {"club": club, "membership": membership})
    try:
        gone = end_membership(club=club, player_ref=player)
    except ClubRefused as refused:
        messages.error(request, str(refused))
    except Membership.DoesNotExist:
        messages.info(request, _("This player is no longer in the club."))
    else:
        messages.success(request, _("%(name)s was removed from the club.") % {"name": gone.name})
    return redirect("clubs:people", club.slug)


@club_role(Role.OWNER)
@shows_a_form
def erase_member(request: ClubRequest, club: Club, player: str) -> HttpResponse:
    """Show what is deleted and kept; a POST erases the guest."""
    people = Membership.objects.in_club(club).with_player().filter(player__user=None)
    membership = get_object_or_404(people, player__ref=player)
    if request.method == "POST":
        try:
            erase_guest(club=club, player_ref=player)
        except ErasureRefused as refused:
            messages.error(request, str(refused))
        except Membership.DoesNotExist:
            messages.info(request, _("This player is no longer in the club."))
        else:
            messages.success(request, _("Name erased. The matches are kept."))
        return redirect(club)
    return render(request, "clubs/clubs/erase_member.html", {"club": club, "membership": membership})


@club_role(Role.GUEST)
@require_POST
def leave(request: ClubRequest, club: Club) -> HttpResponse:
    """Leave the club."""
    try:
        end_membership(club=club, player_ref=player_of(user=request.user).ref)
    except ClubRefused as refused:
        messages.error(request, str(refused))
        return redirect("clubs:people", club.slug)
    except Membership.DoesNotExist:
        messages.info(request, _("You are not in %(club)s.") % {"club": club.name})
    else:
        messages.success(request, _("You have left %(club)s.") % {"club": club.name})
    return redirect("clubs:clubs")
