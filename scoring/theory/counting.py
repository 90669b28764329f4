"""Which decisions enter an error rate: one rule for every engine and every label.

The rule is eXtreme Gammon's, as its own rates of published matches determine it; source:
docs/reference/theory.md, "Which decisions count". It needs only what is stored with a decision: equities with
four places. So stored analyses are counted again without an engine.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from scoring.theory.decisions import Decision, DecisionKind

SPREAD = 1e-4
"""A play counts if its candidates differ by more than the last place that eXtreme Gammon displays."""
CLOSE = 0.001
"""Two cube actions that are nearer than this are the same."""
OBVIOUS = 0.2
"""A double that gives up more than this is no question."""
LOST = -0.9
"""Below this, doubled or not, the game is lost."""
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class CountingProfile:
    """A named rule of what counts; a change of the rule gets a new version.

    >>> str(XG_COUNTING)
    'xg@1'
    """

    name: str
    version: int
    source: str

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"


XG_COUNTING = CountingProfile("xg", 1, 'docs/reference/theory.md, "Which decisions count"')
"""The rule that `counts` follows; stored with every summary as its text."""


def counts(decision: Decision) -> bool:
    """Whether a decision enters the error rate.

    Never without a choice that was made: forced plays, illegal plays, positions only asked about.
    A play counts if its candidates differ by more than 0.0001, a double or no double if it was not obvious
    or was wrong by 0.001 or more, an answer if take and pass differ by 0.001 or more.

    Needs the kind, the candidates with their equities, the error and whether the play was legal. Raises
    KeyError for a cube decision without its candidates.
    """
    if not decision.legal or not any(candidate.played for candidate in decision.candidates):
        return False
    if decision.kind is DecisionKind.CHECKER:
        equities = [candidate.equity for candidate in decision.candidates]
        return len(equities) > 1 and max(equities) - min(equities) > SPREAD + _ROUNDING
    told = {candidate.action: candidate.equity for candidate in decision.candidates}
    if decision.kind is DecisionKind.RESPONSE:
        return _at_least(abs(told["take"] - told["pass"]), CLOSE)
    no_double, take, passed = told["no double"], told["double/take"], told["double/pass"]
    obvious = (
        not _at_least(abs(no_double - min(take, passed)), CLOSE)
        or no_double - take > OBVIOUS + _ROUNDING
        or no_double - passed > OBVIOUS + _ROUNDING
        or (no_double < LOST and take < LOST)
    )
    return not obvious or _at_least(decision.error or 0.0, CLOSE)


def counted_again(decisions: Iterable[Decision]) -> tuple[Decision, ...]:
    """The same decisions, each marked as counted or not by `counts`."""
    return tuple(replace(decision, counted=counts(decision)) for decision in decisions)


def _at_least(value: float, limit: float) -> bool:
    """Whether a difference of equities with four places reaches a limit."""
    return value >= limit - _ROUNDING
