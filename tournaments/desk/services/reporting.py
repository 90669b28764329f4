"""Results entered at the desk: a first result in one step, and taking one back."""

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import User
from scoring.log.queries.sheets import events_of
from scoring.log.queries.writers import Author
from scoring.log.services.sheets import lock_sheet
from scoring.models import Match, MatchStatus
from scoring.rules.endings import Ending
from scoring.rules.events import MatchStarted, Ruled, Voided
from scoring.sheets.services.corrections import correct
from scoring.sheets.services.overruling import Decision, overrule_held
from tournaments.desk.services.calls import fresh, overtaken
from tournaments.desk.services.corrections import has_result, locked_match, match_of
from tournaments.events.services.events import DeskRefusedError
from tournaments.log.services import note
from tournaments.models import Pairing
from tournaments.stages.services.held import result_held


def report_result(
    *,
    pairing: Pairing,
    decision: Decision,
    user: User,
    seen: int | None = None,
    reason: str = "",
    board: int = 1,
) -> Pairing:
    """Record the first result of a match (of a tie, at this board), as a director: it is final and advances
    the draw at once.

    Raises OvertakenError when the match has a result already, or the desk has done something with it since
    ``seen``: a second result is a correction (``services.corrections``). Raises InvalidValue for points that
    no such match has.
    """
    with transaction.atomic():
        match = locked_match(pairing, board)
        with result_held(pairing, match):
            row = fresh(pairing, seen=seen)
            if match.status == MatchStatus.FINISHED:
                raise overtaken(_("This match has a result already."), row)
            overrule_held(match=match, decision=decision, user=user, reason=reason)
        entry = note(
            event=pairing.stage.flight.event,
            kind="result",
            user=user,
            text=reason,
            pairing=row.ref,
            board=board,
            winner=decision.winner,
            points=decision.points,
            ended=Ending(decision.ended).value,
        )
        Pairing.objects.filter(pk=row.pk).update(desk_seq=entry.seq)
    row.refresh_from_db()
    return row


def reopen_result(
    *,
    pairing: Pairing,
    seen: int,
    user: User,
    reason: str,
    decided: bool = False,
    board: int = 1,
    sheet: int | None = None,
) -> Pairing:
    """Take a result back (of a tie, that of this board): the match goes on where it stood, and the draw with
    it.

    Raises StaleError when the draw has changed since ``seen``, OvertakenError when the match's sheet has
    since it was ``sheet`` long, DeskRefusedError without a reason or a result, ResultRefusedError when others
    play on it and the director has not ``decided`` so.
    """
    if not reason.strip():
        raise DeskRefusedError(_("Say why the result is taken back: the log keeps it."), code="reason")
    with transaction.atomic():
        match = locked_match(pairing, board, sheet=sheet)
        rows = Pairing.objects.filter(pk=pairing.pk)
        with result_held(pairing, match, seen=seen, decided=decided):
            require_result(rows.select_related("stage").get(), board)
            entry = note(
                event=pairing.stage.flight.event,
                kind="result_undone",
                user=user,
                text=reason,
                pairing=pairing.ref,
                board=board,
            )
            take_back_ending(match=match, user=user, key=f"desk-{entry.seq}", reason=reason)
        rows.update(desk_seq=entry.seq)
    return rows.get()


def take_back_ending(*, match: Match, user: User, key: str, reason: str) -> None:
    """Take the last event that stands off the sheet, a director's: the match goes on where it stood.

    Raises DeskRefusedError where nothing stands on it.
    """
    sheet = lock_sheet(match.sheet_id)
    standing = [row for row in events_of(sheet) if not isinstance(row.event, Voided | Ruled | MatchStarted)]
    if not standing:
        raise DeskRefusedError(_("There is nothing on the sheet to take back."), code="no_result")
    correct(
        match=match,
        author=Author(user=user, directs=True),
        after=sheet.head_seq,
        key=key,
        seq=standing[-1].seq,
        event=Voided(),
        reason=reason,
    )


def require_result(pairing: Pairing, board: int = 1) -> None:
    """Raise DeskRefusedError for a match (of a tie, at this board) without a result."""
    if not has_result(pairing, match_of(pairing, board)):
        raise DeskRefusedError(_("This match has no result to take back."), code="no_result")
