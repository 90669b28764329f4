"""Pages to change an event or a flight."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.timezone import override
from django.utils.translation import gettext as _

from clubs.access import SignedInRequest, decides
from clubs.http.methods import shows_a_form
from clubs.refusals import with_remedy
from scoring.codec import to_plain
from tournaments.events.access import DIRECTORS, known_event, known_flight, require_director
from tournaments.events.forms.changes import ChangeEventForm, ChangeFlightForm, shown_terms, terms_seen
from tournaments.events.queries.terms import (
    EVENT_TERMS,
    FLIGHT_TERMS,
    event_terms,
    flight_terms,
    term_in_words,
)
from tournaments.events.services.changes import change_event, change_flight
from tournaments.events.services.events import OvertakenRefused
from tournaments.events.views.answers import REFUSALS
from tournaments.events.views.moved_events import needs_event_here
from tournaments.models import Event, Flight


@needs_event_here
@decides(DIRECTORS)
@shows_a_form
def change(request: SignedInRequest, event: str) -> HttpResponse:
    """Change the terms of an event; 409 with the current values if overtaken."""
    found, role = known_event(request.user, event)
    require_director(role)
    form = ChangeEventForm(found, request.POST or None)

    def act(seen: Mapping[str, Any]) -> None:
        change_event(event=found, changes=form.changes(), user=request.user, seen=seen)

    def present() -> dict[str, Any]:
        return event_terms(Event.objects.get(pk=found.pk))

    context = {"event": found, "form": form, "fields": list(form), "labels": EVENT_TERMS}
    return _answer(request, context, act, present)


@needs_event_here
@decides(DIRECTORS)
@shows_a_form
def change_terms(request: SignedInRequest, flight: str) -> HttpResponse:
    """Change the terms of a flight; 409 with the current values if overtaken."""
    found, role = known_flight(request.user, flight)
    require_director(role)
    form = ChangeFlightForm(found, request.POST or None)

    def act(seen: Mapping[str, Any]) -> None:
        change_flight(flight=found, changes=form.changes(), user=request.user, seen=seen)

    def present() -> dict[str, Any]:
        return flight_terms(Flight.objects.get(pk=found.pk))

    context = {
        "event": found.event,
        "flight": found,
        "form": form,
        "fields": form.shown_fields,
        "labels": FLIGHT_TERMS,
    }
    return _answer(request, context, act, present)


def _answer(
    request: SignedInRequest,
    context: dict[str, Any],
    act: Callable[[Mapping[str, Any]], None],
    present: Callable[[], dict[str, Any]],
) -> HttpResponse:
    """Show the form, or apply it and return to the event."""
    event, form = context["event"], context["form"]
    seen, status = shown_terms(present()), 200
    if request.method == "POST" and form.is_valid():
        try:
            act(terms_seen(request.POST.get("seen", "")))
        except ValidationError as unreadable:
            form.add_error(None, unreadable)
            status = 409
        except REFUSALS as refused:
            form.add_error(None, with_remedy(refused))
            status = 409
            if isinstance(refused, OvertakenRefused):
                context["stands"] = _in_words(event, context["labels"], present())
                context["unsent"] = getattr(form, "leftover_values", str)()
        else:
            messages.success(request, _("Changes saved."))
            return redirect(event)
    elif request.method == "POST":
        # What the page knew stays what it said first, however often it is mistyped.
        seen = request.POST.get("seen", seen)
    return render(request, "tournaments/events/change.html", context | {"seen": seen}, status=status)


def _in_words(event: Event, labels: Mapping[str, Any], terms: dict[str, Any]) -> list[tuple[str, str]]:
    """The current terms, each with its name."""
    with override(event.tz):
        return [
            (str(labels[name]), term_in_words(name, value, currency=event.club.currency))
            for name, value in to_plain(terms).items()
        ]
