"""Results by a director: record, correct and undo.

``previews`` shows the effects of a correction. US rule 4.10: an error may be corrected, but not after either
player has begun a later match; a published pairing that follows from the old result locks it, and a director
can override this. The path of a result is in docs/engineers/paths.md.
"""

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import User
from scoring.log.queries.sheets import events_of
from scoring.log.queries.writers import Author
from scoring.log.services.sheets import hold_match, lock_sheet
from scoring.models import Match, MatchStatus, Sheet
from scoring.rules.endings import Ending
from scoring.rules.events import MatchStarted, Ruled, Voided
from scoring.sheets.services.corrections import correct
from scoring.sheets.services.decisions import DirectedResult, overrule_held
from tournaments.desk.services.calls import fresh, overtaken
from tournaments.events.services.events import OvertakenRefused
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import note_match
from tournaments.models import Board, PairingRow, PairingState
from tournaments.stages.services.locks import Hold, hold_for_result


def report_result(
    *,
    pairing: PairingRow,
    decision: DirectedResult,
    user: User,
    seen: int | None = None,
    reason: str = "",
    board: int = 1,
) -> PairingRow:
    """Record the first result of a match (or board) as a director.

    The result is final, and the draw advances.

    Raises OvertakenRefused if the match has a result (correct it with :func:`correct_result`) or changed at
    the desk since ``seen``, InvalidValue for an invalid score.
    """
    with transaction.atomic():
        match = locked_match(pairing, board)
        hold = hold_for_result(pairing)
        row = fresh(pairing, seen=seen)
        if match.status == MatchStatus.FINISHED:
            raise overtaken(_("This match already has a result."), row)
        _decide(match, pairing, decision, user=user, reason=reason, board=board, hold=hold)
    row.refresh_from_db()
    return row


def correct_result(
    *,
    pairing: PairingRow,
    decision: DirectedResult,
    seen: int,
    user: User,
    reason: str,
    decided: bool = False,
    stands: bool = False,
    board: int = 1,
    sheet: int | None = None,
) -> None:
    """Record or correct a result as a director, in the draw and on the scoresheet.

    ``decided`` overrides the lock of later matches that depend on the old result: in a bracket they are void.
    With ``stands`` they stand instead, and the bracket stays as it was played. ``sheet`` is the length of
    the scoresheet when it was previewed: boards of a team match get results while the draw stays the same.
    Raises OvertakenRefused if the scoresheet has grown, StaleRefused if the draw has changed since ``seen``,
    DeskRefused for a correction without a reason, and ResultRefused if it is locked and not ``decided``.
    """
    with transaction.atomic():
        match = locked_match(pairing, board, sheet=sheet)
        if match.status == MatchStatus.FINISHED and not reason.strip():
            raise DeskRefused(_("Enter a reason. It is saved in the log."), code="reason")
        # Rounds that were paired on the old result stand in any case.
        decided = decided or (stands and not pairing.stage.is_bracket)
        hold = hold_for_result(pairing, seen=seen, decided=decided, stands=stands)
        if pairing.state == PairingState.REPLACED:
            raise replaced()
        _decide(match, pairing, decision, user=user, reason=reason, board=board, hold=hold)


def _decide(
    match: Match,
    pairing: PairingRow,
    decision: DirectedResult,
    *,
    user: User,
    reason: str,
    board: int,
    hold: Hold,
) -> None:
    """Write the decision to the scoresheet and the event's log.

    The caller holds match and draw.
    """
    head = hold.stage.head_seq
    overrule_held(match=match, decision=decision, user=user, reason=reason, hold=hold)
    # The first new entry of the draw's log is the same result; in a team match it is that of all boards.
    same = hold.stage.boards == 1 and hold.stage.head_seq > head
    drawn = {"stage": hold.stage.ref, "stage_seq": head + 1} if same else {}
    note_match(
        pairing,
        "result",
        user=user,
        text=reason,
        board=board,
        **({"stands": True} if hold.stands else {}),
        winner=decision.winner,
        points=decision.points,
        ended=Ending(decision.ended).value,
        **drawn,
    )


def reopen_result(
    *,
    pairing: PairingRow,
    seen: int,
    user: User,
    reason: str,
    decided: bool = False,
    board: int = 1,
    sheet: int | None = None,
) -> PairingRow:
    """Undo the result of a match, or of this board, and update the draw.

    Raises StaleRefused if the draw has changed since ``seen``, OvertakenRefused if the scoresheet is longer
    than ``sheet``, DeskRefused without a reason or a result, ResultRefused if later matches depend on it and
    it is not ``decided``.
    """
    if not reason.strip():
        raise DeskRefused(_("Enter a reason. It is saved in the log."), code="reason")
    with transaction.atomic():
        match = locked_match(pairing, board, sheet=sheet)
        rows = PairingRow.objects.filter(pk=pairing.pk)
        hold = hold_for_result(pairing, seen=seen, decided=decided)
        require_result(rows.select_related("stage").get(), board)
        entry = note_match(pairing, "result_undone", user=user, text=reason, board=board)
        void_result(match=match, user=user, key=f"desk-{entry.seq}", reason=reason, hold=hold)
    return rows.get()


def void_result(*, match: Match, user: User, key: str, reason: str, hold: Hold) -> None:
    """Void the last valid event of the scoresheet, the director's result.

    The match continues.

    Raises DeskRefused if there is none.
    """
    sheet = lock_sheet(match.sheet_id)
    standing = [row for row in events_of(sheet) if not isinstance(row.event, Voided | Ruled | MatchStarted)]
    if not standing:
        raise DeskRefused(_("There is nothing on the scoresheet to undo."), code="no_result")
    correct(
        match=match,
        author=Author(user=user, directs=True),
        after=sheet.head_seq,
        key=key,
        seq=standing[-1].seq,
        event=Voided(),
        reason=reason,
        hold=hold,
    )


def require_result(pairing: PairingRow, board: int = 1) -> Match:
    """The match of a pairing, or of this board. Raises DeskRefused without a result."""
    match = match_of(pairing, board)
    if not has_result(pairing, match):
        raise DeskRefused(_("This match has no result to undo."), code="no_result")
    return match


def has_result(pairing: PairingRow, match: Match) -> bool:
    """Whether the pairing, or in a team match the board, has a result."""
    if pairing.stage.boards == 1:
        return pairing.state == PairingState.DECIDED
    return pairing.state != PairingState.REPLACED and match.status == MatchStatus.FINISHED


def match_of(pairing: PairingRow, number: int = 1) -> Match:
    """The match of a pairing, in a team match of this board.

    Raises DeskRefused for a bye.
    """
    boards = Board.objects.filter(pairing=pairing, number=number)
    board = boards.select_related("match__result", "match__club", "match__sheet").first()
    if board is None:
        raise _no_match()
    return board.match


def _no_match() -> DeskRefused:
    return DeskRefused(_("This pairing has no match."), code="no_match")


def locked_match(pairing: PairingRow, board: int = 1, *, sheet: int | None = None) -> Match:
    """Load the match at this board and lock its scoresheet in the transaction.

    Raises OvertakenRefused with the current state if the scoresheet differs in length from ``sheet``.
    """
    try:
        match = hold_match(Sheet.objects.filter(match__board__pairing=pairing, match__board__number=board))
    except Sheet.DoesNotExist:
        raise _no_match() from None
    if sheet is not None and sheet != match.sheet.head_seq:
        raise _written_since(pairing, board, match)
    return match


def _written_since(pairing: PairingRow, board: int, match: Match) -> OvertakenRefused:
    over = match.status == MatchStatus.FINISHED
    points = (match.result.white_points, match.result.black_points) if over else None
    message = _("The scoresheet of this match has changed. Check it and try again.")
    if points is not None:
        message = _("This match has already finished %(white)s–%(black)s. Check it and try again.") % {
            "white": points[0],
            "black": points[1],
        }
    return OvertakenRefused(
        message,
        pairing=pairing.ref,
        board=board,
        status=match.status,
        points=points,
        sheet=match.sheet.head_seq,
    )


def replaced() -> DeskRefused:
    return DeskRefused(_("The draw has changed and no longer has this match."), code="replaced")
