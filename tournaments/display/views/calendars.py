"""Calendar feeds of events and users."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.access import SignedInRequest, decides, signed_in
from clubs.http.methods import shows_a_form
from tournaments.display.queries.calendars import calendar_text, own_events
from tournaments.events.access import WHO_MAY_SEE, known_event
from tournaments.following.services import calendar_key, renew_calendar_key
from tournaments.models import CalendarKey, Event


@decides(WHO_MAY_SEE)
@require_safe
def event_calendar(request: HttpRequest, event: str) -> HttpResponse:
    """Calendar file of an event."""
    found, _role = known_event(request.user, event)
    return _calendar(request, found.name, [found])


@signed_in
@shows_a_form
def calendar(request: SignedInRequest) -> HttpResponse:
    """Show the secret link of your calendar, or create a new one."""
    if request.method == "POST":
        renew_calendar_key(user=request.user)
        messages.success(request, _("This is your new link. The old one no longer works."))
        return redirect("tournaments:calendar")
    key = calendar_key(user=request.user).key
    address = request.build_absolute_uri(reverse("tournaments:own_calendar", args=[key]))
    # calendar programs take this scheme as "subscribe", browsers hand it to them
    subscribe = f"webcal:{address.partition(':')[2]}"
    events = sorted(own_events(request.user), key=lambda event: event.starts_at)
    context = {"address": address, "subscribe": subscribe, "events": events}
    return render(request, "tournaments/display/calendar.html", context)


@decides("anyone with the secret link")
@require_safe
def own_calendar(request: HttpRequest, key: str) -> HttpResponse:
    """Calendar feed of the user with this key."""
    found = CalendarKey.objects.select_related("user").filter(key=key, user__is_active=True).first()
    if found is None:
        raise Http404(_("This calendar link is not valid."))
    return _calendar(request, _("My backgammon events"), own_events(found.user))


def _calendar(request: HttpRequest, name: str, events: list[Event]) -> HttpResponse:
    addressed = [(event, request.build_absolute_uri(event.get_absolute_url())) for event in events]
    content = calendar_text(name, addressed, host=request.get_host())
    response = HttpResponse(content, content_type="text/calendar; charset=utf-8")
    response.headers["Content-Disposition"] = 'inline; filename="midpoint.ics"'
    response.headers["Cache-Control"] = "private, no-cache"
    return response
