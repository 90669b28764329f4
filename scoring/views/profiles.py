"""A club's rules profiles: read by whoever may know the club, written by its directors."""

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.access import ClubRequest, club_role, club_visible
from clubs.models import Club, Role
from clubs.views.methods import shows_a_form
from scoring.models import ClubProfile
from scoring.profile_forms import ProfileForm
from scoring.profiles import BUILT_IN
from scoring.queries.profile_words import told
from scoring.queries.profiles import own_profiles, profile_of
from scoring.queries.scoresheet import text_of
from scoring.rules.errors import ScoringError
from scoring.services.profiles import keep_profile, retire_profile


@club_visible
@require_safe
def profiles(request: ClubRequest, club: Club) -> HttpResponse:
    """What the club's matches are played by: every profile in sentences."""
    own = [(told(profile_of(row)), row.retired_at) for row in own_profiles(club)]
    context = {
        "club": club,
        "directs": request.role is not None and request.role >= Role.DIRECTOR,
        "built_in": [told(profile) for profile in BUILT_IN.values()],
        "own": [each for each, retired in own if retired is None],
        "retired": [each for each, retired in own if retired is not None],
    }
    return render(request, "scoring/profiles.html", context)


@club_role(Role.DIRECTOR)
@shows_a_form
def new_profile(request: ClubRequest, club: Club) -> HttpResponse:
    """A copy of a profile (``?copy=wbf``), to be changed and kept under a name of its own."""
    known = dict(BUILT_IN) | {row.name: profile_of(row) for row in own_profiles(club)}
    copied = known.get(request.GET.get("copy", next(iter(BUILT_IN))))
    if copied is None:
        raise Http404(_("There is no such profile."))
    form = ProfileForm(_sent(request), profile=copied, version=None)
    return _kept(
        request, club, form, title=_("A copy of %(title)s") % {"title": told(copied).title}, new=True
    )


@club_role(Role.DIRECTOR)
@shows_a_form
def edit_profile(request: ClubRequest, club: Club, profile: str) -> HttpResponse:
    """Change a profile of the club's own: for the matches that begin from now on."""
    row = get_object_or_404(ClubProfile.objects.in_club(club).current(), name=profile)
    form = ProfileForm(_sent(request), profile=profile_of(row), version=row.version)
    return _kept(request, club, form, title=profile_of(row).title, new=False)


def _sent(request: ClubRequest) -> QueryDict | None:
    return request.POST if request.method == "POST" else None


def _kept(request: ClubRequest, club: Club, form: ProfileForm, *, title: str, new: bool) -> HttpResponse:
    """The form, or back to the list once what it says is kept."""
    if form.is_bound and form.is_valid():
        try:
            kept = keep_profile(club=club, values=form.values(), new=new, seen=form.cleaned_data["seen"])
        except ScoringError as error:
            form.add_error(None, text_of(error))
        else:
            words = _("New matches can be played by %(title)s from now on.")
            messages.success(request, words % {"title": kept.title})
            return redirect("scoring:profiles", club.slug)
    return render(request, "scoring/profile.html", {"club": club, "form": form, "title": title, "new": new})


@club_role(Role.DIRECTOR)
@require_POST
def retire(request: ClubRequest, club: Club, profile: str) -> HttpResponse:
    """Offer a profile for no new match, or (``again``) offer it once more."""
    again = "again" in request.POST
    row = get_object_or_404(ClubProfile.objects.in_club(club), name=profile)
    retire_profile(club=club, name=row.name, retired=not again)
    words = (
        _("%(title)s can be chosen for new matches again.")
        if again
        else _("%(title)s is offered for no new match. Matches that have begun keep it.")
    )
    messages.success(request, words % {"title": profile_of(row).title})
    return redirect("scoring:profiles", club.slug)
