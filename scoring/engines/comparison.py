"""Check an engine's answers against the questions before storing them."""

from collections.abc import Sequence

from scoring.engines.answers import check_answer
from scoring.engines.errors import EngineDisagrees
from scoring.engines.requests import CheckerQuestion, CubeQuestion
from scoring.rules.sides import Side
from scoring.theory.decisions import Decision, DecisionKind


def compare(
    questions: Sequence[CheckerQuestion | CubeQuestion], answers: Sequence[Sequence[Decision]]
) -> tuple[Decision, ...]:
    """All decisions, in order, if every answer is about its question; raises EngineDisagrees."""
    if len(answers) != len(questions):
        raise EngineDisagrees(
            f"{len(questions)} questions, {len(answers)} answers",
            questions=len(questions),
            answers=len(answers),
        )
    decisions: list[Decision] = []
    for question, given in zip(questions, answers, strict=True):
        expected = _expected(question)
        actual = [(d.ref, d.game, d.ply, d.side, d.kind) for d in given]
        if actual != expected:
            raise EngineDisagrees(f"asked about {expected}, answered {actual}", ref=question.ref)
        if isinstance(question, CheckerQuestion):
            _same_play(question, given[0])
        check_answer(question, given)
        decisions.extend(given)
    return tuple(decisions)


def refs_of(questions: Sequence[CheckerQuestion | CubeQuestion]) -> list[str]:
    """The refs of the decisions that answer these questions, in order."""
    return [ref for question in questions for ref, *_rest in _expected(question)]


def _expected(question: CheckerQuestion | CubeQuestion) -> list[tuple[str, int, int, Side, DecisionKind]]:
    if isinstance(question, CheckerQuestion):
        return [(question.ref, question.game, question.ply, question.side, DecisionKind.CHECKER)]
    own = (question.ref, question.game, question.ply, question.side, DecisionKind.DOUBLE)
    if question.response is None:
        return [own]
    answer = (
        question.response_ref,
        question.game,
        question.response_ply,
        question.side.other,
        DecisionKind.RESPONSE,
    )
    return [own, answer]


def _same_play(question: CheckerQuestion, decision: Decision) -> None:
    place = f"game {question.game}, ply {question.ply} ({question.side})"
    if decision.legal != question.legal:
        raise EngineDisagrees(
            f"{place}: we call the play {'legal' if question.legal else 'illegal'}, the engine does not",
            ref=question.ref,
            position=question.situation.position,
            dice=question.dice,
            played=question.played,
        )
    played = [c.position for c in decision.candidates if c.played]
    if played != [question.played] * bool(question.played):
        raise EngineDisagrees(
            f"{place}: sent {question.played}, the engine judged {played}",
            ref=question.ref,
            played=question.played,
        )
