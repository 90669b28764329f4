"""Event pages: lists, announcing, the event itself."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.access import ClubRequest, SignedInRequest, club_role, club_visible, decides, public
from clubs.http.methods import shows_a_form
from clubs.http.parts import page_or_part
from clubs.models import Club, Role, User
from scoring.log.queries.visible import clubs_of
from tournaments.core.formats.presets import PRESETS
from tournaments.core.stages.errors import DrawError
from tournaments.display.queries.podiums import name_winners
from tournaments.entries.views.requests import flight_named
from tournaments.events.access import WHO_MAY_SEE, known_event, require_director
from tournaments.events.event_templates import TEMPLATES, Template, template
from tournaments.events.forms.event import AskForm
from tournaments.events.forms.wizard import Wizard, terms_of
from tournaments.events.queries.events import event_lists, last_of
from tournaments.events.queries.plan_forecast import template_lines
from tournaments.events.services.events import announce
from tournaments.events.views.answers import done
from tournaments.log.seen import amounts_seen
from tournaments.models import Event
from tournaments.money.services.prizes import approve_prizes
from tournaments.pages.views.event_etag import answered_once
from tournaments.pages.views.event_page import event_as_it_is


@public
@require_safe
def events(request: HttpRequest) -> HttpResponse:
    """The list of events: in progress, upcoming, past."""
    lists = event_lists(request.user, terms=True)
    name_winners(lists.past)
    clubs = {each.club_id for each in (*lists.running, *lists.coming, *lists.past)}
    context: dict[str, Any] = {"lists": lists, "all_clubs": len(clubs) > 1}
    if isinstance(request.user, User):
        directs = list(clubs_of(request.user, least=Role.DIRECTOR).order_by("name", "pk"))
        context |= {"directs": directs[:3], "desks": {each.pk for each in directs}}
    return page_or_part(request, "tournaments/pages/events.html", context, part="events")


@club_visible
@require_safe
def club_events(request: ClubRequest, club: Club) -> HttpResponse:
    """The events of one club."""
    directs = [club] if request.role is not None and request.role >= Role.DIRECTOR else []
    lists = event_lists(request.user, club=club, terms=True)
    name_winners(lists.past)
    context = {"club": club, "lists": lists, "directs": directs, "desks": {each.pk for each in directs}}
    return page_or_part(request, "tournaments/pages/events.html", context, part="events")


@club_role(Role.DIRECTOR)
@shows_a_form
def new_event(request: ClubRequest, club: Club) -> HttpResponse:
    """Announce an event: choose a template with its forecast, then set details."""
    if request.method != "POST" and "format_key" not in request.GET:
        return _templates(request, club)
    key = request.GET.get("format_key", "")
    chosen = template(key) if key in {*TEMPLATES, *PRESETS} else None
    wizard, forecast, status = Wizard.empty(club, _initial(request, chosen)), [], 200
    if request.method == "POST":
        step, _colon, what = request.POST.get("step", "announce").partition(":")
        if step in {"add", "drop"}:
            added = request.POST.get("template", "") if step == "add" else ""
            wizard = Wizard.changed(club, request.POST, add=added, drop=what)
        else:
            wizard = Wizard.sent(club, request.POST)
            valid = wizard.is_valid()
            if valid and step == "announce":
                made = _announced(request, club, wizard)
                if made is not None:
                    return redirect(made)
                status = 409
            elif valid:
                forecast = wizard.forecast()
    context = {
        "club": club,
        "wizard": wizard,
        "form": wizard.event,
        "template": chosen,
        "forecast": forecast,
        "templates": TEMPLATES.values(),
    }
    return render(request, "tournaments/events/new_event.html", context, status=status)


def _announced(request: ClubRequest, club: Club, wizard: Wizard) -> Event | None:
    """Announce the event; None if refused, with the fault in the form."""
    try:
        made = announce(club=club, plan=wizard.plan(), user=request.user)
    except DrawError as refused:
        wizard.event.add_error(None, str(refused))
        return None
    messages.success(request, _("%(event)s is announced.") % {"event": made.name})
    return made


def _templates(request: ClubRequest, club: Club) -> HttpResponse:
    ask = AskForm(request.GET)
    asked = ask.cleaned_data if ask.is_valid() else {}
    lines = template_lines(asked.get("entrants"), asked.get("tables"))
    context = {"club": club, "ask": ask, "lines": lines, "last": last_of(club)}
    return page_or_part(request, "tournaments/events/templates.html", context, part="templates")


def _initial(request: ClubRequest, chosen: Template | None) -> dict[str, Any]:
    """Initial values: the template's terms and those in the address."""
    asked = {name: request.GET[name] for name in ("format_key", "length", "name") if name in request.GET}
    return asked if chosen is None else terms_of(chosen.key) | asked


@decides(WHO_MAY_SEE)
@require_safe
def event(request: HttpRequest, event: str) -> HttpResponse:
    """The event page."""
    return answered_once(request, event, event_as_it_is)


@decides("directors of the event's club")
@require_POST
def prizes(request: SignedInRequest, event: str) -> HttpResponse:
    """Approve the prizes of a flight, by default the first."""
    found, role = known_event(request.user, event)
    require_director(role)
    flight = flight_named(request, found)
    seen = amounts_seen(request)
    return done(request, found, lambda: approve_prizes(flight=flight, user=request.user, seen=seen))
