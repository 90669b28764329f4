"""What a state of a sheet comes to: the status and the result of its match."""

from scoring.models import MatchStatus
from scoring.rules.endings import Ending
from scoring.rules.match_state import MatchState
from scoring.rules.sides import Side
from scoring.sheets.services.results import ResultValue


def value_in(state: MatchState) -> ResultValue | None:
    """The result that a state comes to, None while the match goes on."""
    if state.outcome is None:
        return None
    reason = state.outcome.reason
    # A money session that was closed was played.
    ended = Ending.PLAYED if reason is Ending.AGREED else reason
    return value_at(state, winner=state.winner or "", ended=ended)


def value_at(state: MatchState, *, winner: str, ended: str) -> ResultValue:
    """The state's points as a result."""
    score = state.score
    return ResultValue(
        winner=winner,
        points=(score.capped(Side.WHITE), score.capped(Side.BLACK)),
        raw=(score.white, score.black),
        ended=ended,
    )


def status_in(state: MatchState) -> MatchStatus:
    """The status of a match whose sheet is being written."""
    if state.outcome is None:
        return MatchStatus.PLAYING
    return MatchStatus.VOID if state.outcome.reason is Ending.VOID else MatchStatus.FINISHED
