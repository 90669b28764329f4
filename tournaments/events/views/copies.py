"""Messages about an event copied to another day."""

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _

from tournaments.core.timetable.copied_breaks import copied_breaks
from tournaments.models import Event
from tournaments.words.written import span


def warn_about_breaks(request: HttpRequest, *, event: Event, made: Event) -> None:
    """Tell which breaks the copy has at another hour or lost."""
    zone = made.tz
    copies = copied_breaks(event.pauses, begun=event.starts_at, begins=made.starts_at, zone=zone)
    for each in copies:
        if each.after is None:
            said = _("The break “%(name)s” was left out: the clocks go forward at that time.")
            messages.warning(request, said % {"name": each.before.name})
        elif not each.same_hours:
            said = _("The break “%(name)s” is now %(when)s because the clocks change.")
            messages.warning(request, said % {"name": each.after.name, "when": span(each.after, zone)})
