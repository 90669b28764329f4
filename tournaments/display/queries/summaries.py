"""An event in a few lines, as links to it are previewed in chats."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.formats.dates import time_of_day, weekday_day
from tournaments.display.queries.podiums import name_winners
from tournaments.events.queries.event_page import FlightBlock
from tournaments.models import Event, EventStatus


@dataclass(frozen=True, slots=True)
class EventSummary:
    """The lines of a preview: when and where, what is played, and who won or takes part."""

    when: str
    club: str
    format: str
    field: str

    @property
    def lines(self) -> list[str]:
        return [each for each in (self.when, self.club, self.format, self.field) if each]

    @property
    def description(self) -> str:
        """All lines in one."""
        return " · ".join(self.lines)


def winners_of(event: Event) -> list[str]:
    """The winners of the divisions of a finished event (six queries), else none."""
    return [each.name for each in vars(name_winners([event])[0]).get("winners", ())]


def summary_of(event: Event, blocks: Sequence[FlightBlock], winners: Sequence[str] = ()) -> EventSummary:
    """The summary of an event with its ``winners`` (no query)."""
    day, time = weekday_day(event.starts_at, event.tz), time_of_day(event.starts_at, event.tz)
    over = event.status in {EventStatus.FINISHED, EventStatus.CANCELLED}
    stages = [line.stage for block in blocks for line in block.stages]
    played = " + ".join(dict.fromkeys(stage.format_name for stage in stages))
    if len({stage.length for stage in stages}) == 1:
        played = f"{played}, {_('to %(length)s') % {'length': stages[0].length}}"
    when = day if over else f"{day}, {time}"
    return EventSummary(when, event.club.name, played, _field(event, blocks, winners))


def _field(event: Event, blocks: Sequence[FlightBlock], winners: Sequence[str]) -> str:
    """Cancelled, the winners, else the number of entrants."""
    if event.status == EventStatus.CANCELLED:
        return _("Cancelled")
    if winners:
        return _("Won by %(name)s") % {"name": ", ".join(winners)}
    entered = sum(len(block.entered) for block in blocks)
    return ngettext("%(count)s entrant", "%(count)s entrants", entered) % {"count": entered}
