"""How often one may ask: ``API_RATES`` in the settings, e.g. ``{"visitor": "120/min", "person": "9/s"}``."""

from typing import Any

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from clubs.http.addresses import counted_as


class Rate(SimpleRateThrottle):
    """One count a person, over all their tokens and sessions; for visitors one count an address."""

    def __init__(self) -> None:
        """The rate depends on who asks and is chosen in ``allow_request``."""

    def allow_request(self, request: Request, view: Any) -> bool:
        self.scope = "person" if request.user.is_authenticated else "visitor"
        self.rate = settings.API_RATES.get(self.scope)
        self.num_requests, self.duration = self.parse_rate(self.rate)
        return bool(super().allow_request(request, view))

    def get_cache_key(self, request: Request, view: Any) -> str:  # noqa: ARG002 - the framework's signature
        ident = request.user.pk if request.user.is_authenticated else counted_as(self.get_ident(request))
        return f"api rate {self.scope} {ident}".replace(" ", "-")


class ProgramRate(Rate):
    """Counts programs alone: for addresses that the pages ask themselves, as often as somebody taps.

    A venue's phones are one address, and a page that follows a match asks again with every roll.
    """

    def allow_request(self, request: Request, view: Any) -> bool:
        return request.auth is None or super().allow_request(request, view)
