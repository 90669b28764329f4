"""Change the breaks of an event until it is over."""

from collections.abc import Sequence

from django.db import transaction

from clubs.models import User
from scoring.codec import to_plain
from tournaments.core.timetable.breaks import Break, BreakRefused, check_breaks, in_order
from tournaments.events.services.events import require_as_seen, require_not_over
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import lock_event, note
from tournaments.models import Event
from tournaments.words.refusals import break_in_words


def set_breaks(*, event: Event, breaks: Sequence[Break], user: User | None, seen: int | None = None) -> Event:
    """Set all breaks of an event, in any order; unchanged breaks log nothing.

    Called and played matches are not affected. ``seen`` is the event's ``breaks_seq`` as a page knew it.

    Raises DeskRefused for invalid breaks (``tournaments.core.timetable.breaks.check_breaks``) and for an
    event that is over, OvertakenRefused where someone else changed them since.
    """
    with transaction.atomic():
        locked = lock_event(event)
        require_not_over(locked)
        require_as_seen(
            None if seen is None else {"seen": seen}, {"seen": locked.breaks_seq, "breaks": locked.breaks}
        )
        ordered = in_order(breaks)
        try:
            check_breaks(ordered, event_at=locked.starts_at)
        except BreakRefused as refused:
            raise DeskRefused(break_in_words(refused), code=f"break_{refused.code}") from refused
        if ordered == locked.pauses:
            return locked
        before, locked.breaks = locked.breaks, to_plain(ordered)
        # The name of a break is the venue's word for an hour; it is no person's.
        entry = note(event=locked, kind="breaks", user=user, before=before, after=locked.breaks)
        locked.breaks_seq = entry.seq
        locked.save(update_fields=["breaks", "breaks_seq"])
        return locked
