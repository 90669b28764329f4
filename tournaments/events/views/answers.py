"""How an action on an event is answered: done, it leads on; refused, the page that it was asked on says why.

The pages stand above everything that they show, so they say by ``answers`` that they answer for themselves.
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
    """A page that shows an event as it is, from a request, the event's ref, why it was ``refused``, and
    what was ``typed`` where the page can keep it.
    """

    def known(page: Page) -> Page:
        _pages[name] = page
        return page

    return known


def refused_on(name: Name, request: HttpRequest, event: str, *, refused: str, **typed: Any) -> HttpResponse:
    """The page as it is now, with why something was refused (409)."""
    return _pages[name](request, event, refused=refused, **typed)


def done(
    request: SignedInRequest,
    event: Event,
    action: Callable[[], Any],
    said: str = "",
    typed: Any = None,
) -> HttpResponse:
    """Do it and go back to the tab of the event's page, or to the desk, that sent it; a refusal is answered
    there (409), by the event's page with what was ``typed``.
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
    """Why the draw of a stage was to be taken back, as somebody typed it."""

    stage: StageRow
    reason: str
