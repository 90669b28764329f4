"""Which errors of a match are wanted: the filter of its page, read from an address and written into it."""

from urllib.parse import urlencode

from django.http import HttpRequest

from clubs.models import User
from scoring.log.queries.results import side_of
from scoring.matches.queries.match_page import MatchPage
from scoring.matches.queries.steps import StepFilter
from scoring.models import Match
from scoring.rules.sides import Side
from scoring.theory.phases import GamePhase


def seat_of(request: HttpRequest, match: Match) -> Side | None:
    """The side at which the viewer played."""
    colour = side_of(match, request.user) if isinstance(request.user, User) else None
    return None if colour is None else Side(colour)


def wanted_of(request: HttpRequest, viewer: Side | None) -> StepFilter:
    """The errors to show; a player, kind, phase or game that there is not leaves all."""
    kind, phase, game = (request.GET.get(name, "") for name in ("kind", "phase", "game"))
    return StepFilter(
        viewer if "mine" in request.GET else None,
        "blunders" in request.GET,
        {"checker": False, "cube": True}.get(kind),
        GamePhase(phase) if phase in set(GamePhase) else None,
        int(game) if game.isdecimal() and len(game) < 5 and int(game) else None,
    )


def query_of(request: HttpRequest, page: MatchPage) -> str:
    """The query string that links to other steps keep."""
    kept = {name: "on" for name in ("mine", "blunders") if name in request.GET}
    if page.wanted.cube is not None:
        kept["kind"] = request.GET["kind"]
    if page.wanted.phase is not None:
        kept["phase"] = page.wanted.phase
    if page.wanted.game is not None:
        kept["game"] = str(page.wanted.game)
    if page.analysis is not None and page.analysis.ref == page.shown:
        kept["analysis"] = page.shown
    return f"?{urlencode(kept)}" if kept else ""
