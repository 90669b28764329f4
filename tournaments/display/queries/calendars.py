"""Events as an iCalendar feed (RFC 5545)."""

from collections.abc import Iterable

from django.utils.timezone import now
from icalendar import Calendar, vText
from icalendar import Event as Entry

from clubs.models import User
from tournaments.events.places import place_of
from tournaments.models import EntrantState, Event, EventStatus

STATUS = {EventStatus.CANCELLED: "CANCELLED"}


def own_events(user: User) -> list[Event]:
    """Events that the user entered, newest first (one query)."""
    states = [EntrantState.REGISTERED, EntrantState.PRESENT, EntrantState.WAITING]
    rows = Event.objects.filter(
        flights__entrants__members__player__user=user,
        flights__entrants__members__active=True,
        flights__entrants__state__in=states,
    )
    return list(rows.select_related("club").distinct().order_by("-starts_at", "-ref"))


def calendar_text(name: str, events: Iterable[tuple[Event, str]], *, host: str) -> bytes:
    """Calendar of events with their addresses; ``host`` makes the entry ids unique.

    Events have no end, because it is not known before. Breaks are separate entries that do not block time.
    """
    calendar = Calendar()
    calendar.add("prodid", "-//Midpoint//events//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", name)
    for event, address in events:
        entry = Entry()
        entry.add("uid", f"{event.ref}@{host}")
        entry.add("dtstamp", now())
        entry.add("dtstart", event.starts_at)
        entry.add("summary", vText(f"{event.name}, {event.club.name}"))
        entry.add("url", address)
        if place := place_of(event):
            entry.add("location", vText(place))
        entry.add("sequence", min(event.version, 2**31 - 1))
        entry.add("status", STATUS.get(EventStatus(event.status), "CONFIRMED"))
        calendar.add_component(entry)
        for number, pause in enumerate(event.pauses, 1):
            part = Entry()
            part.add("uid", f"{event.ref}-break-{number}@{host}")
            part.add("dtstamp", now())
            part.add("dtstart", pause.starts_at)
            part.add("dtend", pause.ends_at)
            part.add("summary", vText(f"{pause.name}, {event.name}"))
            part.add("url", address)
            part.add("sequence", min(event.version, 2**31 - 1))
            part.add("status", STATUS.get(EventStatus(event.status), "CONFIRMED"))
            part.add("transp", "TRANSPARENT")
            calendar.add_component(part)
    text: bytes = calendar.to_ical()
    return text
