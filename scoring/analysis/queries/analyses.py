"""What an engine said, from its rows back to values."""

from typing import Any

from scoring.models.analysis import JudgedDecision
from scoring.rules.sides import Side
from scoring.theory.decisions import Decision, DecisionKind, candidate_from_json
from scoring.theory.performance import Performance


def performance_of(summary: dict[str, Any], colour: str, game: int | None = None) -> Performance:
    """The sums of one side in a stored summary: of the whole match, or of one game."""
    sums = summary["match"] if game is None else summary["games"][str(game)]
    return Performance(**sums[colour])


def decision_of(row: JudgedDecision) -> Decision:
    """A stored decision as the value that ``scoring.theory`` works with."""
    return Decision(
        ref=str(row.event_seq),
        game=row.game,
        ply=row.ply,
        side=Side(row.colour),
        kind=DecisionKind(row.kind),
        played=row.played,
        candidates=tuple(candidate_from_json(candidate) for candidate in row.candidates),
        error=row.error,
        counted=row.counted,
        luck=row.luck,
        legal=row.legal,
    )
