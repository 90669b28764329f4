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

from clubs.access import SignedInRequest
from scoring.signals import ResultRefused
from tournaments.core.prizes.money import PrizeRefused
from tournaments.core.stages.errors import DrawError
from tournaments.events.tabs import address_of, tab_behind
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import StaleRefused
from tournaments.models import Event, StageRow

REFUSALS = (DeskRefused, DrawError, PrizeRefused, ResultRefused, StaleRefused)

Name: TypeAlias = Literal["event", "desk"]
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


def done(
    request: SignedInRequest,
    event: Event,
    action: Callable[[], Any],
    said: str = "",
    typed: Any = None,
) -> HttpResponse:
    """Run the action and return to the tab or desk that sent it.

    A refusal is shown there (409), on the event's page with what was ``typed``.
    """
    at_desk = request.POST.get("next") == reverse("tournaments:desk", args=[event.ref])
    try:
        action()
    except REFUSALS as refused:
        if at_desk:
            return refused_on("desk", request, event.ref, refused=str(refused))
        return refused_on("event", request, event.ref, refused=str(refused), typed=typed)
    if said:
        messages.success(request, said)
    if at_desk:
        return redirect("tournaments:desk", event=event.ref)
    return redirect(address_of(event, tab_behind(request, event)))


@dataclass(frozen=True, slots=True)
class TypedReason:
    """The typed reason for a redraw."""

    stage: StageRow
    reason: str
