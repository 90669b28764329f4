"""A decision as a small page for a frame on another site."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from csp.constants import NONE, SELF
from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.access import decides
from scoring.analysis.queries.privacy import can_see_analysis
from scoring.matches.queries.match_page import MatchPage
from scoring.sharing.queries.links import EVERYONE
from scoring.sharing.queries.previews import preview_of
from scoring.sheets.queries.opened_match import seen_match_of

FRAMED = {
    "default-src": [NONE],
    "style-src": [SELF],
    "img-src": [SELF, "data:"],
    "font-src": [SELF],
    "base-uri": [NONE],
    "form-action": [NONE],
    "frame-ancestors": ["*"],
}
"""No script and no form, so that a site around it can trick nobody into a click that does something."""
THEMES = ("light", "dark")
V = TypeVar("V", bound=Callable[..., HttpResponse])


def framed(view: V) -> V:
    """Let other sites show the view in a frame, under a policy of its own."""

    @wraps(view)
    def inside(*args: Any, **kwargs: Any) -> HttpResponse:
        response: Any = view(*args, **kwargs)
        # Read by csp.middleware and by Django's XFrameOptionsMiddleware.
        response._csp_config = FRAMED
        response.xframe_options_exempt = True
        return cast("HttpResponse", response)

    return cast("V", inside)


@decides("everyone, where everyone can see the match")
@require_safe
@framed
def embed(request: HttpRequest, match: str, step: int) -> HttpResponse:
    """A decision of a match that everyone can see, the same for every viewer: no cookie is read.

    ``theme`` is ``light`` or ``dark``; by default it follows the reader's device.
    """
    opened = seen_match_of(match, EVERYONE, None)
    if opened is None:
        raise Http404(_("There is no match %(ref)s.") % {"ref": match})
    page = MatchPage(opened.match, step, judged=can_see_analysis(EVERYONE, opened.match))
    if page.current is None or page.number != step:
        raise Http404(_("The match %(ref)s has no step %(step)s.") % {"ref": match, "step": step})
    response = embedded(request, page, reverse("scoring:step", args=[match, step]))
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def embedded(request: HttpRequest, page: MatchPage, address: str) -> HttpResponse:
    """The small page of a decision, with a way to ``address`` in a window of its own."""
    theme = request.GET.get("theme", "")
    context = {
        "page": page,
        "match": page.match,
        "preview": preview_of(page),
        "address": address,
        "theme": theme if theme in THEMES else "",
    }
    # Rendered without the request: it is the same for every viewer.
    response = HttpResponse(render_to_string("scoring/sharing/embed.html", context))
    response.headers["Referrer-Policy"] = "no-referrer"
    return response
