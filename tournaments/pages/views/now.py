"""The first page: tasks for members, the front page for visitors."""

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from clubs.access import public
from clubs.http.parts import page_or_part
from clubs.models import Club, Role, User
from scoring.chouettes.queries.lists import open_tables_of
from scoring.log.queries.visible import clubs_of, seen_among
from scoring.matches.queries.days import by_day
from scoring.matches.queries.form import forms_of
from scoring.matches.queries.matches import (
    lines_of,
    recent,
    running_analyses,
    unconfirmed_by_club,
    waiting_for,
)
from scoring.matches.queries.narrowed import WhichMatches, kept
from scoring.matches.queries.reported import reported_to
from scoring.models import Match
from scoring.ratings.queries.ratings import newest_change_of
from tournaments.display.queries.podiums import name_winners
from tournaments.events.queries.events import next_event_of
from tournaments.pages.queries.front import shown_play
from tournaments.pages.queries.happening import happening
from tournaments.pages.queries.mine import desks_of, my_matches

WAITING = 10
OTHERS = 4
# A browser keeps six connections to a server over HTTP/1.1, and every live topic is one of them.
LIVE_CLUBS = 2
LIVE_EVENTS = 2


@public
@never_cache
@require_safe
def now(request: HttpRequest) -> HttpResponse:
    """Show tasks, matches and clubs to members, the front page to visitors."""
    demo = {"demo": Club.objects.filter(is_demo=True).first()}
    if isinstance(request.user, User):
        context = _personal(request.user) | demo
        return page_or_part(request, "tournaments/pages/now.html", context, part="now")
    context = _visitor(request.user) | demo
    return page_or_part(request, "tournaments/pages/home.html", context, part="home")


def _visitor(viewer: AnonymousUser) -> dict[str, Any]:
    clubs = Club.objects.public()
    shown = happening(viewer)
    if shown:
        name_winners([shown.event])
    return {
        "example": shown_play(viewer),
        "happening": shown,
        "club_lines": recent(
            seen_among(Match.objects.finished().filter(club__in=clubs), viewer), viewer, size=OTHERS
        ),
    }


def _personal(user: User) -> dict[str, Any]:
    clubs = clubs_of(user)
    own = list(clubs.order_by("name", "pk"))
    mine_next, desks = my_matches(user), desks_of(user)
    called = any(each.called for each in mine_next)
    waiting = reported_to(user, lines_of(waiting_for(user).with_players().newest_first()[:WAITING], user))
    called_to = [each.match for each in mine_next if each.match]
    in_play = kept(kept(Match.objects.all(), WhichMatches.MINE, user), WhichMatches.LIVE, user)
    going_on = recent(in_play.exclude(ref__in=called_to), user, size=OTHERS)
    # A match that is not called yet asks for nothing: what waits for the viewer comes first.
    shown = 1 if called or not (desks or waiting) else 0
    return {
        "mine_next": mine_next[0] if mine_next[:shown] else None,
        "later": mine_next[shown:],
        "called": called,
        "live_events": {each.event.ref: each.event for each in mine_next[:LIVE_EVENTS]}.values(),
        "going_on": forms_of(by_day(going_on, user), user.player) if going_on else [],
        "my_tables": open_tables_of(user),
        "desks": desks,
        "answered_quietly": called or bool(desks) or bool(going_on),
        "waiting": waiting,
        "coming": next_event_of(user, clubs),
        "change": newest_change_of(user),
        "running": running_analyses(clubs),
        "clubs": own,
        "many_clubs": len(own) > 1,
        "plays_at": clubs_of(user, least=Role.MEMBER).order_by("name", "pk").first(),
        "live_clubs": clubs.order_by("-version", "pk")[:LIVE_CLUBS],
        "to_settle": unconfirmed_by_club(clubs_of(user, least=Role.DIRECTOR)),
    }
