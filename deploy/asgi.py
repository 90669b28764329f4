"""The site as an ASGI application that answers each request in one thread, and keeps its threads."""

import os
from collections import deque
from concurrent.futures import ThreadPoolExecutor

import django
from asgiref.sync import ThreadSensitiveContext, sync_to_async
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from deploy.limits import Doorway, Receive, Scope, Send

IDLE_THREADS = 32  # kept for the next requests; open streams have a thread each beyond them

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")


class OneThreadHandler(ASGIHandler):
    """Django's handler with a synchronous chain of middleware: one change of thread a request, not thirty.

    Django's own gives each middleware the mode that it prefers, and goes to a thread and back for every half
    of each of them; that thread, and another that waits for its end, it makes for the one request.
    Asynchronous views run in the event loop as before: their streams are read there.
    """

    def __init__(self) -> None:
        super().__init__()
        self._idle: deque[ThreadPoolExecutor] = deque()

    def load_middleware(self, is_async: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002 - Django's own
        super().load_middleware(is_async=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            raise ValueError(f"only HTTP is spoken here, not {scope['type']}")
        thread = self._idle.pop() if self._idle else ThreadPoolExecutor(1, "request")
        try:
            async with ThreadSensitiveContext(executor=thread):
                await self.handle(scope, receive, send)
        finally:
            # After what it may still do for a visitor who has left: no other request waits for that.
            thread.submit(self._keep, thread)

    def _keep(self, thread: ThreadPoolExecutor) -> None:
        if len(self._idle) < IDLE_THREADS:
            self._idle.append(thread)
        else:
            thread.shutdown(wait=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        return await sync_to_async(self.get_response, thread_sensitive=True)(request)


django.setup(set_prefix=False)

# Only now: it imports models, for which Django has to be set up.
from deploy import admission  # noqa: E402

limits = admission.limits()
application = Doorway(OneThreadHandler(), limits, admission.largest_body)
