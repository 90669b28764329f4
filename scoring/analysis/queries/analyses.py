"""Stored analyses as values."""

from typing import Any

from scoring.codec import from_plain
from scoring.models.analysis import JudgedDecision
from scoring.rules.sides import Side
from scoring.theory.decisions import Candidate, Decision, DecisionKind
from scoring.theory.performance import Performance


def performance_of(summary: dict[str, Any], colour: str, game: int | None = None) -> Performance:
    """The sums of one side in a stored summary: of the whole match, or of one game."""
    sums = summary["match"] if game is None else summary["games"][str(game)]
    return Performance(**sums[colour])


def decision_of(row: JudgedDecision) -> Decision:
    """A stored decision as a ``scoring.theory`` value."""
    return Decision(
        ref=str(row.event_seq),
        game=row.game,
        ply=row.ply,
        side=Side(row.colour),
        kind=DecisionKind(row.kind),
        played=row.played,
        candidates=from_plain(tuple[Candidate, ...], row.candidates, "candidates"),
        error=row.error,
        counted=row.counted,
        luck=row.luck,
        legal=row.legal,
    )
