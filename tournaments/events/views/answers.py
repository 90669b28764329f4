"""Responses to actions on an event: redirect, or the page with the refusal.

The pages are in a higher layer, so they register themselves with ``answers``.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from clubs.access import SignedInRequest
from clubs.pictures import PictureRefused
from clubs.refusals import with_remedy
from scoring.signals import ResultRefused
from tournaments.core.prizes.money import PrizeRefused
from tournaments.core.stages.errors import DrawError
from tournaments.events.tabs import address_of, tab_behind
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import StaleRefused
from tournaments.models import Event, StageRow

LONGEST_NAMED = 40
"""Characters of an unknown action that a refusal repeats."""
REFUSALS = (DeskRefused, DrawError, PictureRefused, PrizeRefused, ResultRefused, StaleRefused)

Name: TypeAlias = Literal["event", "desk", "entries"]
Page: TypeAlias = Callable[..., HttpResponse]
_pages: dict[Name, Page] = {}


def answers(name: Name) -> Callable[[Page], Page]:
    """Register a page that shows an event.

    It takes the request, the event's ref, why something was ``refused``, and what was ``typed`` if it can
    keep that.
    """

    def known(page: Page) -> Page:
        _pages[name] = page
        return page

    return known


def refused_on(name: Name, request: HttpRequest, event: str, *, refused: str, **typed: Any) -> HttpResponse:
    """The page with the reason of a refusal (409)."""
    return _pages[name](request, event, refused=refused, **typed)


def sender(request: HttpRequest, event: Event) -> Name:
    """The page that sent a form, by its field ``next``; else the event's."""
    pages: tuple[Name, ...] = ("desk", "entries")
    asked = request.POST.get("next")
    found = (page for page in pages if asked == reverse(f"tournaments:{page}", args=[event.ref]))
    return next(found, "event")


def done(
    request: SignedInRequest,
    event: Event,
    action: Callable[[], Any],
    said: str = "",
    typed: Any = None,
    part: str = "",
) -> HttpResponse:
    """Run the action and return to the tab, desk or table of entries that sent it.

    ``part`` is the id of what was acted on in the event's page, which opens there. A refusal is shown there
    (409), but on the desk with what was ``typed``.
    """
    page = sender(request, event)
    try:
        action()
    except REFUSALS as refused:
        if page == "desk":
            return refused_on("desk", request, event.ref, refused=with_remedy(refused))
        return refused_on(page, request, event.ref, refused=with_remedy(refused), typed=typed)
    if said:
        messages.success(request, said)
    if page != "event":
        return redirect(f"tournaments:{page}", event=event.ref)
    address = address_of(event, tab_behind(request, event))
    return redirect(f"{address}#{part}" if part else address)


def unknown_action(action: str) -> DeskRefused:
    """The refusal of an action that a form does not have."""
    message = _("There is no action “%(action)s”. Reload the page and try again.")
    return DeskRefused(message % {"action": action[:LONGEST_NAMED]}, code="action")


@dataclass(frozen=True, slots=True)
class TypedReason:
    """The typed reason for a redraw."""

    stage: StageRow
    reason: str
