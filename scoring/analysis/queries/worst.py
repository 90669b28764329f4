"""The biggest error of an analysed match, for lists."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.drawing.board_view import BoardView, DrawnCube
from scoring.notation.transcript import Step, transcript
from scoring.notation.xgid import decode_xgid, xgid_at
from scoring.rules.errors import ScoringError
from scoring.rules.events import Event
from scoring.rules.sides import Side
from scoring.theory.decisions import Decision
from scoring.theory.performance import biggest_errors


@dataclass(frozen=True, slots=True)
class WorstError:
    """One decision: the seq of its entry in the log, who decided, what it cost, and the position as XGID.

    ``error`` is as in ``scoring.theory.decisions.Decision``. ``xgid`` is "" for a position that has none.
    """

    seq: int
    side: Side
    error: float
    xgid: str = ""

    def plain(self) -> dict[str, Any]:
        """The value as stored with the analysis."""
        return {"seq": self.seq, "side": self.side.value, "error": self.error, "xgid": self.xgid}

    @property
    def board(self) -> BoardView | None:
        """The position before the decision, White at the bottom; None without an XGID."""
        return _board(self.xgid) if self.xgid else None


def worst_from(summary: dict[str, Any] | None) -> WorstError | None:
    """The biggest error stored in an analysis summary, or None."""
    plain = (summary or {}).get("worst")
    return WorstError(plain["seq"], Side(plain["side"]), plain["error"], plain["xgid"]) if plain else None


def worst_error(decisions: Iterable[Decision], log: Sequence[tuple[int, Event]]) -> WorstError | None:
    """The biggest error of an analysis of a log of (seq, event) pairs; a decision's ``ref`` names its pair.

    The first of equals; None where no decision was an error.
    """
    worst = next(iter(biggest_errors(decisions, limit=1)), None)
    if worst is None:
        return None
    seq = int(worst.ref)
    steps = (step for step in transcript(log) if seq in {step.seq, step.roll_seq})
    step = next(steps, None)
    return WorstError(seq, worst.side, worst.error or 0.0, _xgid(step) if step else "")


def _xgid(step: Step) -> str:
    try:
        return xgid_at(step.before, step.score)
    except ScoringError:  # an irregular position has no XGID
        return ""


def _board(xgid: str) -> BoardView:
    seen = decode_xgid(xgid)
    position = seen.position if seen.turn is Side.WHITE else seen.position.flipped()
    offered = seen.turn.other if seen.offer else None
    cube = DrawnCube(seen.cube.value, seen.cube.owner, offered) if seen.has_cube else None
    roll = (seen.roll.high, seen.roll.low) if seen.roll else None
    return BoardView(position=position, on_roll=seen.turn, bottom=Side.WHITE, cube=cube, roll=roll)
