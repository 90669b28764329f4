"""Rating lists."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from clubs.access import ClubRequest, club_visible, public
from clubs.http.parts import page_or_part
from clubs.models import Club, User
from scoring.formulas.elo import formula_named
from scoring.log.queries.visible import clubs_seen_by
from scoring.models import RatingList
from scoring.ratings.queries.ratings import (
    Sort,
    list_of,
    lists_in,
    own_rating,
    provisional_beside,
    rating_stretch,
    ratings_of,
)


@public
@require_safe
def ratings(request: HttpRequest) -> HttpResponse:
    """The viewer's or only rating list; else, or with ``all``, an index of lists."""
    lists = lists_in(clubs_seen_by(request.user))
    player = getattr(request.user, "player", None) if isinstance(request.user, User) else None
    places = {}
    if player is not None:
        places = {rating.list_id: rating for rating in ratings_of(player, clubs_seen_by(request.user))}
    lists.sort(key=lambda each: each.pk not in places)
    if lists and not request.GET.get("all") and (places or len(lists) == 1):
        chosen = next((each for each in lists if each.pk in places), lists[0])
        context = _list(request, chosen.club, chosen) | {"others": len(lists) - 1, "top": True}
        return page_or_part(request, "scoring/ratings/rating_list.html", context, part="list")
    lines = [(each, places.get(each.pk)) for each in lists]
    return render(request, "scoring/ratings/ratings.html", {"lines": lines, "placed": bool(places)})


@club_visible
@require_safe
def rating_list(request: ClubRequest, club: Club) -> HttpResponse:
    """A club's rating list: ranked players, or with ``provisional`` the others; searched and sorted."""
    context = _list(request, club, list_of(club))
    return page_or_part(request, "scoring/ratings/rating_list.html", context, part="list")


def _list(request: HttpRequest, club: Club, found: RatingList | None) -> dict[str, Any]:
    search, after, before = (request.GET.get(name, "").strip() for name in ("q", "after", "before"))
    if found is None:
        return {"club": club, "search": search, "list": None}
    asked = request.GET.get("sort", "")
    sort = Sort(asked) if asked in set(Sort) else Sort.RATING
    provisional = bool(request.GET.get("provisional"))
    stretch, label, labels = rating_stretch(
        found,
        request.user,
        search=search,
        sort=sort,
        provisional=provisional,
        after=after,
        before=before,
        label=request.GET.get("label", ""),
    )
    begins = not (after or before or provisional)
    beside, more = provisional_beside(found, search=search) if begins else ([], False)
    return {
        "club": club,
        "list": found,
        "search": search,
        "stretch": stretch,
        "label": label,
        "labels": labels,
        "formula": formula_named(found.formula),
        "sort": sort,
        "provisional": provisional,
        "beside": beside,
        "more_beside": more,
        "own": own_rating(found, request.user) if begins and isinstance(request.user, User) else None,
    }
