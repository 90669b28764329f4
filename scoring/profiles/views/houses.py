"""Pages of a club's house rules for chouettes."""

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.access import ClubRequest, club_role, club_visible
from clubs.http.methods import shows_a_form
from clubs.models import Club, Role
from scoring.models import HouseRules
from scoring.profiles.forms.house import HouseForm
from scoring.profiles.queries.house_words import HouseInWords, house_in_words
from scoring.profiles.queries.houses import BUILT_IN, House, house_of, own_houses
from scoring.profiles.services.houses import keep_house, retire_house
from scoring.profiles.views.own_rules import Pages, sent

PAGES = Pages(
    form="scoring/profiles/house.html",
    all="scoring/profiles/houses.html",
    says="scoring/profiles/_house.html",
    home="scoring:houses",
    new="scoring:new_house",
    edit="scoring:edit_house",
    retire="scoring:retire_house",
)


def _told(house: House) -> HouseInWords:
    return house_in_words(house.name, house.title, house.options)


@club_visible
@require_safe
def houses(request: ClubRequest, club: Club) -> HttpResponse:
    """List the club's house rules in sentences."""
    own = [(_told(house_of(row)), row.retired_at) for row in own_houses(club)]
    return PAGES.list_rules(request, club, built_in=[_told(each) for each in BUILT_IN.values()], own=own)


@club_role(Role.DIRECTOR)
@shows_a_form
def new_house(request: ClubRequest, club: Club) -> HttpResponse:
    """Create house rules from a copy (``?copy=cambridge``)."""
    known = BUILT_IN | {row.name: house_of(row) for row in own_houses(club)}
    name = request.GET.get("copy", next(iter(BUILT_IN)))
    copied = known.get(name)
    if copied is None:
        raise Http404(_("There are no house rules %(name)s.") % {"name": name})
    form = HouseForm(sent(request), options=copied.options)
    title = _("Copy of %(title)s") % {"title": _told(copied).title}
    return _answer(request, club, form, title=title, new=True)


@club_role(Role.DIRECTOR)
@shows_a_form
def edit_house(request: ClubRequest, club: Club, house: str) -> HttpResponse:
    """Edit the club's house rules, for new tables."""
    row = get_object_or_404(HouseRules.objects.in_club(club).filter(retired_at=None), name=house)
    found = house_of(row)
    form = HouseForm(
        sent(request), options=found.options, title=found.title, name=row.name, version=row.version
    )
    return _answer(request, club, form, title=found.title, new=False)


def _answer(request: ClubRequest, club: Club, form: HouseForm, *, title: str, new: bool) -> HttpResponse:
    def keep() -> House:
        data = form.cleaned_data
        return keep_house(
            club=club,
            name=form.kept or data["name"],
            title=data["title"],
            values=form.values(),
            new=new,
            seen=data["seen"],
        )

    words = _("%(title)s is available for new tables.")
    return PAGES.answer(request, club, form, keep=keep, words=words, title=title)


@club_role(Role.DIRECTOR)
@require_POST
def retire_a_house(request: ClubRequest, club: Club, house: str) -> HttpResponse:
    """Retire house rules, or restore them (``again``)."""
    again = "again" in request.POST
    row = get_object_or_404(HouseRules.objects.in_club(club), name=house)
    retire_house(club=club, name=row.name, retired=not again)
    words = (
        _("%(title)s is available for new tables again.")
        if again
        else _("%(title)s is retired. Open tables keep it.")
    )
    return PAGES.tell(request, club, words, row.title)
