"""Whether the cash box of an event is open; a closed one takes no fees and pays nothing out."""

from django.utils.translation import gettext as _

from clubs.formats.dates import moment
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import lock_event
from tournaments.models import CashClosing, Event


def box_is_closed(event: Event) -> bool:
    return CashClosing.objects.filter(event=event, reopened_at=None).exists()


def require_open_box(event: Event) -> Event:
    """Lock the event, as the last lock of a transaction. Raises DeskRefused if its cash box is closed."""
    locked = lock_event(event)
    closing = CashClosing.objects.filter(event=event, reopened_at=None).first()
    if closing is not None:
        raise DeskRefused(
            _("The cash box was closed on %(when)s. Reopen it on the settlement page to record payments.")
            % {"when": moment(closing.closed_at, event.tz)},
            code="cash_box_closed",
        )
    return locked
