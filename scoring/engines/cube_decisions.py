"""From the three equities of a cube to the decisions of the doubler and of the answerer, and which count."""

from collections.abc import Callable
from typing import NamedTuple

from scoring.analysis.decisions import Candidate, Decision, Kind
from scoring.engines.requests import CubeQuestion, Response

Five = tuple[float, float, float, float, float]

CLOSE_CUBE = 0.16
"""GNU Backgammon counts a cube that was left alone if it was closer than this (its manual, *Analysis*)."""
_NO_DOUBLE, _TAKE, _PASS = "no double", "double/take", "double/pass"
_DISPLAYED = 0.001
_OBVIOUS = 0.2
_LOST = -0.9


class CubeValues(NamedTuple):
    """The doubler's equities, at the cube before the decision."""

    no_double: float
    take: float
    passed: float

    @property
    def doubled(self) -> float:
        """What a double is worth after the better answer."""
        return min(self.take, self.passed)

    @property
    def error(self) -> float:
        """How far the two choices of the doubler lie apart."""
        return abs(self.no_double - self.doubled)


class Counts(NamedTuple):
    """A program's rule which decisions enter its error rates."""

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


gnubg_counts = Counts(_gnubg_double, lambda _values: True)
"""Every cube that was turned or answered, and every one that was close."""
xg_counts = Counts(_xg_double, lambda values: abs(values.take - values.passed) >= _DISPLAYED)
"""Every cube that was not obvious, as `gvformat` found eXtreme Gammon's own rates to come about."""


def cube_decisions(
    question: CubeQuestion, values: CubeValues, chances: Five | None, level: str, *, counts: Counts
) -> list[Decision]:
    """The doubler's decision, and the answerer's if there was an answer.

    ``chances`` are the doubler's. An answer's equities are the answerer's own.
    """
    better_answer = _TAKE if values.take <= values.passed else _PASS
    named = {_NO_DOUBLE: values.no_double, _TAKE: values.take, _PASS: values.passed}
    optimal = max(values.no_double, values.doubled)
    actual = values.doubled if question.doubled else values.no_double
    made = better_answer if question.doubled else _NO_DOUBLE
    order = sorted(
        named, key=lambda action: (action not in {_NO_DOUBLE, better_answer}, -named[action], action != made)
    )
    error = max(0.0, optimal - actual)
    decisions = [
        Decision(
            ref=question.ref,
            game=question.game,
            ply=question.ply,
            side=question.side,
            kind=Kind.DOUBLE,
            played="double" if question.doubled else _NO_DOUBLE,
            candidates=tuple(
                Candidate(action, round(named[action], 4), chances, level, played=action == made)
                for action in order
            ),
            error=error,
            counted=counts.double(values, question.doubled, error),
        )
    ]
    if question.response is not None:
        decisions.append(_response(question, question.response, values, chances, level, counts))
    return decisions


def _response(
    question: CubeQuestion,
    response: Response,
    values: CubeValues,
    chances: Five | None,
    level: str,
    counts: Counts,
) -> Decision:
    own = {"take": -values.take, "pass": -values.passed}
    made = "pass" if response is Response.PASS else "take"
    return Decision(
        ref=question.response_ref,
        game=question.game,
        ply=question.response_ply,
        side=question.side.other,
        kind=Kind.RESPONSE,
        played=str(response),
        candidates=tuple(
            Candidate(action, round(own[action], 4), _turned(chances), level, played=action == made)
            for action in sorted(own, key=lambda action: (-own[action], action != "take"))
        ),
        error=max(0.0, max(own.values()) - own[made]),
        counted=counts.response(values),
    )


def _turned(chances: Five | None) -> Five | None:
    if chances is None:
        return None
    win, gammon, backgammon, lost_gammon, lost_backgammon = chances
    return round(1 - win, 4), lost_gammon, lost_backgammon, gammon, backgammon
