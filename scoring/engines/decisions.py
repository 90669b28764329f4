"""Build decisions from the numbers of an engine or file."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from scoring.engines.requests import CheckerQuestion, CubeQuestion, Response
from scoring.theory.counting import counts
from scoring.theory.decisions import Candidate, Decision, DecisionKind

Five = tuple[float, float, float, float, float]

NO_DOUBLE, TAKE, PASS = "no double", "double/take", "double/pass"
_PLACES = 4


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


def five(values: Sequence[float]) -> Five:
    """An engine's chances: win, gammon, backgammon, lost gammon, lost backgammon."""
    win, gammon, backgammon, lost_gammon, lost_backgammon = (round(value, _PLACES) for value in values)
    return win, gammon, backgammon, lost_gammon, lost_backgammon


def play_decision(
    question: CheckerQuestion,
    candidates: Sequence[Candidate],
    error: float | None,
    *,
    legal: bool,
    luck: float | None = None,
) -> Decision:
    """The decision of a play; the one that was made is empty if it is not among the candidates.

    ``error`` is None where there was nothing to choose.
    """
    decision = Decision(
        ref=question.ref,
        game=question.game,
        ply=question.ply,
        side=question.side,
        kind=DecisionKind.CHECKER,
        played=next((candidate.action for candidate in candidates if candidate.played), ""),
        candidates=tuple(candidates),
        error=error,
        counted=False,
        luck=luck,
        legal=legal,
    )
    return replace(decision, counted=counts(decision))


def double_decision(
    question: CubeQuestion,
    values: CubeValues,
    chances: Five | None,
    level: str,
    error: float,
    *,
    interval: float | None = None,
) -> Decision:
    """The doubler's decision: the better answer stands for a double, the worse one comes last."""
    better_answer = TAKE if values.take <= values.passed else PASS
    named = {NO_DOUBLE: values.no_double, TAKE: values.take, PASS: values.passed}
    made = better_answer if question.doubled else NO_DOUBLE
    order = sorted(
        named, key=lambda action: (action not in {NO_DOUBLE, better_answer}, -named[action], action != made)
    )
    decision = Decision(
        ref=question.ref,
        game=question.game,
        ply=question.ply,
        side=question.side,
        kind=DecisionKind.DOUBLE,
        played="double" if question.doubled else NO_DOUBLE,
        candidates=tuple(
            Candidate(
                action,
                round(named[action], _PLACES),
                chances,
                level,
                played=action == made,
                interval=None if action == PASS else interval,
            )
            for action in order
        ),
        error=error,
        counted=False,
    )
    return replace(decision, counted=counts(decision))


def response_decision(
    question: CubeQuestion,
    values: CubeValues,
    chances: Five | None,
    level: str,
    error: float,
    *,
    interval: float | None = None,
) -> Decision:
    """The answerer's decision, from the doubler's equities and chances."""
    own = {"take": -values.take, "pass": -values.passed}
    made = made_answer(question)
    decision = Decision(
        ref=question.response_ref,
        game=question.game,
        ply=question.response_ply,
        side=question.side.other,
        kind=DecisionKind.RESPONSE,
        played=str(question.response),
        candidates=tuple(
            Candidate(
                action,
                round(own[action], _PLACES),
                _turned(chances),
                level,
                played=action == made,
                interval=None if action == "pass" else interval,
            )
            for action in sorted(own, key=lambda action: (-own[action], action != "take"))
        ),
        error=error,
        counted=False,
    )
    return replace(decision, counted=counts(decision))


def made_answer(question: CubeQuestion) -> str:
    """``take`` or ``pass``: a beaver takes."""
    return "pass" if question.response is Response.PASS else "take"


def _turned(chances: Five | None) -> Five | None:
    if chances is None:
        return None
    win, gammon, backgammon, lost_gammon, lost_backgammon = chances
    return round(1 - win, _PLACES), lost_gammon, lost_backgammon, gammon, backgammon
