"""Refuse impossible answers before they are stored.

What can be known without an engine: numbers are numbers, chances are chances, candidates are legal plays with
the best first, a loss is the difference that the equities show. An engine that breaks one of these has a bug,
or is not the engine that it claims to be.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from math import isfinite

from scoring.engines.errors import EngineDisagrees
from scoring.engines.requests import CheckerQuestion, Question
from scoring.rules.dice import Roll
from scoring.rules.errors import ScoringError
from scoring.rules.plays import legal_plays
from scoring.rules.position import Position
from scoring.theory.decisions import Candidate, Decision, DecisionKind, EngineLabel

LONGEST_TEXT = 80
LARGEST_EQUITY = 1000.0
"""Far above any: a gammon that decides a match can be worth tens of cubes."""
LONGEST_RUN = 10_000_000.0
"""Seconds."""
TOLERANCE = 0.001
"""What rounding to four places, and a network's chances that do not quite fit, can amount to."""
ACTIONS = {
    DecisionKind.DOUBLE: {"no double", "double/take", "double/pass"},
    DecisionKind.RESPONSE: {"take", "pass"},
}
_UNREADABLE = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, StopIteration)


@contextmanager
def reading_answer() -> Iterator[None]:
    """Read an engine's words inside this block: what cannot be read raises EngineDisagrees."""
    try:
        yield
    except (*_UNREADABLE, RecursionError, ScoringError) as error:
        what = f"{type(error).__name__}: {str(error)[:200]}"
        raise EngineDisagrees(f"the engine's answer cannot be read: {what}") from error


def expect_another(answers: int, questions: int) -> None:
    """Raise EngineDisagrees if every question has its answer and the engine goes on answering."""
    if answers >= questions:
        raise EngineDisagrees(
            f"more answers than the {questions} questions", questions=questions, answers=answers + 1
        )


def check_label(label: EngineLabel, cpu_seconds: object, *, engine: str) -> None:
    """Raise EngineDisagrees for another engine's label, one that cannot be stored, or a time that is none."""
    if label.engine != engine:
        raise EngineDisagrees(f"{label.engine[:LONGEST_TEXT]!r} answers as {engine}")
    for text in (label.engine, label.version, label.preset):
        if not text or " " in text:
            raise EngineDisagrees(f"{text[:LONGEST_TEXT]!r} is not a part of an engine's label")
    _check_text(str(label))
    if not isinstance(cpu_seconds, int | float) or not 0 <= cpu_seconds < LONGEST_RUN:
        raise EngineDisagrees(f"{str(cpu_seconds)[:LONGEST_TEXT]!r} is not a number of seconds")


def check_answer(question: Question, decisions: Sequence[Decision]) -> None:
    """Raise EngineDisagrees for decisions that no engine can mean."""
    for decision in decisions:
        try:
            _check_decision(question, decision)
        except EngineDisagrees as refusal:
            place = f"game {question.game}, ply {question.ply} ({question.side})"
            raise EngineDisagrees(f"{place}: {refusal}", ref=question.ref) from refusal


def _check_decision(question: Question, decision: Decision) -> None:
    _check_text(decision.played)
    if not decision.candidates:
        raise EngineDisagrees("the engine judged nothing")
    for candidate in decision.candidates:
        _check_candidate(candidate)
    if isinstance(question, CheckerQuestion):
        _check_plays(question, decision)
    else:
        _check_actions(decision)
    _check_order(decision)
    _check_error(decision)
    if decision.luck is not None:
        _check_equity("luck", decision.luck)


def _check_candidate(candidate: Candidate) -> None:
    _check_text(candidate.action)
    _check_text(candidate.level)
    _check_equity("equity", candidate.equity)
    if candidate.probabilities is not None:
        _check_chances(candidate.probabilities)
    if candidate.interval is not None:
        _check_equity("interval", candidate.interval)
        if candidate.interval < 0:
            raise EngineDisagrees(f"an interval of {candidate.interval} is not possible")


def _check_text(text: str) -> None:
    if len(text) > LONGEST_TEXT or not text.isprintable():
        raise EngineDisagrees(f"{text[:LONGEST_TEXT]!r} is not an engine's word")


def _check_equity(name: str, value: float) -> None:
    if not isfinite(value) or abs(value) > LARGEST_EQUITY:
        raise EngineDisagrees(f"{name} {value} is not possible")


def _check_chances(chances: Sequence[float]) -> None:
    win, gammon, backgammon, lost_gammon, lost_backgammon = chances
    for falling in ((1.0, win, gammon, backgammon, 0.0), (1.0 - win, lost_gammon, lost_backgammon, 0.0)):
        # Written so that NaN, which compares false with everything, is refused, too.
        if not all(more >= less - TOLERANCE for more, less in pairwise(falling)):
            raise EngineDisagrees(f"chances {tuple(chances)} are not possible")


def _check_plays(question: CheckerQuestion, decision: Decision) -> None:
    before, roll = Position.from_key(question.situation.position), Roll(*question.dice)
    known = {play.result.key for play in legal_plays(before, roll)} or {question.situation.position}
    if question.played:  # where nothing was played, a position alone is asked about
        known.add(question.played)
    seen: set[str | None] = set()
    for candidate in decision.candidates:
        if candidate.position not in known:
            raise EngineDisagrees(f"{candidate.action!r} to {candidate.position!r} is not a legal play")
        if candidate.position in seen:
            raise EngineDisagrees(f"{candidate.action!r} is judged twice")
        seen.add(candidate.position)


def _check_actions(decision: Decision) -> None:
    actions = [candidate.action for candidate in decision.candidates]
    if len(actions) != len(set(actions)) or set(actions) != ACTIONS[decision.kind]:
        raise EngineDisagrees(f"{actions} are not the choices of a {decision.kind}")
    if sum(candidate.played for candidate in decision.candidates) > 1:
        raise EngineDisagrees("two cube actions at once")


def _check_order(decision: Decision) -> None:
    """Best first among equities of one depth.

    Anywhere: an illegal play, and the answer to a double that is not the better one.
    """
    ranked = [each for each in decision.candidates if decision.legal or not each.played]
    if decision.kind.is_cube:
        ranked = ranked[:2]
    for better, worse in pairwise(ranked):
        if better.level == worse.level and worse.equity > better.equity + TOLERANCE:
            raise EngineDisagrees(f"{worse.action!r} stands below {better.action!r}, which is worse")


def _check_error(decision: Decision) -> None:
    error = decision.error
    if error is None:
        if decision.counted:
            raise EngineDisagrees("a decision without a loss counts")
        return
    _check_equity("loss", error)
    if error < 0:
        raise EngineDisagrees(f"a loss of {error} is not possible")
    played = next((candidate for candidate in decision.candidates if candidate.played), None)
    best = decision.candidates[0]
    if played is None or not decision.counted or played.level != best.level:
        return
    lost = best.equity - played.equity
    if abs(error - max(0.0, lost)) > TOLERANCE:
        raise EngineDisagrees(f"a loss of {error}, but the equities differ by {lost}")
