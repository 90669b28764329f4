"""One match: its score, every position, and what an engine made of each decision."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.access import decides
from clubs.models import Role, User
from clubs.tasks import wake
from scoring.analysis.services.analyses import request_analysis
from scoring.log.queries.results import side_of
from scoring.matches.occasions import occasion_of
from scoring.matches.queries.match_page import MatchPage
from scoring.models import Match
from scoring.sheets.views.visible_match import visible_match


@decides("whoever may see the match's club")
@require_safe
def match(request: HttpRequest, match: str, step: int = 1) -> HttpResponse:
    """The match at one of its steps; only what moves with the steps is sent for another step."""
    found, role = visible_match(request, match)
    page = MatchPage(found, step)
    partial = request.headers.get("HX-Target") == "stage"
    context = {
        "page": page,
        "match": found,
        "club": found.club,
        "occasion": None if partial else occasion_of(found, request.user),
        "may_analyse": may_analyse(request, role),
        "may_confirm": page.missing and may_confirm(request, found, role),
    }
    template = "scoring/matches/match.html#stage" if partial else "scoring/matches/match.html"
    response = render(request, template, context)
    patch_vary_headers(response, ["HX-Target"])
    return response


def may_analyse(request: HttpRequest, role: Role | None) -> bool:
    """Members and those above may have a match of their club analysed."""
    return request.user.is_authenticated and role is not None and role >= Role.MEMBER


def may_confirm(request: HttpRequest, match: Match, role: Role | None) -> bool:
    """The match's players and the club's directors are asked for their yes, where the match is."""
    if not isinstance(request.user, User) or match.sheet.is_away:
        return False
    return (role is not None and role >= Role.DIRECTOR) or side_of(match, request.user) is not None


@decides("members of the match's club")
@require_POST
def analyse(request: HttpRequest, match: str) -> HttpResponse:
    """Ask for an analysis of the match as it stands, or once more for one that broke down."""
    found, role = visible_match(request, match)
    if not may_analyse(request, role):
        messages.error(
            request, _("Members of %(club)s can have its matches analysed.") % {"club": found.club}
        )
        return redirect(found)
    user = request.user if isinstance(request.user, User) else None
    analysis = request_analysis(match=found, user=user)
    if analysis is None:
        messages.info(request, _("No plays are recorded: there is nothing to analyse."))
    else:
        wake(analysis)
    return redirect(found)


@decides("whoever may see the match's club")
@require_safe
def match_file(request: HttpRequest, match: str) -> HttpResponse:
    """The match as a .mat file, written from its sheet."""
    found, _role = visible_match(request, match)
    page = MatchPage(found)
    response = HttpResponse(page.mat_text(), content_type="text/plain; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="midpoint-{found.ref}.mat"'
    return response
