"""The match page: score, positions and analysed decisions."""

from typing import Any, cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.access import decides
from clubs.models import Role, User, WorkStatus
from clubs.refusals import Refused
from clubs.tasks import wake
from scoring.analysis.queries.engines import EngineChoice, offered
from scoring.analysis.queries.privacy import Choices, can_see_analysis, require_analysis
from scoring.analysis.services.analyses import request_by_member
from scoring.log.queries.results import settled_words
from scoring.log.queries.writers import may_add_to
from scoring.matches.additions import added_to
from scoring.matches.occasions import occasion_of
from scoring.matches.queries.match_page import MatchPage
from scoring.matches.queries.matches import labels_shown, line_of
from scoring.matches.queries.meetings import meetings_of
from scoring.matches.queries.reported import reported_in
from scoring.matches.views.wanted import query_of, seat_of, wanted_of
from scoring.models import MatchStatus
from scoring.ratings.queries.ratings import changes_in
from scoring.sheets.queries.opened_match import Beside, Opened, writer_of
from scoring.sheets.queries.videos import link_to
from scoring.sheets.views.visible_match import opened_match, visible_match

PARTS = {"stage", "progress"}
"""What is sent alone: the step that is shown, and how far the analysis is."""


@decides("viewers of the match's club")
@require_safe
def match(request: HttpRequest, match: str, step: int | None = None) -> HttpResponse:
    """The match at one of its steps, without one at the viewer's first error; a part of it for a script.

    ``mine``, ``blunders``, ``kind``, ``phase`` and ``game`` name the errors that are stepped through,
    ``analysis`` the one that is shown.
    """
    opened = opened_match(request, match, beside=True)
    found, role, beside = opened.match, opened.role, cast("Beside", opened.beside)
    viewer = seat_of(request, found)
    wanted = wanted_of(request, viewer)
    choices = Choices(beside.chosen, beside.usual)
    judged, shown = can_see_analysis(request.user, found, choices), request.GET.get("analysis", "")
    page = MatchPage(
        found, step, judged=judged, viewer=viewer, wanted=wanted, shown=shown, role=role, choices=choices
    )
    part = request.headers.get("HX-Target", "")
    if part in PARTS and _has_moved_on(request, page):
        return HttpResponse(headers={"HX-Refresh": "true"})
    context: dict[str, Any] = {
        "page": page,
        "match": found,
        "club": found.club,
        "query": query_of(request, page),
        "may_analyse": judged and may_analyse(request, role),
        "photos": beside.photos,
        "video": beside.video and link_to(beside.video, page.current.step.seq if page.current else 0),
        "position_link": request.build_absolute_uri(reverse("scoring:step", args=[found.ref, page.number])),
    }
    context |= added_to(request, page)
    if part in PARTS:
        response = render(request, f"scoring/matches/match.html#{part}", context)
    else:
        response = render(request, "scoring/matches/match.html", context | _around(request, page, opened))
    patch_vary_headers(response, ["HX-Target"])
    return response


def _around(request: HttpRequest, page: MatchPage, opened: Opened) -> dict[str, Any]:
    """Template context around the current step."""
    match, role = page.match, opened.role
    occasion = occasion_of(match, request.user) if match.sheet.directed else None
    meetings = [] if page.current else meetings_of(match, request.user)
    line = line_of(match, page.own, table=occasion.table if occasion else None)
    return {
        "occasion": occasion,
        "line": line,
        "reported": reported_in(line, request.user) if page.missing else None,
        "may_direct": role is not None and role >= Role.DIRECTOR and not match.sheet.is_away,
        "offered": _offered(page) if may_analyse(request, role) else [],
        "may_add": may_add_to(request.user, match, role) and not match.sheet.is_away,
        "may_write": writer_of(opened, request.user, request.session) is not None,
        "rating_changes": changes_in(match),
        "settled": settled_words(match, match.result, opened.director) if hasattr(match, "result") else "",
        "meetings": meetings,
        "shown_labels": labels_shown(meetings),
    }


def _offered(page: MatchPage) -> list[EngineChoice]:
    """What the match can be analysed by besides what it is, or is being, analysed by."""
    head = page.match.sheet.head_hash
    asked = {
        (each.engine, each.preset)
        for each in page.analyses
        if each.head_hash == head and each.status != WorkStatus.FAILED
    }
    return [each for each in offered() if (each.engine, each.preset) not in asked]


def _has_moved_on(request: HttpRequest, page: MatchPage) -> bool:
    """Whether the analysis or match the page waited for has finished, or a deeper one than it shows."""
    if request.headers["HX-Target"] == "progress":
        return not page.is_awaited or request.GET.get("level", str(page.level)) != str(page.level)
    return "live" in request.GET and page.match.status != MatchStatus.PLAYING


def may_analyse(request: HttpRequest, role: Role | None) -> bool:
    """Whether the viewer, a member or above, can request an analysis."""
    return request.user.is_authenticated and role is not None and role >= Role.MEMBER


@decides("members of the match's club")
@require_POST
def analyse(request: HttpRequest, match: str) -> HttpResponse:
    """Request an analysis of the match, by the engine that is named, or retry a failed one."""
    found, role = visible_match(request, match)
    if not may_analyse(request, role):
        messages.error(request, _("Only members of %(club)s can analyse its matches.") % {"club": found.club})
        return redirect(found)
    require_analysis(request.user, found.pk)
    user = cast("User", request.user)  # a member is signed in
    engine, _colon, preset = request.POST.get("engine", "").partition(":")
    try:
        analysis = request_by_member(match=found, user=user, engine=engine, preset=preset)
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect(found)
    if analysis is None:
        messages.info(request, _("This match has no recorded plays to analyse."))
    else:
        wake(analysis)
    return redirect(found)


@decides("viewers of the match's club")
@require_safe
def match_file(request: HttpRequest, match: str) -> HttpResponse:
    """The match as a .mat file, written from its sheet."""
    found, _role = visible_match(request, match)
    page = MatchPage(found, judged=False)
    response = HttpResponse(page.mat_text(), content_type="text/plain; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="midpoint-{found.ref}.mat"'
    return response
