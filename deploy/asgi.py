"""The site as an ASGI application, whose middleware and views run in one thread of the request's own."""

import os

import django
from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")


class OneThreadHandler(ASGIHandler):
    """Django's handler with a synchronous chain of middleware: one change of thread a request, not thirty.

    Django's own gives each middleware the mode that it prefers, and goes to a thread and back for every half
    of each of them. Asynchronous views run in the event loop as before: their streams are read there.
    """

    def load_middleware(self, is_async: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002 - Django's own
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        return await sync_to_async(self.get_response, thread_sensitive=True)(request)


django.setup(set_prefix=False)

# Only now: these import models, for which Django has to be set up.
from deploy import admission  # noqa: E402
from deploy.limits import Doorway  # noqa: E402

limits = admission.limits()
application = Doorway(OneThreadHandler(), limits, admission.largest_body)
