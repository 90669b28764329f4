"""Penalty points for lateness, awarded to the opponent on the match's scoresheet.

UKBGF (docs/reference/tournaments.md, "Lateness"): one point after five minutes and one more for every further
five; more than half the match length wins the match. The match's rules profile decides which of this applies.
"""

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import User
from scoring.log.queries.writers import Author
from scoring.log.services.sheets import lock_sheet
from scoring.models import Match
from scoring.rules.events import Event, PenaltyGiven
from scoring.rules.sides import Side
from scoring.sheets.services.entries import Entry, EntryRefused, record
from tournaments.desk.services.calls import fresh
from tournaments.desk.services.results import match_of
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import note_match
from tournaments.models import DeskEvent, PairingRow
from tournaments.stages.services.locks import Hold, hold_for_result


def penalise(
    *,
    pairing: PairingRow,
    to: Side,
    points: int,
    user: User,
    seen: int | None = None,
    reason: str = "",
    board: int = 1,
) -> DeskEvent:
    """Award penalty points to a side of an open match (or board).

    If they win it, the draw advances.

    Raises OvertakenRefused if the match is finished or changed at the desk since ``seen``, and DeskRefused
    for points that the rules do not allow.
    """
    match = match_of(pairing, board)
    with transaction.atomic():
        sheet = lock_sheet(match.sheet_id)
        hold = hold_for_result(pairing)
        row = fresh(pairing, seen=seen)
        entry = note_match(
            row,
            "penalty",
            user=user,
            text=reason,
            board=board,
            to=to.value,
            points=points,
            sheet_seq=sheet.head_seq + 1,
        )
        given = Entry(f"desk-{entry.seq}", PenaltyGiven(to, points, reason))
        _write(match, sheet.head_seq, given, user, hold)
        return entry


def _write(match: Match, after: int, entry: Entry[Event], user: User, hold: Hold) -> None:
    try:
        author = Author(user=user, directs=True)
        record(match=match, author=author, after=after, entries=[entry], hold=hold)
    except EntryRefused as refused:
        raise DeskRefused(
            _("These penalty points are not allowed: %(why)s") % {"why": refused.error}, code="refused"
        ) from refused
