"""The wizard that announces an event, and the page of what was announced."""

from typing import Any
from urllib.parse import urlencode

from django.core.exceptions import ValidationError
from django.forms import BooleanField
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.timezone import now
from django.views.decorators.http import require_safe

from clubs.access import ClubRequest, SignedInRequest, club_role, decides
from clubs.http.addresses import for_phones
from clubs.http.methods import shows_a_form
from clubs.models import Club, Role
from clubs.refusals import with_remedy
from tournaments.core.stages.errors import DrawError
from tournaments.core.timetable.forecast import Conditions
from tournaments.display.views.wall import qr_svg
from tournaments.events.access import DIRECTORS, directed_event
from tournaments.events.event_templates import TEMPLATES
from tournaments.events.forms.event import FORMAT, STEPS, WHAT, EventForm
from tournaments.events.forms.wizard import ORDER, Wizard, terms_of
from tournaments.events.queries.chooser import FeedingRounds
from tournaments.events.queries.event_page import flight_blocks
from tournaments.events.queries.events import last_of
from tournaments.events.queries.format_cards import FormatCards, format_cards
from tournaments.events.services.events import announce
from tournaments.events.views.moved_events import needs_event_here
from tournaments.models import Event

USUAL_ENTRANTS, USUAL_LENGTH = 16, 5
PARTS = frozenset({"forecast", "wizard"})


@club_role(Role.DIRECTOR)
@shows_a_form
def new_event(request: ClubRequest, club: Club) -> HttpResponse:
    """Announce an event in four steps; every step sends the whole form.

    Going on validates the steps before, going back and a forecast that follows what is typed do not.
    """
    if request.method != "POST":
        step = request.GET.get("step", "")
        return _page(request, club, Wizard.empty(club, _initial(request)), step if step in STEPS else WHAT)
    sent = request.POST
    at = sent["at"] if sent.get("at") in STEPS else ORDER[-1]
    action, _colon, what = sent.get("step", "announce").partition(":")
    if action in {"add", "drop"}:
        added = sent.get("template", "") if action == "add" else ""
        return _page(request, club, Wizard.changed(club, sent, add=added, drop=what), at)
    place = ORDER.index(at)
    to = {"next": ORDER[min(place + 1, len(ORDER) - 1)], "back": ORDER[max(place - 1, 0)]}.get(action, at)
    if action == "to" and what in STEPS:
        to = what
    wizard = Wizard.sent(club, sent)
    if action == "announce":
        if faulty := wizard.faulty_step():
            return _page(request, club, wizard, faulty)
        made = _announced(request, club, wizard)
        return (
            _page(request, club, wizard, at, status=409)
            if made is None
            else redirect("tournaments:announced", made.ref)
        )
    if action == "forecast" and not request.headers.get("HX-Request") and (faulty := wizard.faulty_step(at)):
        return _page(request, club, wizard, faulty)
    if ORDER.index(to) > place and (faulty := wizard.faulty_step(ORDER[ORDER.index(to) - 1])):
        return _page(request, club, wizard, faulty)
    return _page(request, club, Wizard.changed(club, sent), to)


def _announced(request: ClubRequest, club: Club, wizard: Wizard) -> Event | None:
    """Announce the event; None if refused, with the fault in the form."""
    try:
        return announce(club=club, plan=wizard.plan(), user=request.user)
    except DrawError as refused:
        wizard.event.add_error(None, with_remedy(refused))
        return None


def _page(request: ClubRequest, club: Club, wizard: Wizard, step: str, *, status: int = 200) -> HttpResponse:
    cards = _cards(wizard) if step == FORMAT else None
    if cards is not None and not wizard.event.is_bound and not wizard.event["format_key"].value():
        values = wizard.values()
        values["format_key"] = cards.first[0].key
        wizard = Wizard.changed(club, values)
    forecast = wizard.forecast(club)
    place = ORDER.index(step)
    context: dict[str, Any] = {
        "club": club,
        "wizard": wizard,
        "form": wizard.event,
        "step": step,
        "steps": [(key, title, number) for number, (key, title) in enumerate(STEPS.items(), 1)],
        "number": place + 1,
        "is_first": place == 0,
        "is_last": step == ORDER[-1],
        "parts": [(form, form.parts(step)) for form in wizard.forms],
        "carried": [field for form in wizard.forms for field in form.beside(step)],
        "cards": cards,
        "chosen_template": wizard.event["format_key"].value() in TEMPLATES,
        "whole": forecast[0] if forecast else None,
        "each": forecast[1:] if forecast else [],
        "templates": TEMPLATES.values(),
        "last": last_of(club) if step == WHAT else None,
        "compare": _compare(wizard),
    }
    asked = request.headers.get("HX-Target", "")
    template = "tournaments/events/new_event.html"
    if asked in PARTS and request.method == "POST":
        template = f"{template}#{asked}"
    return render(request, template, context, status=status)


def _cards(wizard: Wizard) -> FormatCards:
    """The formats for the typed field."""
    form = wizard.event
    conditions = Conditions(
        tables=_whole(form, "tables"),
        clocks=bool(form["clocks"].value()),
        length=_whole(form, "length") or USUAL_LENGTH,
    )
    feeding = FeedingRounds(_whole(form, "consolation_rounds"), _whole(form, "last_chance_rounds"))
    entrants = _whole(form, "entrants") or min(_whole(form, "capacity") or USUAL_ENTRANTS, 256)
    chosen = str(form["format_key"].value() or "")
    return format_cards(entrants, conditions, chosen=chosen, feeding=feeding)


def _whole(form: EventForm, name: str) -> int | None:
    """The typed whole number of a field; None for nothing or nonsense, which the field itself says."""
    found = form.fields[name]
    try:
        value: int | None = found.clean(form[name].value() or None)
    except ValidationError:
        return None
    return value


def _initial(request: HttpRequest) -> dict[str, Any]:
    """Initial values: a template's terms, and what the address brings from the format chooser."""
    asked: dict[str, Any] = {name: request.GET[name] for name in EventForm.base_fields if name in request.GET}
    for name, value in [*asked.items()]:
        if isinstance(EventForm.base_fields[name], BooleanField):
            asked[name] = value in {"on", "true", "1"}
    return terms_of(asked.get("format_key", "")) | asked


def _compare(wizard: Wizard) -> str:
    """What the format chooser is asked with."""
    names = ("entrants", "tables", "length", "clocks", "name", "starts_at")
    values: QueryDict = wizard.values()
    return urlencode({name: values[name] for name in names if values.get(name)})


@needs_event_here
@decides(DIRECTORS)
@require_safe
def announced(request: SignedInRequest, event: str) -> HttpResponse:
    """The event as a visitor sees it, with its link and QR code to send round."""
    found = directed_event(request.user, event)
    address = for_phones(request, found.get_absolute_url())
    blocks = flight_blocks(found)
    context = {
        "event": found,
        "club": found.club,
        "address": address,
        "code": qr_svg(address),
        "blocks": [{"block": block} for block in blocks],
        "several": len(blocks) > 1,
        "breaks": [pause for pause in found.pauses if pause.ends_at > now()],
    }
    return render(request, "tournaments/pages/announced.html", context)
