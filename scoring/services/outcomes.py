"""What a change of a sheet does to its match: its length, status and result."""

from scoring.models import Ended, Match, MatchStatus
from scoring.queries.writers import Author
from scoring.rules.events import EndReason
from scoring.rules.match_state import MatchState
from scoring.rules.sides import Side
from scoring.services.results import ResultValue, Yes, record_result


def follow_state(*, match: Match, state: MatchState, author: Author) -> None:
    """Write what the sheet now comes to. The caller's transaction holds sheet and match.

    A match that goes on only grows a version. The result of one that is over is recorded, and is final at
    once when a director who does not play in it wrote it.
    """
    match.length = state.score.length
    yes = [Yes("", user=author.user)] if author.directs and author.side is None else []
    value = value_in(state)
    if value is None and getattr(match, "result", None) is not None:
        value = _value_at(state, winner="", ended="")
    record_result(match=match, value=value, status=status_in(state), said_yes=yes)


def value_in(state: MatchState) -> ResultValue | None:
    """The result that a state comes to, None while the match goes on."""
    if state.outcome is None:
        return None
    reason = state.outcome.reason
    ended = Ended.PLAYED if reason in {EndReason.SCORE, EndReason.AGREED} else Ended(reason.value)
    return _value_at(state, winner=state.winner or "", ended=ended)


def _value_at(state: MatchState, *, winner: str, ended: str) -> ResultValue:
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
    return MatchStatus.VOID if state.outcome.reason is EndReason.VOID else MatchStatus.FINISHED
