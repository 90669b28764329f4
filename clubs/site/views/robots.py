"""``robots.txt``: keeps crawlers from addresses for programs, accounts and operators.

Whether pages of a club are found is the club's choice, and stands on the page as ``noindex``. A crawler reads
that only where it may ask, so no such page is kept from crawlers here.
"""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from clubs.access import public

KEPT_OUT = ("/account/", "/api/", "/healthz", "/live/", "/me/", "/outbox/", "/readyz", "/site/")
"""Prefixes of addresses that nobody searches for."""
DAY = 24 * 60 * 60


@public
@cache_control(public=True, max_age=DAY)
@require_safe
def robots(_request: HttpRequest) -> HttpResponse:
    """The rules for crawlers as text."""
    lines = ["User-agent: *", *(f"Disallow: {prefix}" for prefix in KEPT_OUT), ""]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")
