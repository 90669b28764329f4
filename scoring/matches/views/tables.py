"""The tables behind the first screen of a match: all errors, and the winning chances of a game."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from clubs.access import decides
from scoring.analysis.queries.privacy import require_analysis
from scoring.matches.queries.match_page import MatchPage
from scoring.matches.views.wanted import query_of, seat_of, wanted_of
from scoring.sheets.views.visible_match import visible_match

ROWS = 50
"""Errors of one page."""


@decides("viewers of the match's club who can see its analysis")
@require_safe
def match_errors(request: HttpRequest, match: str) -> HttpResponse:
    """The errors of a match, largest first, 50 a page, with the filters of the match page.

    403 where the players keep the analysis.
    """
    page = _judged(request, match)
    wanted = [line for line in page.errors if page.wanted.includes(line.judgement, line.stop)]
    start = _number(request, "start")
    start = start if start < len(wanted) else 0
    after = start + ROWS
    return _answered(
        request,
        page,
        "errors",
        {
            "lines": wanted[start:after],
            "total": len(wanted),
            "previous": max(0, start - ROWS) if start else None,
            "next": after if after < len(wanted) else None,
        },
    )


@decides("viewers of the match's club who can see its analysis")
@require_safe
def match_chances(request: HttpRequest, match: str) -> HttpResponse:
    """The winning chances and luck of a game, step by step: the numbers of the graph.

    ``game`` is its number, by default the first. 403 where the players keep the analysis.
    """
    page = _judged(request, match)
    number = _number(request, "game")
    shown = next((game for game in page.games if game.number == number), next(iter(page.games), None))
    by_luck = dict(page.graph.by_luck) if page.graph else {}
    stops = [stop for stop in shown.stops if stop.chance is not None] if shown else []
    rows = [(stop, by_luck.get(stop.step.number)) for stop in stops]
    return _answered(request, page, "chances", {"shown": shown, "rows": rows, "has_luck": bool(by_luck)})


def _judged(request: HttpRequest, ref: str) -> MatchPage:
    found, _role = visible_match(request, ref)
    require_analysis(request.user, found.pk)
    viewer = seat_of(request, found)
    shown = request.GET.get("analysis", "")
    return MatchPage(found, judged=True, viewer=viewer, wanted=wanted_of(request, viewer), shown=shown)


def _number(request: HttpRequest, name: str) -> int:
    text = request.GET.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 10 else 0


def _answered(request: HttpRequest, page: MatchPage, table: str, more: dict[str, Any]) -> HttpResponse:
    """The table alone for a script that asks for it, else a page with it."""
    part = f"{table}-table"
    alone = request.headers.get("HX-Target") == part
    name = f"scoring/matches/{table}.html{f'#{table}' if alone else ''}"
    context = {"page": page, "match": page.match, "club": page.match.club, "query": query_of(request, page)}
    response = render(request, name, context | more)
    patch_vary_headers(response, ["HX-Target"])
    return response
