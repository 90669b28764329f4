"""Enter a pasted list, all rows or none."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.clubs.services.clubs import add_player, lock_club
from clubs.models import Player, User
from clubs.people.services.names import NameRefused
from tournaments.entries.services.entries import enter, lock_filling
from tournaments.entries.services.list_columns import remember_columns
from tournaments.entries.services.list_lines import EntryLine, read_list
from tournaments.events.services.events import open_after, opened_after
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import note
from tournaments.models import EntrantMember, EntrantRow, FeePayment, Flight


@dataclass(frozen=True, slots=True)
class EnteredList:
    """How many rows were entered, were entered before, and were left out."""

    entered: int
    before: int
    left_out: int


def enter_list(
    *,
    flight: Flight,
    text: str,
    columns: Sequence[str] | None = None,
    headed: bool | None = None,
    paid_by: FeePayment = FeePayment.CASH,
    user: User | None = None,
    override: bool = False,
    admit: Collection[str] = (),
    leave_out: Collection[int] = (),
) -> EnteredList:
    """Enter the rows of a list, unknown names as guests, and remember its columns for the club.

    Rows that are entered already stay as they are, so that a list sent twice enters nobody twice. A director
    can leave out the rows with these numbers, and override the entry restrictions for those with a key in
    ``admit``, or with ``override`` for all; the event's log lists them. Rows that a division that starts when
    full has no place for enter the one that opens after it. Raises DeskRefused for the first row that cannot
    be entered; then nothing is entered.
    """
    with transaction.atomic():
        flights = Flight.objects.filter(event=flight.event_id).order_by("pk")
        list(flights.select_for_update(no_key=True).values_list("pk"))
        read = read_list(flight=flight, text=text, columns=columns, headed=headed, paid_by=paid_by)
        if not read.lines:
            raise DeskRefused(_("The list is empty."), code="nobody")
        if read.nameless:
            raise DeskRefused(read.nameless, code="nobody")
        lines = [line for line in read.lines if line.number not in leave_out]
        to_enter = [line for line in lines if not line.entered and not _entered_after(line)]
        if any(line.new for line in to_enter):
            # Before the first log entry: a club is locked before its events.
            lock_club(flight.event.club)
        remember_columns(flight.event.club, read.columns)
        lock_filling(flights)
        admitted = []
        for row in to_enter:
            line = replace(row, flight=open_after(row.flight))
            entrant, overridden = _enter_line(line, user, admits=override or line.key in admit)
            if overridden:
                admitted.append(entrant.ref)
        if admitted:
            note(event=flight.event, kind="admitted", user=user, flight=flight.ref, entrants=admitted)
        if to_enter:
            note(event=flight.event, kind="list_entered", user=user, flight=flight.ref, entries=len(to_enter))
    return EnteredList(len(to_enter), len(lines) - len(to_enter), len(read.lines) - len(lines))


def _entered_after(line: EntryLine) -> bool:
    """Whether its players are in a division that opened after its own was full: the list was sent before."""
    later = [] if line.fault or line.new else opened_after(line.flight)
    if not later:
        return False
    inside = EntrantMember.objects.filter(flight__in=later, active=True, player__in=filter(None, line.known))
    return inside.values("player").distinct().count() == len(line.known)


def _enter_line(line: EntryLine, user: User | None, *, admits: bool) -> tuple[EntrantRow, bool]:
    """Enter a row; also says whether an entry restriction was overridden."""
    if line.fault:
        raise _refused(line.number, line.fault)
    try:
        players = [
            player or add_player(club=line.flight.event.club, name=name).player
            for name, player in zip(line.names, line.known, strict=True)
        ]
        return _entered(line, players, user, override=False), False
    except NameRefused as refused:
        raise _refused(line.number, str(refused)) from refused
    except DeskRefused as refused:
        if refused.code != "not_eligible" or not admits:
            raise _refused(line.number, str(refused)) from refused
    return _entered(line, players, user, override=True), True


def _entered(line: EntryLine, players: list[Player], user: User | None, *, override: bool) -> EntrantRow:
    return enter(
        flight=line.flight,
        players=players,
        user=user,
        payment=line.payment,
        pools=line.pools,
        details=line.details,
        override=override,
    )


def _refused(number: int, reason: str) -> DeskRefused:
    return DeskRefused(_("Line %(number)s: %(reason)s") % {"number": number, "reason": reason}, code="line")
