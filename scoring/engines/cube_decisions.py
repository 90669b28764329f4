"""Cube decisions of both players from three equities, and which of them count."""

from collections.abc import Callable
from typing import NamedTuple

from scoring.engines.decisions import (
    CubeValues,
    Five,
    Judged,
    double_decision,
    made_answer,
    response_decision,
)
from scoring.engines.requests import CubeQuestion
from scoring.theory.decisions import Decision

CLOSE_CUBE = 0.16
"""GNU Backgammon counts a cube that was left alone if it was closer than this (its manual, *Analysis*)."""
_DISPLAYED = 0.001
_OBVIOUS = 0.2
_LOST = -0.9


class CountingRule(NamedTuple):
    """A program's rule for which cube decisions count."""

    double: Callable[[CubeValues, bool, float], bool]
    """Of the equities, whether it was doubled, and what that lost."""
    response: Callable[[CubeValues], bool]


def _gnubg_double(values: CubeValues, doubled: bool, _error: float) -> bool:  # noqa: FBT001 - a rule's argument
    return doubled or max(values.no_double, values.doubled) - values.doubled < CLOSE_CUBE


def _xg_double(values: CubeValues, _doubled: bool, error: float) -> bool:  # noqa: FBT001 - a rule's argument
    no_double, take, passed = values
    trivial = (
        values.error < _DISPLAYED
        or no_double - take > _OBVIOUS
        or no_double - passed > _OBVIOUS
        or (no_double < _LOST and take < _LOST)
    )
    return not trivial or error >= _DISPLAYED


gnubg_counts = CountingRule(_gnubg_double, lambda _values: True)
"""Every cube that was turned or answered, and every one that was close."""
xg_counts = CountingRule(_xg_double, lambda values: abs(values.take - values.passed) >= _DISPLAYED)
"""Every cube that was not obvious, as `gvformat` found eXtreme Gammon's own rates to come about."""


def cube_decisions(
    question: CubeQuestion, values: CubeValues, chances: Five | None, level: str, *, counts: CountingRule
) -> list[Decision]:
    """The doubler's decision, and the answerer's if there was an answer, judged by a program's rule.

    ``chances`` are the doubler's.
    """
    actual = values.doubled if question.doubled else values.no_double
    error = max(0.0, max(values.no_double, values.doubled) - actual)
    doubled = Judged(error, counts.double(values, question.doubled, error))
    decisions = [double_decision(question, values, chances, level, doubled)]
    if question.response is not None:
        given = {"take": values.take, "pass": values.passed}[made_answer(question)]
        answered = Judged(max(0.0, given - values.doubled), counts.response(values))
        decisions.append(response_decision(question, values, chances, level, answered))
    return decisions
