"""Rating lists."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from clubs.access import ClubRequest, club_visible, public
from clubs.http.parts import page_or_part
from clubs.models import Club, User
from scoring.formulas.elo import formula_named
from scoring.log.queries.visible import clubs_of, clubs_seen_by
from scoring.ratings.queries.ratings import (
    Sort,
    list_of,
    lists_in,
    own_rating,
    provisional_beside,
    rating_stretch,
    ratings_of,
)

SORT_WORDS = [
    (Sort.RATING, _("Rating")),
    (Sort.CHANGE, _("Change")),
    (Sort.MATCHES, _("Matches")),
    (Sort.LAST, _("Last match")),
    (Sort.NAME, _("Name")),
]


@public
@require_safe
def ratings(request: HttpRequest) -> HttpResponse:
    """The way to every list that the viewer may see, those of the own clubs first, with one's own place."""
    own_clubs = set(clubs_of(request.user).values_list("pk", flat=True))
    lists = lists_in(clubs_seen_by(request.user))
    player = getattr(request.user, "player", None) if isinstance(request.user, User) else None
    places = {}
    if player is not None:
        places = {rating.list_id: rating for rating in ratings_of(player, clubs_seen_by(request.user))}
    lines = [(rating_list, places.get(rating_list.pk)) for rating_list in lists]
    context = {
        "own": [line for line in lines if line[0].club_id in own_clubs],
        "others": [line for line in lines if line[0].club_id not in own_clubs],
    }
    return render(request, "scoring/ratings/ratings.html", context)


@club_visible
@require_safe
def rating_list(request: ClubRequest, club: Club) -> HttpResponse:
    """A club's rating list: ranked players, or with ``provisional`` the others; searched and sorted."""
    search, after, before = (request.GET.get(name, "").strip() for name in ("q", "after", "before"))
    asked = request.GET.get("sort", "")
    sort = Sort(asked) if asked in set(Sort) else Sort.RATING
    provisional = bool(request.GET.get("provisional"))
    found = list_of(club)
    context: dict[str, Any] = {"club": club, "role": request.role, "search": search, "list": found}
    if found is not None:
        stretch, label = rating_stretch(
            found, search=search, sort=sort, provisional=provisional, after=after, before=before
        )
        begins = not (after or before or provisional)
        beside, more = provisional_beside(found, search=search) if begins else ([], False)
        context |= {
            "stretch": stretch,
            "label": label,
            "formula": formula_named(found.formula),
            "sort": sort,
            "sorts": SORT_WORDS,
            "provisional": provisional,
            "beside": beside,
            "more_beside": more,
            "own": own_rating(found, request.user) if begins and isinstance(request.user, User) else None,
        }
    return page_or_part(request, "scoring/ratings/rating_list.html", context, part="list")
