"""What the desk refuses: said to the reader, with a code for programs."""

from django.utils.translation import gettext as _

from clubs.formats.dates import moment
from clubs.refusals import Refused
from tournaments.models import Event


class DeskRefused(Refused):
    """The desk cannot do this now; ``code`` tells programs why, the message is meant for the reader."""

    def __init__(self, message: str, *, code: str = "refused") -> None:
        super().__init__(message)
        self.code = code


class MovedAwayRefused(DeskRefused):
    """The event lives on another machine: nothing of it is changed here."""

    def __init__(self, event: Event) -> None:
        self.event = event
        since = "" if event.moved_at is None else moment(event.moved_at, event.tz)
        message = _(
            "%(event)s was moved to %(place)s on %(since)s. Make changes there, or bring it back first."
        )
        words = {"event": event.name, "place": event.moved_to, "since": since}
        super().__init__(message % words, code="moved")
