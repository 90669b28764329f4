"""API rate limits, from ``API_RATES``, e.g. ``{"visitor": "120/min"}``."""

from typing import Any

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from clubs.http.addresses import counted_as


class Rate(SimpleRateThrottle):
    """One limit per user, over all tokens and sessions; for visitors per address."""

    def __init__(self) -> None:
        """The rate depends on the user and is chosen in ``allow_request``."""

    def allow_request(self, request: Request, view: Any) -> bool:
        self.scope = "person" if request.user.is_authenticated else "visitor"
        self.rate = settings.API_RATES.get(self.scope)
        self.num_requests, self.duration = self.parse_rate(self.rate)
        return bool(super().allow_request(request, view))

    def get_cache_key(self, request: Request, view: Any) -> str:  # noqa: ARG002 - the framework's signature
        ident = request.user.pk if request.user.is_authenticated else counted_as(self.get_ident(request))
        return f"api rate {self.scope} {ident}".replace(" ", "-")


class ProgramRate(Rate):
    """Limits programs only, for addresses that pages request with every tap.

    The phones at a venue share one address, and a page that follows a match requests it with every roll.
    """

    def allow_request(self, request: Request, view: Any) -> bool:
        return request.auth is None or super().allow_request(request, view)
