"""Refusals of the desk, with a message for users and a code for programs."""

from django.utils.translation import gettext as _

from clubs.formats.dates import moment
from clubs.refusals import Refused, Remedy
from tournaments.models import Event


class DeskRefused(Refused):
    """An action that the desk cannot do now; ``code`` says why to programs, ``remedy`` where to change it."""

    def __init__(self, message: str, *, code: str = "refused", remedy: Remedy | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.remedy = remedy


class MovedAwayRefused(DeskRefused):
    """The event is on another computer and cannot be changed here."""

    def __init__(self, event: Event) -> None:
        self.event = event
        since = "" if event.moved_at is None else moment(event.moved_at, event.tz)
        message = _(
            "%(event)s was moved to %(place)s on %(since)s. Make changes there, or bring it back first."
        )
        words = {"event": event.name, "place": event.moved_to, "since": since}
        super().__init__(message % words, code="moved")
