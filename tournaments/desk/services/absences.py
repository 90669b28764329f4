"""Record that a player is absent: out of this match, this draw, or everything.

``tournaments.desk.queries.absences`` shows what follows from each answer first.
"""

from django.db import transaction

from clubs.models import User
from scoring.models import MatchStatus
from scoring.rules.endings import Ending
from scoring.sheets.services.decisions import DirectedResult
from tournaments.core.play.absence import AbsenceScope
from tournaments.core.stages.outcomes import Gone
from tournaments.desk.queries.absences import question
from tournaments.desk.services.departures import leave, open_sheets
from tournaments.desk.services.results import report_result
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import StaleRefused
from tournaments.models import Board, EntrantRow, PairingRow
from tournaments.stages.services.locks import lock_with_sheets


def record_absence(
    *,
    pairing: PairingRow,
    entrant: EntrantRow,
    scope: AbsenceScope,
    user: User,
    seen: int | None = None,
    reason: str = "",
) -> None:
    """Take an absent entrant out of an open match, of this draw, or of everything.

    The log has a no-show or a departure, and either can be undone. ``seen`` is the length of the draw's log
    when the question was shown.

    Raises DeskRefused for a match that is not open, an entrant who is not in it and an answer that this match
    does not offer; StaleRefused if the draw has changed since ``seen``.
    """
    with transaction.atomic():
        pairing.stage = lock_with_sheets(pairing.stage, lambda: open_sheets(entrant))
        pairing.refresh_from_db(fields=["state", "winner", "desk_seq"])
        asked = question(pairing, entrant)
        answer = next(each for each in asked.answers if each.scope is scope)
        if answer.not_offered:
            raise DeskRefused(answer.not_offered, code="not_offered")
        if seen is not None and seen != asked.seen:
            raise StaleRefused(asked.seen)
        if scope is AbsenceScope.EVENT:
            leave(entrant=entrant, user=user, text=reason)
        elif scope is AbsenceScope.DRAW and not pairing.stage.is_bracket:
            leave(entrant=entrant, user=user, how=Gone.LEFT_DRAW, text=reason)
        else:
            _lose(pairing, entrant, user, reason)


def _lose(pairing: PairingRow, entrant: EntrantRow, user: User, reason: str) -> None:
    """Lose the match, or every open board of a team match, by a no-show: each board for itself."""
    winner = "black" if entrant.pk == pairing.a_id else "white"
    boards = Board.objects.filter(pairing=pairing).exclude(match__status=MatchStatus.FINISHED)
    for board in boards.order_by("number"):
        report_result(
            pairing=pairing,
            decision=DirectedResult(winner, None, Ending.NO_SHOW),
            user=user,
            reason=reason,
            board=board.number,
        )
