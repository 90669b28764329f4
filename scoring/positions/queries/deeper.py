"""Deeper analyses of a decision in a match, beside the one that is stored with the match."""

from dataclasses import dataclass, replace

from scoring.engines.asked import Asked, Wanted, asked_of
from scoring.models import Depth
from scoring.notation.transcript import Step
from scoring.notation.xgid import decode_xgid, xgid_at
from scoring.positions.queries.answers import Answer, answers_to
from scoring.positions.queries.depths import depths, engine_in_use
from scoring.rules.errors import ScoringError
from scoring.rules.events import PlayStatus

DEEPER = (Depth.DEEP, Depth.ROLLOUT)


@dataclass(frozen=True, slots=True)
class StepQuestion:
    """The question at a step of a match, with its position as XGID."""

    asked: Asked
    xgid: str


@dataclass(frozen=True, slots=True)
class Deeper:
    """Deeper answers about a decision, deepest first, and the levels that can still be asked for."""

    wanted: Wanted
    answers: list[Answer]
    further: list[Depth]


def question_at(step: Step, wanted: Wanted) -> StepQuestion | None:
    """The play or the cube action of a step; None where there is nothing to ask an engine.

    A legal play is judged by what it reached. A position that is irregular has no question.
    """
    try:
        seen = decode_xgid(xgid_at(step.before, step.score))
        seen = replace(seen, roll=None) if wanted is Wanted.CUBE else seen
        asked = asked_of(seen)
    except ScoringError:
        return None
    if asked.wanted is not wanted:
        return None
    if wanted is Wanted.PLAY and step.after is not None and step.status is PlayStatus.LEGAL:
        asked = replace(asked, played=step.after.key)
    return StepQuestion(asked, xgid_at(step.before, step.score))


def deeper_at(step: Step, wanted: Wanted) -> Deeper | None:
    """What is known beyond the stored analysis (one query); None where there is nothing to ask."""
    question = question_at(step, wanted)
    if question is None:
        return None
    answers = answers_to(question.asked, levels=DEEPER, engine=engine_in_use())
    asked = {answer.level for answer in answers if answer.analysis.is_standing}
    return Deeper(wanted, answers, [level for level in depths() if level in DEEPER and level not in asked])
