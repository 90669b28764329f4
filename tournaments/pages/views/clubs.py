"""A club's front page."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.access import ClubRequest, club_role, club_visible, sees_lists
from clubs.clubs.services.clubs import put_steps_away
from clubs.http.parts import page_or_part
from clubs.models import Club, Membership, Role
from scoring.files.queries.names import claims_in
from scoring.log.queries.visible import seen_among
from scoring.matches.queries.matches import lines_of, recent, running_analyses, unconfirmed_in
from scoring.models import Match
from scoring.ratings.queries.ratings import list_of, top
from tournaments.display.queries.podiums import name_winners
from tournaments.events.queries.events import event_lists
from tournaments.pages.queries.first_steps import first_steps

PEOPLE = 6
WAITING = 3
RESULTS = 6
TOP = 8
PAST_EVENTS = 3


@club_visible
@require_safe
def club(request: ClubRequest, club: Club) -> HttpResponse:
    """The club page: events, results, ratings, members and tasks for directors."""
    people = Membership.objects.in_club(club)
    sees_people = sees_lists(request.role, club)
    rating_list = list_of(club)
    this_club = Club.objects.filter(pk=club.pk)
    directs = request.role is not None and request.role >= Role.DIRECTOR
    events = event_lists(request.user, club=club)
    past = name_winners(events.past[:PAST_EVENTS])
    first = events.running or events.coming
    context: dict[str, Any] = {
        "club": club,
        "role": request.role,
        "directs": directs,
        "uploads": request.role is not None and request.role >= Role.MEMBER,
        "first": first[0] if first else None,
        "events": [
            (name, words, found)
            for name, words, found in (
                ("running", _("In progress"), events.running[1:]),
                ("coming", _("Upcoming"), events.coming if events.running else events.coming[1:]),
                ("past", _("Past"), past),
            )
            if found
        ],
        "lines": recent(
            seen_among(Match.objects.in_club(club).finished(), request.user), request.user, size=RESULTS
        ),
        "list": rating_list,
        "top": top(rating_list, request.user, size=TOP) if rating_list else [],
        "running": running_analyses(this_club) if sees_people else [],
        "sees_people": sees_people,
        "count": people.filter(role__gte=Role.MEMBER).count(),
    }
    if sees_people:
        context["people"] = (
            people.filter(role__gte=Role.DIRECTOR)
            .with_player()
            .order_by("-role", "player__person__sort_key", "pk")[:PEOPLE]
        )
    if directs:
        waiting = unconfirmed_in(this_club)
        context["unconfirmed"] = lines_of(waiting.with_players().newest_first()[:WAITING], request.user)
        context["unconfirmed_count"] = waiting.count()
        context["claims"] = claims_in(club)
        if not club.steps_put_away:
            steps = first_steps(club, request.role or Role.DIRECTOR)
            context["steps"] = None if steps.complete else steps
    return page_or_part(request, "tournaments/pages/club.html", context, part="club")


@club_role(Role.DIRECTOR)
@require_POST
def put_away_steps(request: ClubRequest, club: Club) -> HttpResponse:
    """Leave the first steps out of the club's page, or show them again."""
    put_steps_away(club=club, away=request.POST.get("away") != "no")
    return redirect(club)
