"""The pages that a link shows, to everyone who has it, until it ends.

They show nothing but what the link is for, and none is indexed, kept by a cache or named to another site.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_safe

from clubs.access import decides
from scoring.matches.queries.match_page import MatchPage
from scoring.sharing.queries.links import SharedMatch, link_with, shared_by
from scoring.sharing.queries.previews import preview_of
from scoring.sharing.services.links import count_opening
from scoring.sharing.views.embeds import embedded, framed
from scoring.sharing.views.pictures import picture_of

HEADERS = {"Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex, nofollow"}
"""The address is a secret: it goes to no other site and into no search engine."""
BY_LINK = "everyone who has a link that has not ended"

View = Callable[..., HttpResponse]


def by_link(shows: View) -> View:
    """Call the view with what the link of the secret shows; 410 after its end, 404 for an unknown one."""

    @never_cache
    @sensitive_variables("secret")
    @wraps(shows)
    def view(request: HttpRequest, secret: str, **named: Any) -> HttpResponse:
        link = link_with(secret)
        if link is None:
            raise Http404(_("No link has this address. Check that you have copied all of it."))
        shown = shared_by(link)
        if shown is None:
            response = render(request, "scoring/sharing/ended.html", {"link": link}, status=410)
        else:
            response = shows(request, shown, secret, **named)
        for name, value in HEADERS.items():
            response.headers[name] = value
        return response

    return view


@decides(BY_LINK)
@require_safe
@by_link
def shared(request: HttpRequest, shown: SharedMatch, secret: str) -> HttpResponse:
    """What a link shows, from its first page; the opening is counted."""
    if request.method == "GET":
        count_opening(shown.link)
    return _shown(request, shown, secret, None)


@decides(BY_LINK)
@require_safe
@by_link
def shared_step(request: HttpRequest, shown: SharedMatch, secret: str, step: int) -> HttpResponse:
    """A step of the match that a link shows."""
    return _shown(request, shown, secret, step)


@decides(BY_LINK)
@require_safe
@by_link
def shared_png(request: HttpRequest, shown: SharedMatch, secret: str, step: int) -> HttpResponse:  # noqa: ARG001
    """The picture of a step that a link shows."""
    return picture_of(request, _at(shown, step))


@decides(BY_LINK)
@require_safe
@framed
@by_link
def shared_embed(request: HttpRequest, shown: SharedMatch, secret: str, step: int) -> HttpResponse:
    """A decision that a link shows, for a frame on another site."""
    page = _at(shown, step)
    only = shown.only is not None
    address = reverse("scoring:shared", args=[secret]) if only else _step(secret, page.number)
    return embedded(request, page, address)


def _shown(request: HttpRequest, shown: SharedMatch, secret: str, step: int | None) -> HttpResponse:
    page = shown.page(step)
    link = request.build_absolute_uri(reverse("scoring:shared", args=[secret]))
    picture = reverse("scoring:shared_png", args=[secret, page.number]) if page.current else ""
    context: dict[str, Any] = {
        "shown": shown,
        "link": shown.link,
        "page": page,
        "match": shown.match,
        "secret": secret,
        "preview": preview_of(page),
        "position_link": link,
        "picture": request.build_absolute_uri(picture) if picture else "",
    }
    return render(request, "scoring/sharing/shared.html", context)


def _at(shown: SharedMatch, step: int) -> MatchPage:
    """The page at this very step. Raises Http404 where the link shows none."""
    page = shown.page(step)
    if page.current is None or page.number != step:
        raise Http404(_("This link shows no step %(step)s.") % {"step": step})
    return page


def _step(secret: str, step: int) -> str:
    return reverse("scoring:shared_step", args=[secret, step])
