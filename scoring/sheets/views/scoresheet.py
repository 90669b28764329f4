"""The scoresheet page and its service worker."""

from dataclasses import asdict
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_safe

from clubs.access import decides, public
from scoring.log.queries.writers import Author, ref_of, shown_name
from scoring.models import Match, MatchStatus
from scoring.notation.videos import around_time
from scoring.rules.position import STARTING_POSITION
from scoring.rules.profiles import profile_from_plain
from scoring.sheets.queries.opened_match import writer_of
from scoring.sheets.queries.scoresheet import view_for
from scoring.sheets.queries.videos import link_to, video_of
from scoring.sheets.views.first_drawing import TOUCHED, TOUCHED_WIDE, FirstDrawing, board_seen
from scoring.sheets.views.visible_match import opened_match
from scoring.sheets.words import sheet_words

CUBES = (1, 2, 4, 8, 16, 32)
ENDPOINTS = {
    "state": "api:sheet",
    "events": "api:match_events",
    "undo": "api:sheet_undo",
    "correct": "api:sheet_corrections",
    "text": "api:sheet_text",
    "clock": "api:sheet_clock",
    "claims": "api:sheet_claims",
    "video": "api:match_video",
    "confirm": "api:confirmations",
    "object": "api:disputes",
}


@decides("viewers of the match's club")
@require_safe
def scoresheet(request: HttpRequest, match: str) -> HttpResponse:
    """A match's scoresheet, read-only for spectators and with ``?watch``.

    With ``?depth=games`` or ``result`` it begins with that form, until another is chosen.

    Once it is over its page says more to those who only watch.
    """
    opened = opened_match(request, match)
    found, author = opened.match, writer_of(opened, request.user, request.session)
    if author is None and found.status in {MatchStatus.FINISHED, MatchStatus.VOID}:
        return redirect(found)
    view = view_for(found.sheet, found, author)
    context = page_context(found, view, author, watch="watch" in request.GET)
    if (depth := request.GET.get("depth")) in {"games", "result"}:
        context["config"]["depth"] = depth
    response = render(request, "scoring/sheets/scoresheet.html", context)
    response.headers["Cache-Control"] = "private, no-cache"
    return response


def page_context(match: Match, view: dict[str, Any], author: Author | None, *, watch: bool) -> dict[str, Any]:
    """Context of the page; spectators cannot record."""
    urls = {name: reverse(address, args=[match.ref]) for name, address in ENDPOINTS.items()}
    config = {
        "match": match.ref,
        "view": view,
        "urls": urls | {"worker": reverse("scoring:service_worker")},
        "side": view["your_side"] or "",
        "writer": {"ref": ref_of(author), "name": shown_name(match, author)} if author else None,
        "watch": watch,
        "layouts": {"wide": asdict(TOUCHED_WIDE), "tall": asdict(TOUCHED)},
        "starting": {"white": STARTING_POSITION.own, "black": STARTING_POSITION.opponent},
        "calls": static("scoring/sheets/dice_names.json"),
        "clock": _clock_terms(match),
    }
    sentences = sheet_words()
    writes = view["may_write"] and not watch
    video = video_of(match) if writes else None
    return {
        "match": match,
        "view": view,
        "first": FirstDrawing(view, sentences, writes=writes, zone=match.club.zone),
        "seen": board_seen(view),
        "watch": watch,
        "by_link": writes and author is not None and author.claim is not None,
        "may_add": writes and author is not None and author.user is not None and not match.in_chouette,
        "video": video and link_to(video),
        "around_time": video and around_time(video.address),
        "cubes": CUBES,
        "config": config,
        "urls": urls,
        "sentences": sentences,
    }


def _clock_terms(match: Match) -> dict[str, int] | None:
    """What the page needs to start the match's clock without a connection; None without a clock."""
    terms = profile_from_plain(match.sheet.profile).clock if match.sheet.profile else None
    if terms is None:
        return None
    return {"reserve_ms": 1000 * terms.reserve_seconds_per_point, "delay_ms": 1000 * terms.delay_seconds}


@public
@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """The service worker that keeps scoresheets usable offline; has no personal data."""
    context = {"static_prefix": settings.STATIC_URL, "logout_path": reverse("account_logout")}
    response = render(request, "scoring/sheets/sw.js", context, content_type="text/javascript")
    response.headers["Cache-Control"] = "no-cache"
    return response
