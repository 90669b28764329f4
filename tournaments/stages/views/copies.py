"""Messages about an event copied to another day."""

from itertools import islice

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _

from tournaments.core.timetable.copied_breaks import copied_breaks
from tournaments.models import Event, ForbiddenKind
from tournaments.stages.queries.forbidden import list_of
from tournaments.words.written import span

SHOWN = 5


def warn_about_copy(request: HttpRequest, *, event: Event, made: Event) -> None:
    """Tell which breaks the copy has at another hour or lost, and which forbidden pairs it does not have."""
    _warn_about_breaks(request, event, made)
    _warn_about_forbidden_pairs(request, event)


def _warn_about_forbidden_pairs(request: HttpRequest, event: Event) -> None:
    flights = event.flights.order_by("position")
    lines = [line.title for flight in flights for line in list_of(flight) if line.kind == ForbiddenKind.NAMES]
    if lines:
        named = "; ".join([*islice(lines, SHOWN), *(["…"] if len(lines) > SHOWN else [])])
        said = _(
            "Forbidden pairs of named entrants are not copied: %(pairs)s. Add them when they have entered."
        )
        messages.warning(request, said % {"pairs": named})


def _warn_about_breaks(request: HttpRequest, event: Event, made: Event) -> None:
    zone = made.tz
    copies = copied_breaks(event.pauses, begun=event.starts_at, begins=made.starts_at, zone=zone)
    for each in copies:
        if each.after is None:
            said = _("The break “%(name)s” was left out: the clocks go forward at that time.")
            messages.warning(request, said % {"name": each.before.name})
        elif not each.same_hours:
            said = _("The break “%(name)s” is now %(when)s because the clocks change.")
            messages.warning(request, said % {"name": each.after.name, "when": span(each.after, zone)})
