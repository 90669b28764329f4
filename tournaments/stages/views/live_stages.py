"""``/stages/<ref>/changes/``: changes of a draw, streamed or polled.

One connection of this process hears of a new version, one drawing is made of it, and every page that follows
gets the same few changed cells: three hundred phones cost little more than one.
"""

import asyncio
import json
from collections.abc import AsyncGenerator
from typing import Any

from asgiref.sync import sync_to_async
from django.db import connections
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase, HttpResponseNotModified
from django.views.decorators.http import require_safe

from clubs.access import decides
from clubs.http.etags import unchanged
from clubs.http.numbers import whole_number
from clubs.live.topics import hub
from clubs.live.views import HEARTBEAT, LIFETIME, RETRY, EventStream
from tournaments.events.access import WHO_MAY_SEE, followed_stage
from tournaments.events.queries.whole_stage import stage_to_follow
from tournaments.models import StageRow
from tournaments.stages.views.drawings import asks_for_clubs, changes_since, drawing_of

Answer = tuple[int, bytes]

# One answer for all streams of this process that were at the same version of the same stage.
_answers: dict[tuple[str, int, int, bool], asyncio.Task[Answer]] = {}
ANSWERS_KEPT = 64


@decides(WHO_MAY_SEE)
@require_safe
def changes(request: HttpRequest, stage: str) -> HttpResponseBase:
    """The parts that changed since version ``?since=``, with ``?show=clubs`` of the draw with clubs.

    With ``Accept: text/event-stream`` a stream of ``changes`` events whose id is the version; else
    ``{"version", "whole", "parts"}`` with an ETag, or the one part that ``?part=`` names.
    """
    seen = request.headers.get("Last-Event-ID") or request.GET.get("since", "")
    since = whole_number(seen) or 0
    if "text/event-stream" not in request.headers.get("Accept", ""):
        return _poll(request, stage, since)
    event_ref = _enter(request, stage)
    response = EventStream(_events(stage, event_ref, since, clubs=asks_for_clubs(request)))
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    return response


def _drawn(request: HttpRequest, ref: str) -> StageRow:
    stage = followed_stage(request.user, ref)
    if stage.drawn_at is None:
        raise Http404
    return stage


def _poll(request: HttpRequest, ref: str, since: int) -> HttpResponseBase:
    stage = _drawn(request, ref)
    clubs = asks_for_clubs(request)
    drawing, digest = drawing_of(stage, clubs=clubs)
    part = request.GET.get("part", "")
    etag = f'"{digest}-{since}-{part}"'
    headers = {"ETag": etag, "Cache-Control": "private, no-cache"}
    if unchanged(request, etag):
        return HttpResponseNotModified(headers=headers)
    if part:
        if part not in drawing.parts:
            raise Http404
        return HttpResponse(drawing.parts[part], headers=headers)
    return JsonResponse(changes_since(stage, since, clubs=clubs), headers=headers)


def _enter(request: HttpRequest, ref: str) -> str:
    event_ref = _drawn(request, ref).flight.event.ref
    # This thread idles as long as the stream is open: it must not keep a connection of the pool with it.
    connections.close_all()
    return event_ref


def _answer(ref: str, since: int, *, clubs: bool) -> Answer:
    """The current version, and the changes since ``since`` as event data."""
    try:
        stage, _role = stage_to_follow(ref)
        if stage is None:
            raise StageRow.DoesNotExist(f"stage {ref} no longer exists")
        answer: dict[str, Any] = changes_since(stage, since, clubs=clubs)
        return int(answer["version"]), json.dumps(answer, ensure_ascii=False).encode()
    finally:
        connections.close_all()


async def _shared_answer(ref: str, since: int, version: int, *, clubs: bool) -> Answer:
    """The text for all readers at ``since`` when ``version`` came: made once."""
    key = (ref, since, version, clubs)
    task = _answers.get(key)
    if task is None:
        while len(_answers) >= ANSWERS_KEPT:
            _answers.pop(next(iter(_answers)))
        made = sync_to_async(_answer, thread_sensitive=False)
        task = _answers[key] = asyncio.create_task(made(ref, since, clubs=clubs))
    try:
        # A reader who goes away must not take the answer of the others along.
        return await asyncio.shield(task)
    except Exception:
        _answers.pop(key, None)
        raise


async def _events(ref: str, event_ref: str, seen: int, *, clubs: bool) -> AsyncGenerator[bytes, None]:
    """The stream's text; ends after ``LIFETIME`` and when the reader goes away."""
    ends_at = asyncio.get_running_loop().time() + LIFETIME
    yield b"retry: %d\n\n" % RETRY
    async with hub().subscribe(event_ref) as subscription:
        subscription.push(0)
        while (left := ends_at - asyncio.get_running_loop().time()) > 0:
            try:
                async with asyncio.timeout(min(HEARTBEAT, left)):
                    version = await subscription.news()
            except TimeoutError:
                yield b": still here\n\n"
                continue
            if version and version <= seen:
                continue
            if version:
                found, data = await _shared_answer(ref, seen, version, clubs=clubs)
            else:
                found, data = await sync_to_async(_answer, thread_sensitive=False)(ref, seen, clubs=clubs)
            if found > seen:
                yield b"id: %d\nevent: changes\ndata: %s\n\n" % (found, data)
            seen = max(seen, found)
