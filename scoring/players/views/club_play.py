"""How well a club plays: PR list, the luckiest and the best-played match, the biggest blunder."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from clubs.access import ClubRequest, Viewer, club_visible
from clubs.models import Club
from scoring.analysis.queries.label_words import label_words
from scoring.log.queries.visible import seen_among
from scoring.models import Match
from scoring.models.match import MatchQuerySet
from scoring.players.queries.group_play import group_play
from scoring.players.queries.play_rows import MOST_MATCHES, labels_among, newest_of_all
from scoring.theory.play_sums import FEWEST


@club_visible
@require_safe
def club_play(request: ClubRequest, club: Club) -> HttpResponse:
    """The play in the club's newest analysed matches that the viewer can see."""
    seen = seen_among(Match.objects.in_club(club), request.user)
    labels = labels_among(seen, viewer=request.user)
    asked = request.GET.get("label", "")
    context = group_context(seen, request.user, labels, asked)
    return render(request, "scoring/players/club_play.html", context | {"club": club})


def group_context(matches: MatchQuerySet, viewer: Viewer, labels: list[str], asked: str) -> dict[str, Any]:
    """Context of the figures of these matches under the label that was asked for, else under the first."""
    label = asked if asked in labels else next(iter(labels), "")
    play = group_play(newest_of_all(matches, label=label, viewer=viewer))
    return {
        "play": play,
        "label": label,
        "labels": [(each, label_words(each)) for each in labels],
        "most": MOST_MATCHES if play.matches == MOST_MATCHES else 0,
        "fewest": FEWEST,
    }
