"""A player: ratings and error rates over time, matches with their arithmetic, opponents, names in files."""

from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.access import decides
from clubs.http.parts import page_or_part
from clubs.models import Player, User
from clubs.models.club import ClubQuerySet
from scoring.analysis.queries.performances import labels_of, performances_of, pooled
from scoring.drawing.charts import Chart
from scoring.formulas.elo import formula_named
from scoring.log.queries.keyset import Stretch
from scoring.log.queries.visible import (
    clubs_of,
    clubs_seen_by,
    clubs_with_lists_for,
    matches_seen_by,
    player_seen_by,
    seen_among,
)
from scoring.matches.queries.matches import MatchLine, lines_of, match_stretch
from scoring.models import Match, Rating, RatingChange
from scoring.players.queries.players import clubs_where_known, names_of, opponents_of, record_of
from scoring.players.views.histories import performance_chart, rating_chart
from scoring.ratings.queries.ratings import Arithmetic, arithmetic, changes_by_match, changes_of, ratings_of

CHART_POINTS = 200
OPPONENTS = 8
MATCHES = 15


@dataclass(frozen=True, slots=True)
class PlayedLine:
    """A match of the player with what it did to the player's ratings."""

    line: MatchLine
    changes: list[Arithmetic]


@decides("through a match or a membership in a club that the viewer may see")
@require_safe
def player(request: HttpRequest, player: str) -> HttpResponse:
    """Everything that is known of a player in the clubs that the viewer may see."""
    found = enter_player(request, player)
    if found.merged_into:
        return redirect("scoring:player", found.merged_into.ref)
    clubs = clubs_seen_by(request.user)
    matches = _matches(found, clubs, request)
    context: dict[str, Any] = {"player": found, "stretch": matches}
    if request.headers.get("HX-Target") != "matches":
        context |= _profile(request, found, clubs)
    return page_or_part(request, "scoring/players/player.html", context, part="matches")


@decides("through a match or a membership in a club that the viewer may see")
@require_safe
def opponents(request: HttpRequest, player: str) -> HttpResponse:
    """The record against everybody the player met, most matches first."""
    found = enter_player(request, player)
    if found.merged_into:
        return redirect("scoring:opponents", found.merged_into.ref)
    stretch = opponents_of(
        found,
        clubs_with_lists_for(request.user),
        after=request.GET.get("after", ""),
        before=request.GET.get("before", ""),
    )
    context = {"player": found, "stretch": stretch}
    return page_or_part(request, "scoring/players/opponents.html", context, part="list")


@decides("the match's club and the player, as visible as the player's page")
@require_safe
def rating_change(request: HttpRequest, player: str, match: str) -> HttpResponse:
    """What one match did to the player's ratings, step by step."""
    found = enter_player(request, player)
    if found.merged_into:
        return redirect("scoring:rating_change", found.merged_into.ref, match)
    seen = matches_seen_by(request.user).with_players()
    played = get_object_or_404(seen, ref=match)
    rows = RatingChange.objects.filter(player=found, match=played)
    rows = rows.select_related("list__club", "player__person", "opponent__person").order_by("list_id")
    changes = [(arithmetic(row), formula_named(row.list.formula)) for row in rows]
    if not changes:
        raise Http404(_("This match did not move this player's rating."))
    context = {"player": found, "match": played, "line": lines_of([played])[0], "changes": changes}
    return render(request, "scoring/ratings/rating_change.html", context)


def enter_player(request: HttpRequest, ref: str) -> Player:
    """The player of a URL. Raises Http404 where the viewer must not know of them."""
    found = player_seen_by(request.user, ref)
    if found is None:
        raise Http404(_("There is no such player."))
    return found


def _matches(player: Player, clubs: ClubQuerySet, request: HttpRequest) -> Stretch[PlayedLine]:
    stretch = match_stretch(
        seen_among(Match.objects.filter(club__in=clubs, seats__player=player), request.user),
        after=request.GET.get("after", ""),
        before=request.GET.get("before", ""),
        size=MATCHES,
    )
    changes = changes_by_match(player, [line.match for line in stretch.rows])
    rows = [PlayedLine(line, changes.get(line.match.pk, [])) for line in stretch.rows]
    return Stretch(rows, stretch.before, stretch.after)


def _profile(request: HttpRequest, player: Player, clubs: ClubQuerySet) -> dict[str, Any]:
    ratings = ratings_of(player, clubs)
    chosen = next((r for r in ratings if r.list.ref == request.GET.get("list")), next(iter(ratings), None))
    seen = seen_among(Match.objects.filter(club__in=clubs), request.user)
    labels = labels_of(player, matches=seen)
    label = next(iter(labels), "")
    own_clubs = clubs_of(request.user)
    names = names_of(player, own_clubs)
    return {
        "ratings": ratings,
        "standing": chosen,
        "rating_chart": _rating_chart(player, chosen),
        "performance": pooled([player.pk], matches=seen, label=label).get(player.pk),
        "performance_chart": performance_chart(
            performances_of(player, matches=seen, label=label, limit=CHART_POINTS), title=_("PR over time")
        ),
        "label": label,
        "other_labels": labels[1:],
        "record": record_of(player, seen),
        "opponents": opponents_of(player, clubs_with_lists_for(request.user), size=OPPONENTS),
        "clubs": clubs_where_known(player, clubs),
        "names": names,
        "is_me": isinstance(request.user, User) and player.user_id == request.user.pk,
        "claimable": [n for n in names if n.confirmed_at is None and player.user_id is None],
    }


def _rating_chart(player: Player, chosen: Rating | None) -> Chart | None:
    if chosen is None:
        return None
    title = _("Rating over time in %(club)s") % {"club": chosen.list.club.name}
    return rating_chart(changes_of(player, chosen.list, limit=CHART_POINTS), title=title)
