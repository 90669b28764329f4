"""A player's tabs and the calculation of a rating change."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.access import decides
from clubs.http.parts import page_or_part
from clubs.models import Club, Player, User
from clubs.models.club import ClubQuerySet
from scoring.analysis.queries.performances import labels_of, pooled
from scoring.formulas.elo import formula_named
from scoring.log.queries.visible import (
    clubs_of,
    clubs_seen_by,
    clubs_with_lists_for,
    matches_seen_by,
    player_seen_by,
    seen_among,
)
from scoring.matches.queries.days import by_day
from scoring.matches.queries.form import Tally, forms_of
from scoring.matches.queries.matches import labels_shown, lines_of, recent
from scoring.matches.queries.narrowed import WhichMatches
from scoring.matches.views.matches import narrowed_list
from scoring.models import Match, Rating, RatingChange
from scoring.models.match import MatchQuerySet
from scoring.players.queries.form import sum_lately
from scoring.players.queries.players import (
    clubs_where_known,
    names_of,
    opponents_of,
    records_by_length,
    together,
)
from scoring.players.views.histories import rating_chart, rating_curve
from scoring.ratings.queries.ratings import arithmetic, change_stretch, changes_of, ratings_of

CHART_POINTS = 200
RECENT = 10
CHANGES = 25
LATELY = timedelta(days=30)
SEEN = "through a match or a membership in a club that the viewer may see"


def of_player(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorator: pass the player to a page, or redirect from a merged one.

    Raises Http404 where the viewer must not know of them.
    """

    @wraps(view)
    def entered(request: HttpRequest, player: str, **more: str) -> HttpResponse:
        found = player_seen_by(request.user, player)
        if found is None:
            raise Http404(_("There is no player %(ref)s.") % {"ref": player})
        if found.merged_into:
            address = reverse(f"scoring:{view.__name__}", kwargs={"player": found.merged_into.ref} | more)
            return redirect(address)
        return view(request, found, **more)

    return entered


@decides(SEEN)
@require_safe
@of_player
def player(request: HttpRequest, player: Player) -> HttpResponse:
    """A player's overview in the clubs the viewer can see."""
    clubs = clubs_seen_by(request.user)
    seen = _seen(clubs, request)
    chosen, context = _ratings(request, player, clubs)
    changes = changes_of(player, chosen.list, limit=CHART_POINTS) if chosen else []
    labels = labels_of(player, matches=seen, viewer=request.user)
    label = next(iter(labels), "")
    rates = pooled([player.pk], matches=seen, label=label, viewer=request.user)
    names = names_of(player, clubs_of(request.user))
    lines = recent(seen.finished().filter(seats__player=player), request.user, size=RECENT)
    context |= head_of(request, player, clubs_where_known(player, clubs), "overview") | {
        "curve": rating_curve(changes, chosen.list.club.tz if chosen else ""),
        "lately": sum_lately(changes, since=now() - LATELY),
        "performance": rates.get(player.pk),
        "label": label,
        "analysed": labels.get(label, 0),
        "form": forms_of(by_day(lines, request.user), player),
        "shown_labels": labels_shown(lines),
        "names": names,
        "claimable": [n for n in names if n.confirmed_at is None and player.user_id is None],
    }
    return render(request, "scoring/players/player.html", context)


@decides(SEEN)
@require_safe
@of_player
def player_rating(request: HttpRequest, player: Player) -> HttpResponse:
    """The rating over time on one list, and what each match did to it."""
    clubs = clubs_seen_by(request.user)
    chosen, context = _ratings(request, player, clubs)
    changes = changes_of(player, chosen.list, limit=CHART_POINTS) if chosen else []
    after, before = request.GET.get("after", ""), request.GET.get("before", "")
    context |= head_of(request, player, clubs_where_known(player, clubs), "rating") | {
        "lately": sum_lately(changes, since=now() - LATELY),
        "chart": rating_chart(changes, title=_("Rating over time")),
        "curve": rating_curve(changes, chosen.list.club.tz if chosen else ""),
        "stretch": change_stretch(player, chosen.list, after=after, before=before, size=CHANGES)
        if chosen
        else None,
    }
    return page_or_part(request, "scoring/players/rating.html", context, part="list")


@decides(SEEN)
@require_safe
@of_player
def player_matches(request: HttpRequest, player: Player) -> HttpResponse:
    """The player's matches by day, searched and narrowed as every list of matches."""
    clubs = clubs_seen_by(request.user)
    seen = _seen(clubs, request)
    context = head_of(request, player, clubs_where_known(player, clubs), "matches")
    context |= narrowed_list(request, seen.filter(seats__player=player))
    context["form"] = forms_of(context["days"], player)
    if context["is_me"]:
        context["choices"] = [each for each in context["choices"] if each.shown != WhichMatches.MINE]
    return page_or_part(request, "scoring/players/matches.html", context, part="list")


@decides(SEEN)
@require_safe
@of_player
def player_statistics(request: HttpRequest, player: Player) -> HttpResponse:
    """Leads to *Play*, which has the statistics."""
    query = request.GET.urlencode()
    address = reverse("scoring:player_play", args=[player.ref])
    return redirect(f"{address}?{query}" if query else address, permanent=True)


@decides(SEEN)
@require_safe
@of_player
def opponents(request: HttpRequest, player: Player) -> HttpResponse:
    """The player's record against all opponents, most matches first."""
    clubs = clubs_seen_by(request.user)
    context = head_of(request, player, clubs_where_known(player, clubs), "opponents")
    context["stretch"] = opponents_of(
        player,
        clubs_with_lists_for(request.user),
        after=request.GET.get("after", ""),
        before=request.GET.get("before", ""),
    )
    return page_or_part(request, "scoring/players/opponents.html", context, part="list")


@decides("the match's club and the player, as visible as the player's page")
@require_safe
@of_player
def rating_change(request: HttpRequest, player: Player, match: str) -> HttpResponse:
    """What one match did to the player's ratings, step by step."""
    seen = matches_seen_by(request.user).with_players()
    played = get_object_or_404(seen, ref=match)
    rows = RatingChange.objects.filter(player=player, match=played)
    rows = rows.select_related("list__club", "player__person", "opponent__person").order_by("list_id")
    changes = [(arithmetic(row), formula_named(row.list.formula)) for row in rows]
    if not changes:
        raise Http404(_("This match did not change this player’s rating."))
    lines = lines_of([played], request.user)
    context = {
        "player": player,
        "match": played,
        "line": lines[0],
        "shown_labels": labels_shown(lines),
        "changes": changes,
    }
    return render(request, "scoring/ratings/rating_change.html", context)


def _seen(clubs: ClubQuerySet, request: HttpRequest) -> MatchQuerySet:
    return seen_among(Match.objects.filter(club__in=clubs), request.user)


def head_of(
    request: HttpRequest,
    player: Player,
    clubs: Sequence[Club],
    tab: str,
    *,
    lengths: Sequence[tuple[int, Tally]] | None = None,
) -> dict[str, Any]:
    """Context of the head above every tab (one query; none where the records by ``lengths`` are known).

    ``clubs`` are those ``clubs_where_known``.
    """
    known = records_by_length(player, clubs, request.user) if lengths is None else lengths
    return {
        "player": player,
        "tab": tab,
        "clubs": clubs,
        "record": together(each for _length, each in known),
        "is_me": isinstance(request.user, User) and player.user_id == request.user.pk,
    }


def _ratings(
    request: HttpRequest, player: Player, clubs: ClubQuerySet
) -> tuple[Rating | None, dict[str, Any]]:
    """The lists on which the player stands, and the one that ``list`` asks for, else that of most matches."""
    ratings = ratings_of(player, clubs)
    chosen = next((r for r in ratings if r.list.ref == request.GET.get("list")), next(iter(ratings), None))
    return chosen, {"ratings": ratings, "standing": chosen}
