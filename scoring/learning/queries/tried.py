"""Another play at a step of a match: what it costs by the analysis that is shown, and by the engine."""

from dataclasses import dataclass, replace

from scoring.engines.asked import Wanted
from scoring.learning.queries.questions import Question
from scoring.matches.queries.match_page import MatchPage
from scoring.models import Card, Depth
from scoring.positions.queries.answers import Answer, answers_to
from scoring.positions.queries.deeper import StepQuestion, question_at
from scoring.positions.queries.depths import engine_in_use
from scoring.theory.cards import AnswerVerdict, best_of
from scoring.theory.decisions import Decision, DecisionKind

LOOKS = (Depth.STANDARD, Depth.DEEP)


@dataclass(frozen=True, slots=True)
class AskedRoll:
    """A roll to play: as a question to the reader, and as one to an engine."""

    question: Question
    asked: StepQuestion


@dataclass(frozen=True, slots=True)
class TriedPlay:
    """A legal play. ``verdict`` and ``best`` are those of the analysis, None and "" without one.

    ``asked`` is the question that an engine answers about this play, ``answers`` what it said, deepest first.
    """

    text: str
    verdict: AnswerVerdict | None
    best: str
    asked: StepQuestion
    answers: list[Answer]

    @property
    def is_open(self) -> bool:
        """Whether its exact cost is neither known nor asked for."""
        known = self.verdict is not None and self.verdict.is_exact
        return not known and not any(answer.analysis.is_standing for answer in self.answers)


def roll_at(page: MatchPage) -> AskedRoll | None:
    """The roll of the step that is shown; None where nothing can be moved."""
    step = page.current.step if page.current else None
    found = question_at(step, Wanted.PLAY) if step else None
    if step is None or step.side is None or found is None:
        return None
    question = Question(Card(xgid=found.xgid, decision=DecisionKind.CHECKER, colour=step.side))
    return AskedRoll(question, found) if question.can_play else None


def tried(page: MatchPage, roll: AskedRoll, text: str) -> TriedPlay | None:
    """The play that a text gives at the step that is shown (one query); None for a cube action.

    Raises InvalidNotation for what cannot be read, IllegalPlay for a play that the roll does not allow.
    """
    question = roll.question
    given = question.read(text)
    if given.play is None:
        return None
    decision = decision_at(page)
    asked = replace(roll.asked.asked, played=given.play.result.key)
    return TriedPlay(
        question.written(decision, given) if decision else given.text,
        question.judge(given, decision) if decision else None,
        best_of(decision) if decision else "",
        StepQuestion(asked, roll.asked.xgid),
        answers_to(asked, levels=LOOKS, engine=engine_in_use()),
    )


def decision_at(page: MatchPage) -> Decision | None:
    """The judged play of the step that is shown."""
    decisions = [judgement.decision for judgement in page.current.judgements] if page.current else []
    checker = (each for each in decisions if each.kind is DecisionKind.CHECKER and each.candidates)
    return next(checker, None)
