"""A stage by itself, its archive for anybody who wants to check it, and a pairing with its corrections."""

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.access import decides
from clubs.http.etags import unchanged
from clubs.http.parts import page_or_part
from clubs.models import Player, User
from tournaments.events.access import WHO_MAY_SEE, known_pairing, known_stage, may_direct
from tournaments.following.queries import follows_of
from tournaments.log.refusals import DeskRefused
from tournaments.models import StageRow
from tournaments.stages.queries.draw_pieces import cut, is_cut
from tournaments.stages.queries.glance import Glance, glance_at
from tournaments.stages.queries.ladders import to_climb
from tournaments.stages.queries.pairing_page import boards_of, players_of, reasons_of
from tournaments.stages.queries.stage_picture import PictureSection, picture_of
from tournaments.stages.queries.ways import way_of
from tournaments.stages.services.archives import archive_text
from tournaments.stages.services.stages import load
from tournaments.stages.views.drawings import drawing_of, kept_digest
from tournaments.stages.views.pieces import shown_of

TEMPLATES = max(path.stat().st_mtime_ns for path in (settings.BASE_DIR / "templates").glob("**/*.html"))
LONGEST_BOARD = 2


@decides(WHO_MAY_SEE)
@require_safe
def stage(request: HttpRequest, stage: str) -> HttpResponse:
    """A draw as it is: its bracket, or its standings and rounds.

    ``?view=list`` shows a plain list, and ``?view=overview`` a bracket as large as the screen of a phone.
    Five queries besides session and user, however large; 304 while nothing has changed for this browser.
    """
    asked = "If-None-Match" in request.headers
    if asked and (kept := _unchanged(request, stage)) and unchanged(request, kept):
        return HttpResponseNotModified(headers={"ETag": kept})
    found, role = known_stage(request.user, stage)
    directs = may_direct(role, found.flight.event)
    context: dict[str, Any] = {"stage": found, "event": found.flight.event, "directs": directs}
    if found.drawn_at is None:
        return page_or_part(request, "tournaments/stages/stage.html", context, part="stage")
    if request.GET.get("view") == "list":
        return _as_a_list(request, found, context)
    if request.GET.get("view") == "overview" and found.is_bracket:
        picture = picture_of(found, load(found))
        if not is_cut(picture):
            context |= {"picture": picture}
            return page_or_part(request, "tournaments/stages/stage.html", context, part="stage")
    drawing, digest = drawing_of(found, share=True)
    event = found.flight.event
    seen = Glance(found.pk, found.status, event.version, event.name, role)
    etag = f'"{_seen_by(request, seen, digest)}"'
    if unchanged(request, etag):
        return HttpResponseNotModified(headers={"ETag": etag})
    context |= {"drawing": drawing, "shown": shown_of(request, found, drawing)}
    context["climbs"] = to_climb(event, [found], request.user, directs=directs)
    response = page_or_part(request, "tournaments/stages/stage.html", context, part="stage")
    response.headers["ETag"], response.headers["Cache-Control"] = etag, "private, no-cache"
    return response


def _as_a_list(request: HttpRequest, found: StageRow, context: dict[str, Any]) -> HttpResponse:
    """The matches in rows: of a large draw those of one piece."""
    picture = picture_of(found, load(found))
    sections: Sequence[PictureSection] = picture.sections
    if is_cut(picture):
        shown = shown_of(request, found, drawing_of(found)[0])
        sections = [section for piece, section in cut(picture) if shown and piece.key == shown.piece.key]
        context |= {"shown": shown}
    context |= {"picture": picture, "sections": sections, "listed": True}
    return render(request, "tournaments/stages/stage_list.html", context)


def _unchanged(request: HttpRequest, ref: str) -> str:
    """The page's ETag where that can be told at a glance (one light query), else empty."""
    if "view" in request.GET:
        return ""
    found = glance_at(request.user, ref)
    digest = kept_digest(found.stage, found.version) if found else ""
    return f'"{_seen_by(request, found, digest)}"' if found and digest else ""


def release() -> tuple[int, str]:
    """What the page itself is made of: templates, and its styles and scripts.

    These by the hash of their manifest; empty where none was collected. A newer Midpoint shows draws in
    another way, and no browser keeps the old one.
    """
    return TEMPLATES, getattr(staticfiles_storage, "manifest_hash", "")


def _seen_by(request: HttpRequest, seen: Glance, digest: str) -> str:
    """What a copy of the page depends on.

    The draw, its version, who looks, and everything that the browser sends.
    """
    sent = (request.headers.get(name, "") for name in ("Cookie", "HX-Target", "Accept-Language"))
    said = [message.message for message in messages.get_messages(request)]
    depends = (digest, seen.status, seen.version, seen.name, seen.role, *sent, *said, release())
    return blake2b(repr(depends).encode(), digest_size=16).hexdigest()


@decides(WHO_MAY_SEE)
@require_safe
def path(request: HttpRequest, stage: str, entrant: str) -> HttpResponse:
    """One entrant's way through a draw, and what the tie-breaks add up for them."""
    found, _role = known_stage(request.user, stage)
    if found.drawn_at is None:
        raise Http404(_("The draw has not been made."))
    picture = picture_of(found, load(found))
    named = next((each for each in picture.names.values() if each.ref == entrant), None)
    if named is None:
        raise Http404(_("There is no such entrant in this draw."))
    context = {
        "stage": found,
        "event": found.flight.event,
        "way": way_of(picture, named),
        "players": Player.objects.filter(ref__in=named.players).with_person(),
        "followed": follows_of(request.user if isinstance(request.user, User) else None),
    }
    return render(request, "tournaments/stages/path.html", context)


@decides(WHO_MAY_SEE)
@require_safe
def pairing(request: HttpRequest, pairing: str) -> HttpResponse:
    """A pairing: who meets, where, why, how it ended, and the match behind it."""
    found, role = known_pairing(request.user, pairing)
    boards = boards_of(found)
    context = {
        "pairing": found,
        "stage": found.stage,
        "event": found.stage.flight.event,
        "directs": may_direct(role, found.stage.flight.event),
        "boards": boards,
        "sides": players_of(found, boards),
        "reasons": [] if found.stage.is_bracket else reasons_of(found),
        "followed": follows_of(request.user if isinstance(request.user, User) else None),
    }
    return render(request, "tournaments/stages/pairing.html", context)


@decides(WHO_MAY_SEE)
@require_safe
def archive(request: HttpRequest, stage: str) -> HttpResponse:
    """The drawn stage as JSON: ``manage.py check_draw`` proves it, anybody can draw it again."""
    found, _role = known_stage(request.user, stage)
    asked = request.GET.get("superseded", "")
    number = int(asked) if asked.isascii() and asked.isdecimal() and len(asked) <= LONGEST_BOARD else 0
    try:
        text = archive_text(found, superseded=number)
    except DeskRefused as refused:
        return HttpResponse(str(refused), status=409, content_type="text/plain; charset=utf-8")
    response = HttpResponse(text, content_type="application/json")
    response.headers["Content-Disposition"] = f'attachment; filename="draw-{found.ref}.json"'
    return response
