"""Limits per visitor: request size, time to send, requests at once.

Two layers, because each sees what the other cannot. ``BoundedProtocol`` has the connection: it ends what
arrives too slowly, is not read, or is one too many from an address. ``Doorway`` has the request, also behind
a proxy: it finds the real address, counts by it, and refuses a large body before it is stored.
"""

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

import h11
from django.http import HttpRequest
from django.utils import translation
from django.utils.translation import gettext as _
from uvicorn.protocols.http.h11_impl import H11Protocol

from deploy.proxies import TrustedProxies, counted_as

SMALL_BODY = 2_621_440  # bytes; Django holds as much in memory, so that nothing of it reaches a disk
SLOWEST_BODY = 16 * 1024  # bytes a second that a body must arrive with, or its time does not grow
UNREAD = 60.0  # seconds after which an answer that is not read ends
# A refused sender may take so long to notice, and send so much: closing at once would lose the answer.
LINGER_SECONDS, LINGER_BYTES = 2.0, 1_000_000
MOST_CONNECTIONS = 4000

Message = Mapping[str, Any]
Scope = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
LargestBody = Callable[[Scope], Awaitable[int]]

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds for a request to arrive; connections and requests per address."""

    request_seconds: float
    per_address: int
    proxies: TrustedProxies


@dataclass(slots=True)
class Addresses:
    """Counts per address."""

    most: int
    now: Counter[str] = field(default_factory=Counter)

    def take(self, address: str) -> bool:
        if self.now[address] >= self.most:
            return False
        self.now[address] += 1
        return True

    def give_back(self, address: str) -> None:
        self.now[address] -= 1
        if self.now[address] <= 0:
            del self.now[address]

    @contextmanager
    def taken(self, address: str) -> Iterator[bool]:
        """Count one for the address during the block; yield False if over the limit."""
        took = self.take(address)
        try:
            yield took
        finally:
            if took:
                self.give_back(address)


class BoundedProtocol(H11Protocol):
    """uvicorn's HTTP/1.1 with time limits and a limit per address.

    A stream of server-sent events is a request that has arrived, so it can last; it counts for its address.
    A trusted proxy's connections belong to everyone: the ``Doorway`` counts those.
    """

    def __init__(self, *arguments: Any, limits: Limits, open_now: Addresses, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._limits, self._open_now = limits, open_now
        self._counted: str | None = None
        self._began, self._arrived = 0.0, 0
        self._arriving: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        host = self.client[0] if self.client else ""
        if host and not self._limits.proxies.trusts(host):
            address = counted_as(host)
            if not self._open_now.take(address):
                logger.warning("%s has %d connections: one more is refused", address, self._open_now.most)
                self._refuse(HTTPStatus.TOO_MANY_REQUESTS)
                return
            self._counted = address
        self._mind_arrival()

    def connection_lost(self, exc: Exception | None) -> None:
        for timer in (self._arriving, self._unread):
            if timer:
                timer.cancel()
        if self._counted is not None:
            self._open_now.give_back(self._counted)
            self._counted = None
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        self._arrived += len(data)
        super().data_received(data)
        self._mind_arrival()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self.transport.is_closing():
            self._mind_arrival()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread = self.loop.call_later(UNREAD, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._unread:
            self._unread.cancel()
            self._unread = None

    def _mind_arrival(self) -> None:
        """Run the clock while a request arrives."""
        underway = self.conn.their_state in {h11.IDLE, h11.SEND_BODY} and not self.transport.is_closing()
        if underway and self._arriving is None and self.timeout_keep_alive_task is None:
            self._began, self._arrived = self.loop.time(), 0
            self._arriving = self.loop.call_later(self._limits.request_seconds, self._too_slow)
        elif not underway and self._arriving is not None:
            self._arriving.cancel()
            self._arriving = None

    def _too_slow(self) -> None:
        """End a request that took too long; a steadily arriving body has longer."""
        self._arriving = None
        if self.transport.is_closing():
            return
        left = self._began + self._limits.request_seconds - self.loop.time()
        if self.conn.their_state is h11.SEND_BODY:
            left += self._arrived / SLOWEST_BODY
        if left > 0:
            self._arriving = self.loop.call_later(left, self._too_slow)
            return
        self._refuse(HTTPStatus.REQUEST_TIMEOUT)

    def _refuse(self, status: HTTPStatus) -> None:
        """Send the reason, unless a response has begun, and close."""
        if self.conn.our_state in {h11.IDLE, h11.SEND_RESPONSE}:
            headers, body = refusal(status)
            for event in (
                h11.Response(status_code=status, headers=headers, reason=status.phrase.encode()),
                h11.Data(data=body),
                h11.EndOfMessage(),
            ):
                self.transport.write(self.conn.send(event) or b"")
        if self.cycle is not None:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self.transport.close()


class Doorway:
    """The ASGI application in front of Django."""

    def __init__(self, app: App, limits: Limits, largest_body: LargestBody) -> None:
        self._app, self._limits, self._largest_body = app, limits, largest_body
        self._answering = Addresses(limits.per_address)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scope = self._limits.proxies.resolved(scope)
        address = counted_as(scope["client"][0] if scope.get("client") else "")
        with self._answering.taken(address) as taken:
            if taken:
                await self._bounded(scope, receive, send)
            else:
                logger.warning("%s has %d requests: one more is refused", address, self._limits.per_address)
                await answer(send, receive, HTTPStatus.TOO_MANY_REQUESTS)

    async def _bounded(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = Body(scope, receive, send, self._largest_body)
        if await body.fits(declared_length(scope)):
            await self._app(scope, body.receive, body.send)
        if body.refused and not body.answered:
            await answer(send, receive, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, smaller(scope, body.most))


class Body:
    """A request body, counted while it is read.

    If it is too large, Django sees a disconnect: it drops what it has and answers nothing.
    """

    def __init__(self, scope: Scope, receive: Receive, send: Send, largest_body: LargestBody) -> None:
        self._scope, self._receive, self._send, self._largest_body = scope, receive, send, largest_body
        self._read, self.most, self._asked = 0, SMALL_BODY, False
        self.refused = self.answered = False

    async def fits(self, size: int) -> bool:
        """Whether a body of this size is allowed; looks up the user only if large."""
        if size > self.most and not self._asked:
            self._asked, self.most = True, await self._largest_body(self._scope)
        self.refused = size > self.most
        return not self.refused

    async def receive(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.request":
            self._read += len(message.get("body", b""))
            if not await self.fits(self._read):
                return {"type": "http.disconnect"}
        return message

    async def send(self, message: Message) -> None:
        self.answered = True
        await self._send(message)


def declared_length(scope: Scope) -> int:
    """``Content-Length``, or 0. The server has refused invalid ones."""
    digits = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
    return int(digits) if digits.isdigit() and len(digits) <= len(str(2**63)) else 0


def smaller(scope: Scope, most: int) -> str:
    """What can be sent at most, in bytes, as a sentence in the sender's language: none is chosen out here."""
    languages = [value for name, value in scope["headers"] if name == b"accept-language"]
    request = HttpRequest()
    request.META["HTTP_ACCEPT_LANGUAGE"] = b",".join(languages).decode("latin-1")
    with translation.override(translation.get_language_from_request(request)):
        words = _("At most %(most)s MB can be sent here. Go back and choose a smaller file.")
        return f"{words % {'most': most // 2**20}}\n"


def refusal(status: HTTPStatus, advice: str = "") -> tuple[list[tuple[bytes, bytes]], bytes]:
    """The headers and body of a response that closes the connection; ``advice``: what to do."""
    body = f"{status.value} {status.phrase}\n{advice}".encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    if status is HTTPStatus.TOO_MANY_REQUESTS:
        headers.append((b"retry-after", b"5"))
    return headers, body


async def answer(send: Send, receive: Receive, status: HTTPStatus, advice: str = "") -> None:
    """Refuse a request and close a moment later, discarding what still arrives."""
    headers, body = refusal(status, advice)
    await send({"type": "http.response.start", "status": status.value, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": True})
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(LINGER_SECONDS):
            left = LINGER_BYTES
            while left > 0:
                message = await receive()
                if message["type"] != "http.request" or not message.get("more_body"):
                    break
                left -= len(message.get("body", b""))
            else:
                await asyncio.sleep(LINGER_SECONDS)
    await send({"type": "http.response.body", "body": b"", "more_body": False})
