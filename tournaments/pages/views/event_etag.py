"""ETags of event pages for visitors."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from http import HTTPStatus

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.timezone import now
from django.utils.translation import get_language

from clubs.http.etags import release, unchanged
from clubs.models import Role
from tournaments.core.timetable.breaks import current
from tournaments.entries.queries.people import names_in
from tournaments.entries.services.entries import entries_open
from tournaments.events.access import known_event
from tournaments.events.queries.entrant_rows import numbers_of
from tournaments.events.queries.event_page import flights_of, page_stages
from tournaments.events.tabs import DRAW, tab_behind
from tournaments.models import EntrantRow, Event, StageRow, StageStatus
from tournaments.stages.views.drawings import asks_for_clubs, kept_digest

CURRENT = "current"
"""The draw that is being played, whichever that is: a page with this address moves on by itself."""


@dataclass(frozen=True, slots=True)
class KnownEvent:
    """An event as the viewer can see it, with its stages of the page in order."""

    event: Event
    role: Role | None
    stages: Sequence[StageRow]


def answered_once(request: HttpRequest, ref: str, page: Callable[..., HttpResponse]) -> HttpResponse:
    """Serve the ``page`` with an ETag to visitors of a draw, or 304.

    Three queries for a 304. Signed-in users get their own matches and forms, so their page is always
    rendered. The page is given what is ``known`` of the event.
    """
    if request.user.is_authenticated:
        return page(request, ref)
    event, role = known_event(request.user, ref)
    tab = request.GET.get("tab", "") or tab_behind(request, event) or DRAW
    stages = page_stages(event)
    stage = asked_stage(request, [each for each in stages if each.drawn_at is not None])
    known = KnownEvent(event, role, stages)
    if stage is None or tab != DRAW:
        return page(request, ref, known=known)
    # Names that change while the page is made leave it with the tag of the old ones: it is made again.
    names = names_in(event)
    etag = _etag(request, known, stage, names)
    if etag and unchanged(request, etag):
        return HttpResponseNotModified(headers={"ETag": etag})
    response = page(request, ref, known=known)
    etag = _etag(request, known, stage, names)
    if not etag or response.status_code != HTTPStatus.OK:
        return response
    if unchanged(request, etag):
        return HttpResponseNotModified(headers={"ETag": etag})
    response.headers["ETag"], response.headers["Cache-Control"] = etag, "private, no-cache"
    return response


def asked_stage(
    request: HttpRequest, drawn: Sequence[StageRow], own: Sequence[EntrantRow] = ()
) -> StageRow | None:
    """The draw named by ``?stage=``, else (also for ``current``) one in progress, else the last one.

    Of several that are being played it is the one with one of the viewer's ``own`` entrants, else the first.
    Where none is played, one query a draw that was not loaded ``with_feeds()``.
    """
    asked = request.GET.get("stage", "")
    named = next((stage for stage in drawn if stage.ref == asked), None)
    if named is not None:
        return named
    running = [stage for stage in drawn if stage.status == StageStatus.RUNNING]
    mine = {stage for each in own for stage in numbers_of(each)}
    running = [stage for stage in running if stage.pk in mine] or running
    return next(iter(running or _last(drawn)), None)


def _last(drawn: Sequence[StageRow]) -> Sequence[StageRow]:
    """The draws that no later draw was made from."""
    if len(drawn) <= 1:
        return drawn
    refs = {stage.ref for stage in drawn}
    return [stage for stage in drawn if refs.isdisjoint(rule.into for rule in stage.rules)]


def _etag(request: HttpRequest, known: KnownEvent, stage: StageRow, names: str) -> str:
    """What the page depends on; empty without a fresh drawing in this process."""
    event = known.event
    digest = kept_digest(stage.pk, event.version, clubs=asks_for_clubs(request))
    if not digest:
        return ""
    at = now()
    breaks = [pause for pause in event.pauses if pause.ends_at > at], current(event.pauses, at)
    row = (event.version, event.status, event.name, event.starts_at, event.moved_at, event.hidden)
    club = (event.club.name, event.club.visibility, event.members_only)
    sent = tuple(request.headers.get(name, "") for name in ("Cookie", "HX-Target", "HX-Boosted"))
    said = [message.message for message in messages.get_messages(request)]
    is_open = entries_open(event, flights_of(known.stages))
    shown = (is_open, stage.ref, stage.status, digest, names, get_language())
    depends = (row, club, breaks, sent, said, shown, release())
    return f'"{blake2b(repr(depends).encode(), digest_size=16).hexdigest()}"'
