"""Cube decisions of both players from three equities."""

from scoring.engines.decisions import CubeValues, Five, double_decision, made_answer, response_decision
from scoring.engines.requests import CubeQuestion
from scoring.theory.decisions import Decision


def cube_decisions(
    question: CubeQuestion,
    values: CubeValues,
    chances: Five | None,
    level: str,
    *,
    interval: float | None = None,
) -> list[Decision]:
    """The doubler's decision, and the answerer's if there was an answer.

    ``chances`` are the doubler's.
    """
    errors = cube_errors(question, values)
    decisions = [double_decision(question, values, chances, level, errors[0], interval=interval)]
    if question.response is not None:
        answered = response_decision(question, values, chances, level, errors[1], interval=interval)
        decisions.append(answered)
    return decisions


def cube_errors(question: CubeQuestion, values: CubeValues) -> tuple[float, float]:
    """What the doubler and the answerer lost; 0 for an answer that was not given."""
    actual = values.doubled if question.doubled else values.no_double
    doubler = max(0.0, max(values.no_double, values.doubled) - actual)
    if question.response is None:
        return doubler, 0.0
    given = {"take": values.take, "pass": values.passed}[made_answer(question)]
    return doubler, max(0.0, given - values.doubled)
