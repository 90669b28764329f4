"""What somebody's chouettes have come to: one's own, or anybody's for a director."""

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.access import ClubRequest, club_role
from clubs.models import Club, Player, Role
from scoring.chouettes.queries.statistics import statistics_of


@club_role(Role.GUEST)
@require_safe
def chouette_statistics(request: ClubRequest, club: Club) -> HttpResponse:
    """The viewer's statistics; ``?player=ref`` shows another player's to directors."""
    directs = request.role is not None and request.role >= Role.DIRECTOR
    players = Player.objects.current().with_person()
    own = players.filter(user=request.user).first()
    asked = request.GET.get("player", "")
    player = own if not asked else players.filter(ref=asked, memberships__club=club).first()
    if asked and (player is None or not (directs or player == own)):
        raise Http404(_("You do not have access to this player’s statistics."))
    context = {
        "club": club,
        "player": player,
        "is_own": player == own,
        "statistics": None if player is None else statistics_of(club, player),
        "directs": directs,
        "points_only": club.points_only,
    }
    return render(request, "scoring/chouettes/chouette_statistics.html", context)
