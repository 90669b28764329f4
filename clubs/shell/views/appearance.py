"""Saves the appearance in a cookie, so that the first page is right."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from clubs.access import public
from clubs.http.destinations import sent_back_to
from clubs.http.sent_once import each_time
from clubs.shell.appearance import APPEARANCES, COOKIE

A_YEAR = 365 * 24 * 3600


@each_time
@public
@require_POST
def set_appearance(request: HttpRequest) -> HttpResponse:
    """Save the choice and return to the page.

    Sent without a page load: dark, light and dark again are three choices under one token.
    """
    chosen = request.POST.get("appearance", "")
    if chosen not in APPEARANCES:
        return HttpResponseBadRequest(
            _("“%(value)s” is not an appearance. Choose one of %(choices)s.")
            % {"value": chosen, "choices": ", ".join(APPEARANCES)},
            content_type="text/plain; charset=utf-8",
        )
    response = HttpResponseRedirect(sent_back_to(request, otherwise="/"))
    response.set_cookie(
        COOKIE, chosen, max_age=A_YEAR, samesite="Lax", httponly=True, secure=settings.SESSION_COOKIE_SECURE
    )
    return response
