"""ASGI application that answers each request in one pooled thread."""

import asyncio
import os
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import IO

import django
from asgiref.sync import ThreadSensitiveContext, sync_to_async
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.signals import request_started
from django.db import close_old_connections
from django.http import FileResponse, HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import set_script_prefix

from deploy.limits import Doorway, Receive, Scope, Send

IDLE_THREADS = 32  # kept for the next requests

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")


class OneThreadHandler(ASGIHandler):
    """Django's handler with synchronous middleware: one thread switch a request.

    Django's own handler gives each middleware its preferred mode, and switches to a thread and back for each
    half of it, for the signals before and after, and to close the response, some thirty times; and it
    creates that thread, and another that waits for it, for the one request. Asynchronous views run in the
    event loop as before: their streams are read there.
    """

    def __init__(self) -> None:
        super().__init__()
        self._idle: deque[ThreadPoolExecutor] = deque()
        self._in_thread = sync_to_async(self._answered)

    def load_middleware(self, is_async: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002 - Django's own
        super().load_middleware(is_async=False)

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Called by ``__call__``, which stays Django's: observers such as Sentry wrap it."""
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        thread = self._idle.pop() if self._idle else ThreadPoolExecutor(1, "request")
        at_rest = live = False
        try:
            async with ThreadSensitiveContext(executor=thread):
                set_script_prefix(get_script_prefix(scope))
                response = await self._in_thread(scope, body)
                live = is_live(response)
                at_rest = live or not response.streaming
                if not response.streaming:
                    await self.send_response(response, send)
                elif not live:
                    await self._stream(response, receive, send)
        finally:
            body.close()
            if at_rest:
                self._keep(thread)
            else:
                # Not awaited: it can still be working for a client that has disconnected.
                thread.submit(self._keep, thread)
        if live:
            await self._stream(response, receive, send)

    def _answered(self, scope: Scope, body: IO[bytes]) -> HttpResponseBase:
        """The response, made in one thread and closed unless it is a stream."""
        request_started.send(sender=self.__class__, scope=scope)
        request, refusal = self.create_request(scope, body)
        response = self._response_to(request) if request else refusal
        assert response is not None  # noqa: S101 - Django gives one of the two
        if is_live(response):
            close_old_connections()  # as at a request's end: this thread goes to another one
        elif not response.streaming:
            response.close()
        return response

    def _response_to(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        response._handler_class = self.__class__  # type: ignore[attr-defined]
        if isinstance(response, FileResponse):
            response.block_size = self.chunk_size
        return response

    async def _stream(self, response: HttpResponseBase, receive: Receive, send: Send) -> None:
        """Send a stream until it ends or its reader disconnects."""
        leaving = asyncio.create_task(self.listen_for_disconnect(receive))
        sending = asyncio.create_task(self.send_response(response, send))
        try:
            await asyncio.wait([leaving, sending], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (leaving, sending):
                task.cancel()
            outcomes = await asyncio.gather(leaving, sending, return_exceptions=True)
            await sync_to_async(response.close)()
        for outcome in outcomes:
            if isinstance(outcome, Exception) and not isinstance(outcome, RequestAborted):
                raise outcome

    def _keep(self, thread: ThreadPoolExecutor) -> None:
        if len(self._idle) < IDLE_THREADS:
            self._idle.append(thread)
        else:
            thread.shutdown(wait=False)


def is_live(response: HttpResponseBase) -> bool:
    """Whether the event loop reads the response, so that it needs no thread."""
    return isinstance(response, StreamingHttpResponse) and response.is_async


django.setup(set_prefix=False)

# Only now: it imports models, for which Django has to be set up.
from deploy import admission  # noqa: E402

limits = admission.limits()
application = Doorway(OneThreadHandler(), limits, admission.largest_body)
