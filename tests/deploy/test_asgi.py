"""The ASGI handler: one thread for a request, which is free again for the next."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from django.core.signals import request_finished, request_started
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse

from deploy.asgi import OneThreadHandler

SCOPE = {
    "type": "http",
    "method": "GET",
    "path": "/",
    "root_path": "",
    "query_string": b"",
    "headers": [],
    "client": ("127.0.0.1", 1),
    "server": ("127.0.0.1", 80),
}
Messages = list[dict[str, Any]]


@pytest.fixture
def told() -> Iterator[list[tuple[str, str]]]:
    """Which signals were sent, each with its thread."""
    heard: list[tuple[str, str]] = []

    def begun(**_more: Any) -> None:
        heard.append(("started", threading.current_thread().name))

    def ended(**_more: Any) -> None:
        heard.append(("finished", threading.current_thread().name))

    request_started.connect(begun)
    request_finished.connect(ended)
    yield heard
    request_started.disconnect(begun)
    request_finished.disconnect(ended)


class Plain(OneThreadHandler):
    """Answers which thread has answered."""

    def get_response(self, request: HttpRequest) -> HttpResponse:
        response = HttpResponse(threading.current_thread().name)
        response._resource_closers.append(request.close)  # type: ignore[attr-defined]
        return response


class Endless(OneThreadHandler):
    """Answers with a stream that ends when its reader leaves; ``ended`` says so."""

    ended, begun = False, 0

    def get_response(self, _request: HttpRequest) -> StreamingHttpResponse:
        return StreamingHttpResponse(self.pieces())

    async def pieces(self) -> AsyncIterator[bytes]:
        self.begun += 1
        try:
            while True:
                yield b"piece"
                await asyncio.sleep(0.001)
        finally:
            self.ended = True


class Broken(OneThreadHandler):
    """Answers with a stream that breaks down."""

    def get_response(self, _request: HttpRequest) -> StreamingHttpResponse:
        return StreamingHttpResponse(self.pieces())

    async def pieces(self) -> AsyncIterator[bytes]:
        yield b"piece"
        raise ValueError("the stream broke down")


async def asked(handler: OneThreadHandler, *, leave_after: int | None = None, gone: bool = False) -> Messages:
    """What is sent to somebody who leaves after so many messages, or was ``gone`` before the body came."""
    sent: Messages = []
    left = asyncio.Event()
    arriving = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> dict[str, Any]:
        if arriving and not gone:
            return arriving.pop()
        if not gone:
            await left.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)
        if len(sent) == leave_after:
            left.set()

    await asyncio.wait_for(handler(SCOPE, receive, send), 60)
    return sent


def bodies(messages: Messages) -> bytes:
    return b"".join(message["body"] for message in messages if message["type"] == "http.response.body")


def test_a_request_begins_and_ends_in_the_thread_that_answers_it(told: list[tuple[str, str]]) -> None:
    messages = asyncio.run(asked(Plain()))
    thread = bodies(messages).decode()
    assert thread.startswith("request")
    assert told == [("started", thread), ("finished", thread)]
    assert messages[0]["status"] == 200


def test_one_after_the_other_is_answered_by_one_thread() -> None:
    handler = Plain()

    async def three() -> set[bytes]:
        return {bodies(await asked(handler)) for _number in range(3)}

    assert len(asyncio.run(three())) == 1
    assert len(handler._idle) == 1


def test_who_is_gone_before_the_request_has_arrived_takes_no_thread(told: list[tuple[str, str]]) -> None:
    handler = Plain()
    assert asyncio.run(asked(handler, gone=True)) == []
    assert (told, len(handler._idle)) == ([], 0)


def test_a_stream_ends_when_its_reader_leaves(told: list[tuple[str, str]]) -> None:
    handler = Endless()
    messages = asyncio.run(asked(handler, leave_after=4))
    assert bodies(messages).startswith(b"piecepiece")
    assert handler.ended
    assert [name for name, _thread in told] == ["started", "finished"]


def test_streams_that_are_open_take_no_thread() -> None:
    """Each kept the one that its request had, idle, until its reader left."""
    handler = Endless()

    async def several() -> int:
        reading = [asyncio.create_task(asked(handler, leave_after=50)) for _number in range(5)]
        while not all(task.done() for task in reading):
            await asyncio.sleep(0)
            if handler.begun == 5:
                break
        idle = len(handler._idle)
        await asyncio.gather(*reading)
        return idle

    # As many as were needed at once: all of them wait for other requests while the streams go on.
    assert 1 <= asyncio.run(several()) == len(handler._idle)


def test_a_stream_that_breaks_down_says_so_and_is_closed(told: list[tuple[str, str]]) -> None:
    with pytest.raises(ValueError, match="the stream broke down"):
        asyncio.run(asked(Broken()))
    assert [name for name, _thread in told] == ["started", "finished"]
