"""``/live/<ref>``: server-sent events, or a version with ETag for polling."""

import asyncio
from collections.abc import AsyncGenerator

from asgiref.sync import sync_to_async
from django.db import connections
from django.http import Http404, HttpRequest, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase, HttpResponseNotModified
from django.views.decorators.http import require_safe

from clubs.access import decides
from clubs.http.etags import unchanged
from clubs.http.numbers import whole_number
from clubs.live.topics import Topic, find, hub

HEARTBEAT = 20.0  # seconds; proxies close what is silent for longer, commonly after 60
LIFETIME = 15 * 60.0  # seconds; then the page connects again, and its access is decided again
RETRY = 3000  # milliseconds that a page waits before it connects again


class EventStream(StreamingHttpResponse):
    """Server-sent events that release everything as soon as the reader disconnects.

    Django wraps the events in generators of its own, and closing the outermost leaves the innermost to the
    garbage collector: its subscription would outlive the reader. Here the handler closes it directly.
    """

    def __init__(self, events: AsyncGenerator[bytes, None]) -> None:
        super().__init__(events, content_type="text/event-stream")
        self._events = events

    def __aiter__(self) -> AsyncGenerator[bytes, None]:
        return self._events


@decides("the topic's own rule; what may not be heard does not exist")
@require_safe
async def live(request: HttpRequest, ref: str) -> HttpResponseBase:
    """The version of ``ref`` and every later one.

    With ``Accept: text/event-stream`` a stream of ``version`` events whose id and data are the version,
    beginning with the current one unless ``Last-Event-ID`` (or ``?since=``) names it. Else ``{"ref",
    "version"}`` with an ETag: 304 while nothing has changed.
    """
    if "text/event-stream" not in request.headers.get("Accept", ""):
        return await sync_to_async(_poll)(request, ref)
    await sync_to_async(_enter_stream)(request, ref)
    seen = request.headers.get("Last-Event-ID") or request.GET.get("since", "")
    response = EventStream(_events(ref, whole_number(seen) or 0))
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    return response


def _allowed_topic(request: HttpRequest, ref: str) -> Topic:
    topic = find(ref)
    if topic is None or not (topic.allows(request.user) or topic.admits(request.session)):
        raise Http404
    return topic


def _poll(request: HttpRequest, ref: str) -> HttpResponseBase:
    version = _allowed_topic(request, ref).version
    etag = f'"{version}"'
    headers = {"ETag": etag, "Cache-Control": "private, no-cache"}
    if unchanged(request, etag):
        return HttpResponseNotModified(headers=headers)
    return JsonResponse({"ref": ref, "version": version}, headers=headers)


def _enter_stream(request: HttpRequest, ref: str) -> None:
    _allowed_topic(request, ref)
    # This thread idles while the stream is open: release its pooled connection.
    connections.close_all()


def _version(ref: str) -> int:
    try:
        topic = find(ref)
        return topic.version if topic else 0
    finally:
        connections.close_all()


async def _events(ref: str, seen: int) -> AsyncGenerator[bytes, None]:
    """The stream's text; ends after ``LIFETIME`` and when the reader disconnects."""
    ends_at = asyncio.get_running_loop().time() + LIFETIME
    yield b"retry: %d\n\n" % RETRY
    async with hub().subscribe(ref) as subscription:
        subscription.push(0)
        while (left := ends_at - asyncio.get_running_loop().time()) > 0:
            try:
                # Not wait_for: on Python 3.11 it swallows the cancellation that news comes together with,
                # and the stream of a reader that went away would live on.
                async with asyncio.timeout(min(HEARTBEAT, left)):
                    version = await subscription.news()
            except TimeoutError:
                yield b": still here\n\n"
                continue
            version = version or await sync_to_async(_version, thread_sensitive=False)(ref)
            if version != seen:
                seen = version
                yield b"id: %d\nevent: version\ndata: %d\n\n" % (version, version)
