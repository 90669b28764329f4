"""Moving an event between machines: move away, bring here, or unlock by force.

Moving an event away locks it here and writes its file, which can be downloaded as long as it is away. The
computer that imports the file continues the event, and moves it back the same way. Once an event is unlocked
by force, its file is refused and changes made elsewhere are lost.
"""

from functools import partial

from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils.timezone import now
from django.utils.translation import gettext as _

from clubs.attempts import MovedError, settled
from clubs.models import Club, Player, User, WorkStatus
from scoring.models import Match, ObjectionWindow, Sheet
from scoring.ratings.services.ratings import ask_for_update
from tournaments.events.services.erasures import forget_desk_notes
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import lock_event, note
from tournaments.models import Event, Flight, StageRow
from tournaments.transfer.services.event_files import EventFile, read_text, written
from tournaments.transfer.services.proofs import prove
from tournaments.transfer.services.replacement import EventReplacement
from tournaments.transfer.services.tables import MATCHES

_READING = 0x6D69_6470_6F69_6E74
"""The key of the advisory lock for importing event files ("midpoint" in ASCII)."""


def move_away(*, event: Event, to: str, user: User | None) -> str:
    """Lock the event here and return the text of its file.

    ``to`` names the other computer. Raises MovedAwayRefused for an event that has been moved, DeskRefused
    without a name.
    """
    if not to.strip():
        raise DeskRefused(_("Enter the computer the event moves to."), code="place")
    with transaction.atomic():
        held = _held(event)
        note(event=held, kind="moved_out", user=user, text=to.strip())
        _lock(held, to.strip())
        return written(held)


def moved_file(event: Event) -> str:
    """The file of a moved event again, unchanged as long as it is away.

    Raises DeskRefused for an event on this computer.
    """
    with transaction.atomic():
        held = lock_event(event)
        if held.moved_at is None:
            raise DeskRefused(
                _("%(event)s is on this computer. Move it first.") % {"event": held.name}, code="not_moved"
            )
        return written(held)


def bring_here(*, club: Club, text: str, user: User | None) -> Event:
    """Import an event file: it replaces the event here, and unlocks it.

    Draws not made yet get new seeds from this computer. Raises DeskRefused for another or a changed file, an
    event that is here already or in another club, players unknown to the club, and a file older than the
    event here; then nothing changes.
    """
    file = read_text(text)
    with transaction.atomic():
        with connection.cursor() as cursor:
            # Of two imports of the same event, the second finds the first's.
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_READING])
            # A broken reference is refused with its row, not at commit.
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        here = _awaited(club, file)
        replacement = EventReplacement(club, file, here)
        event = replacement.event()
        prove(event)
        for player in Player.objects.filter(ref__in=_named_in(event), erased_at__isnull=False):
            forget_desk_notes(player)
        note(event=event, kind="moved_in", user=user, seeds=replacement.sealed)
        _follow_up(event)
        return event


def unlock(*, event: Event, user: User | None) -> Event:
    """Unlock an event without its file, discarding changes made elsewhere.

    Raises DeskRefused for an event on this computer.
    """
    with transaction.atomic():
        held = _held(event)
        if held.moved_at is None:
            raise DeskRefused(
                _("%(event)s is already on this computer.") % {"event": held.name}, code="not_moved"
            )
        since, place = held.moved_at, held.moved_to
        _lock(held, "")
        note(event=held, kind="unlocked", user=user, text=place, since=since.isoformat())
        _follow_up(held)
    return held


def hold_all(ref: str) -> Event | None:
    """Lock an event with its flights, sheets and stages; None for an unknown ref.

    Locks in the usual order: flights, sheets by the number of their pairing, stages by position (their keys
    follow the file that brought them), the event. If a draw publishes matches meanwhile, starts over, a
    bounded number of times.
    """
    return settled(partial(_hold_all, ref))


def _hold_all(ref: str) -> Event | None:
    flights = Flight.objects.filter(event__ref=ref).order_by("pk")
    list(flights.select_for_update(of=("self",), no_key=True).values_list("pk"))
    sheets = _sheets_of(ref)
    ordered = sheets.order_by("match__board__pairing__number", "pk")
    held = list(ordered.select_for_update(of=("self",), no_key=True).values_list("pk", flat=True))
    stages = StageRow.objects.filter(flight__event__ref=ref).order_by("flight__position", "position")
    list(stages.select_for_update(of=("self",), no_key=True).values_list("pk"))
    locked = Event.objects.select_for_update(of=("self",), no_key=True).select_related("club")
    event = locked.filter(ref=ref).first()
    if sheets.exclude(pk__in=held).exists():
        raise MovedError
    return event


def _sheets_of(ref: str) -> QuerySet[Sheet]:
    return Sheet.objects.filter(match__board__pairing__stage__flight__event__ref=ref)


def _held(event: Event) -> Event:
    held = hold_all(event.ref)
    if held is None:
        raise Event.DoesNotExist(f"event {event.ref} is not there any more")
    return held


def _lock(event: Event, place: str) -> None:
    """Mark the event and its sheets as moved to ``place``; back if empty."""
    event.moved_at, event.moved_to = (now(), place) if place else (None, "")
    event.save(update_fields=["moved_at", "moved_to"])
    _sheets_of(event.ref).update(moved_at=event.moved_at)


def _awaited(club: Club, file: EventFile) -> Event | None:
    """The moved event that the file brings back, locked; None for a new event."""
    here = hold_all(file.event)
    if here is None:
        return None
    if here.club_id != club.pk:
        raise DeskRefused(_("This event belongs to another club."), code="another_club")
    if here.moved_at is None:
        raise DeskRefused(
            _("%(event)s is already on this computer. A file can be imported once, and not after unlocking.")
            % {"event": here.name},
            code="here",
        )
    if file.log.get(here.head_seq, {}).get("hash") != here.head_hash:
        raise DeskRefused(
            _("This file is older than the event here, or the event has been unlocked since."),
            code="older",
        )
    return here


def _named_in(event: Event) -> set[str]:
    """Refs of the players that log entries are about."""
    about = event.desk_log.filter(body__has_key="about").values_list("body__about", flat=True)
    return {str(ref) for refs in about for ref in refs}


def _follow_up(event: Event) -> None:
    """Queue what the imported results require.

    Ratings and the ends of dispute windows.
    """
    matches = Match.objects.filter(**{MATCHES: event}, result__isnull=False).select_related("result")
    # A window that fell due while the event was away has failed.
    ObjectionWindow.objects.filter(match__in=matches, status=WorkStatus.FAILED).delete()
    for match in matches:
        result = match.result
        if result.final_at is not None:
            ask_for_update(match=match)
        elif result.objection_until is not None:
            ObjectionWindow.objects.get_or_create(
                match=match, revision=result.revision, defaults={"available_at": result.objection_until}
            )
