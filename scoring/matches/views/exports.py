"""Match exports: OGXM, SGF, JSON and PDF."""

import json
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from clubs.access import decides
from clubs.formats.dates import moment
from scoring.analysis.queries.privacy import require_analysis
from scoring.log.queries.results import waiting_names
from scoring.log.queries.words import text_of
from scoring.matches.queries.exports import analysed_ogxm_of, analysed_sgf_of
from scoring.matches.queries.match_page import MatchPage
from scoring.models import Match, MatchStatus
from scoring.profiles.queries.profile_words import sentences
from scoring.rules.endings import GameEnd
from scoring.rules.errors import ScoringError
from scoring.rules.match_state import FinishedGame, state_from_plain
from scoring.rules.profiles import profile_from_plain
from scoring.rules.sides import Side
from scoring.sheets.paper import GameLine, PrintedSheet, score_sheet, slip
from scoring.sheets.queries.event_words import win_words
from scoring.sheets.queries.exports import json_of, ogxm_of, sgf_of
from scoring.sheets.queries.scoresheet import names_of
from scoring.sheets.views.visible_match import visible_match

VIEWERS = "viewers of the match's club"

Writers = tuple[Callable[[Match], bytes], Callable[[MatchPage], bytes]]


@decides(VIEWERS)
@require_safe
def match_ogxm(request: HttpRequest, match: str) -> HttpResponse:
    """The match in OGXM; 422 with the reason where only results are recorded.

    ``analysis`` adds the analysis of this ref, an empty one the one that the page shows by itself: 403 where
    the players keep it.
    """
    found, _role = visible_match(request, match)
    return _told(request, found, (ogxm_of, analysed_ogxm_of), "application/json", "ogxm")


@decides(VIEWERS)
@require_safe
def match_sgf(request: HttpRequest, match: str) -> HttpResponse:
    """The match in GNU Backgammon's SGF, with ``analysis`` as ``match_ogxm``; 422 with the reason."""
    found, _role = visible_match(request, match)
    return _told(request, found, (sgf_of, analysed_sgf_of), "application/x-go-sgf", "sgf")


def _told(request: HttpRequest, match: Match, writers: Writers, media_type: str, ending: str) -> HttpResponse:
    """The match by itself, or with the analysis that is asked for."""
    plainly, judged = writers
    shown = request.GET.get("analysis")
    if shown is not None:
        require_analysis(request.user, match.pk)
    try:
        content = plainly(match) if shown is None else judged(MatchPage(match, judged=True, shown=shown))
    except ScoringError as error:
        return JsonResponse({"code": error.code, "detail": text_of(error)}, status=422)
    return _file(content, media_type, f"midpoint-{match.ref}.{ending}")


@decides(VIEWERS)
@require_safe
def match_json(request: HttpRequest, match: str) -> HttpResponse:
    """The match with every event of its log."""
    found, _role = visible_match(request, match)
    return _file(json_of(found), "application/json", f"midpoint-{found.ref}.json")


@decides(VIEWERS)
@require_safe
def match_pdf(request: HttpRequest, match: str) -> HttpResponse:
    """The scoresheet of the match as a PDF."""
    found, _role = visible_match(request, match)
    return _file(score_sheet(printed(request, found)), "application/pdf", f"midpoint-{found.ref}.pdf")


@decides(VIEWERS)
@require_safe
def slip_pdf(request: HttpRequest, match: str) -> HttpResponse:
    """A blank scoresheet as a PDF, with a QR code that opens the match's sheet."""
    found, _role = visible_match(request, match)
    return _file(slip(printed(request, found)), "application/pdf", f"midpoint-slip-{found.ref}.pdf")


def printed(request: HttpRequest, match: Match) -> PrintedSheet:
    """The printed content of a match, in the reader's language and club's time zone."""
    names = names_of(match)
    games: tuple[FinishedGame, ...] = ()
    if match.sheet.state:
        games = state_from_plain(json.loads(match.sheet.state)).games
    profile = profile_from_plain(match.sheet.profile) if match.sheet.profile else None
    result, state = _result(match)
    length = match.length
    points = ngettext("Match to %(n)s point", "Match to %(n)s points", length) % {"n": length}
    return PrintedSheet(
        club=match.club.name,
        date=moment(match.played_at, match.club.zone),
        match=match.ref,
        white=names[Side.WHITE],
        black=names[Side.BLACK],
        length=points if length else _("Money session"),
        rules=sentences(profile) if profile else [],
        games=[_game(game, names[game.outcome.winner]) for game in games],
        result=result,
        state=state,
        address=request.build_absolute_uri(reverse("scoring:scoresheet", args=[match.ref])),
    )


def _game(game: FinishedGame, winner: str) -> GameLine:
    ways = {
        GameEnd.BORNE_OFF: _("borne off"),
        GameEnd.PASS: _("by pass"),
        GameEnd.RESIGNATION: _("by resignation"),
    }
    won = win_words(game.outcome.win)
    how = f"{won}, {ways[game.outcome.ended]}"
    return GameLine(game.number, winner, how, game.outcome.cube, game.white, game.black)


def _result(match: Match) -> tuple[str, str]:
    """The result in words, and who has yet to confirm it."""
    result = getattr(match, "result", None)
    if result is None or match.status != MatchStatus.FINISHED:
        return _("This match is not finished."), ""
    score = f"{result.white_points} – {result.black_points}"
    line = _("Result: %(score)s (%(how)s)") % {"score": score, "how": result.get_ended_display()}
    if result.final_at is not None:
        return line, result.get_final_by_display()
    waiting = ", ".join(waiting_names(match, result, names_of(match)))
    return line, _("Waiting for %(names)s to confirm") % {"names": waiting}


def _file(content: bytes, media_type: str, name: str) -> HttpResponse:
    response = HttpResponse(content, content_type=media_type)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["Cache-Control"] = "private, no-cache"
    return response
