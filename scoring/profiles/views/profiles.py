"""Pages of a club's rules profiles."""

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.access import ClubRequest, club_role, club_visible
from clubs.http.methods import shows_a_form
from clubs.models import Club, Role
from scoring.models import ClubProfile
from scoring.profiles.forms.profile import ProfileForm
from scoring.profiles.queries.profile_words import told
from scoring.profiles.queries.profiles import own_profiles, profile_of
from scoring.profiles.services.profiles import keep_profile, retire_profile
from scoring.profiles.views.own_rules import Pages, sent
from scoring.rules.profiles import BUILT_IN

PAGES = Pages(
    form="scoring/profiles/profile.html",
    all="scoring/profiles/profiles.html",
    says="scoring/profiles/_profile.html",
    home="scoring:profiles",
    new="scoring:new_profile",
    edit="scoring:edit_profile",
    retire="scoring:retire_profile",
)


@club_visible
@require_safe
def profiles(request: ClubRequest, club: Club) -> HttpResponse:
    """List the club's rules profiles in sentences."""
    own = [(told(profile_of(row)), row.retired_at) for row in own_profiles(club)]
    return PAGES.list_rules(request, club, built_in=[told(each) for each in BUILT_IN.values()], own=own)


@club_role(Role.DIRECTOR)
@shows_a_form
def new_profile(request: ClubRequest, club: Club) -> HttpResponse:
    """Create a profile from a copy (``?copy=wbf``)."""
    known = dict(BUILT_IN) | {row.name: profile_of(row) for row in own_profiles(club)}
    name = request.GET.get("copy", next(iter(BUILT_IN)))
    copied = known.get(name)
    if copied is None:
        raise Http404(_("There are no rules %(name)s.") % {"name": name})
    form = ProfileForm(sent(request), profile=copied, version=None)
    title = _("Copy of %(title)s") % {"title": told(copied).title}
    return _answer(request, club, form, title=title, new=True)


@club_role(Role.DIRECTOR)
@shows_a_form
def edit_profile(request: ClubRequest, club: Club, profile: str) -> HttpResponse:
    """Edit the club's profile, for new matches."""
    row = get_object_or_404(ClubProfile.objects.in_club(club).current(), name=profile)
    form = ProfileForm(sent(request), profile=profile_of(row), version=row.version)
    return _answer(request, club, form, title=profile_of(row).title, new=False)


def _answer(request: ClubRequest, club: Club, form: ProfileForm, *, title: str, new: bool) -> HttpResponse:
    return PAGES.answer(
        request,
        club,
        form,
        keep=lambda: keep_profile(club=club, values=form.values(), new=new, seen=form.cleaned_data["seen"]),
        words=_("%(title)s is available for new matches."),
        title=title,
    )


@club_role(Role.DIRECTOR)
@require_POST
def retire(request: ClubRequest, club: Club, profile: str) -> HttpResponse:
    """Retire a profile, or restore it (``again``)."""
    again = "again" in request.POST
    row = get_object_or_404(ClubProfile.objects.in_club(club), name=profile)
    retire_profile(club=club, name=row.name, retired=not again)
    words = (
        _("%(title)s is available for new matches again.")
        if again
        else _("%(title)s is retired. Matches in progress keep it.")
    )
    return PAGES.tell(request, club, words, profile_of(row).title)
