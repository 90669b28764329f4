"""Check of an answer that another computer computed, beyond what our own engines are checked for.

Our engines' words come from our cascade. A stranger's are compared with what the cascade would say: how plays
are written, which depths a preset has, and that every loss is the difference of its equities.
"""

import re
from collections.abc import Mapping, Sequence

from scoring.engines.answers import TOLERANCE
from scoring.engines.cascade import SHOWN
from scoring.engines.errors import EngineDisagrees
from scoring.engines.presets import EnginePreset
from scoring.engines.requests import CheckerQuestion, CubeQuestion, Question
from scoring.notation.plays import format_play
from scoring.rules.dice import Roll
from scoring.rules.plays import Play, legal_plays
from scoring.rules.position import Position
from scoring.theory.decisions import Candidate, Decision, DecisionKind

_MOVES = re.compile(r"[0-9/*() baroff]*")
"""An illegal play is written move by move; only its letters are checked."""


def check_words(
    questions: Sequence[Question], answers: Sequence[Sequence[Decision]], preset: EnginePreset
) -> None:
    """Raise EngineDisagrees for a decision that the cascade would not word so.

    ``answers`` have passed `scoring.engines.comparison.compare`.
    """
    levels = levels_of(preset)
    for question, decisions in zip(questions, answers, strict=True):
        for decision in decisions:
            place = f"game {question.game}, ply {question.ply}"
            for candidate in decision.candidates:
                if candidate.level not in levels:
                    raise EngineDisagrees(f"{place}: {preset} has no depth {candidate.level!r}")
            if isinstance(question, CheckerQuestion):
                _check_play(place, question, decision)
            else:
                _check_cube(place, question, decision)


def levels_of(preset: EnginePreset) -> set[str]:
    """The depths that a preset's candidates can name."""
    depths = {preset.screen, *(stage.depth for stage in preset.stages)}
    return {f"{depth}-ply" for depth in depths} | ({"rollout"} if preset.rollout else set())


def _check_play(place: str, question: CheckerQuestion, decision: Decision) -> None:
    before = Position.from_key(question.situation.position)
    plays = list(legal_plays(before, Roll(*question.dice))) or [Play((), before)]
    written = {play.result.key: format_play(before, play) for play in plays}
    made = [candidate for candidate in decision.candidates if candidate.played]
    if not 1 <= len(decision.candidates) <= SHOWN + 1 or len(made) != 1:
        raise EngineDisagrees(f"{place}: {len(decision.candidates)} plays, {len(made)} of them made")
    for candidate in decision.candidates:
        _check_action(place, candidate, written)
    if decision.played != made[0].action:
        raise EngineDisagrees(f"{place}: {decision.played!r} was not played")
    if len(decision.candidates) < min(len(plays), SHOWN):
        raise EngineDisagrees(f"{place}: {len(decision.candidates)} of {len(plays)} plays")
    _check_loss(place, decision, made[0], asked=len(plays) > 1 or made[0].position not in written)


def _check_action(place: str, candidate: Candidate, written: Mapping[str, str]) -> None:
    told = written.get(candidate.position or "")
    if not (_MOVES.fullmatch(candidate.action) if told is None else candidate.action == told):
        raise EngineDisagrees(f"{place}: {candidate.action!r} is not how the play is written")


def _check_cube(place: str, question: CubeQuestion, decision: Decision) -> None:
    made = [candidate for candidate in decision.candidates if candidate.played]
    if decision.kind is DecisionKind.DOUBLE:
        fits = decision.played == ("double" if question.doubled else "no double")
        fits = fits and all((c.action != "no double") is question.doubled for c in made)
    else:
        answered = "pass" if decision.played == "pass" else "take"
        fits = decision.played == str(question.response) and all(c.action == answered for c in made)
    if len(made) != 1 or not fits:
        raise EngineDisagrees(f"{place}: {decision.played!r} is not the cube action")
    _check_loss(place, decision, made[0], asked=True)


def _check_loss(place: str, decision: Decision, made: Candidate, *, asked: bool) -> None:
    if (decision.error is not None) is not asked:
        raise EngineDisagrees(f"{place}: a loss of {decision.error}")
    if decision.error is None:
        return
    lost = max(0.0, decision.candidates[0].equity - made.equity)
    if abs(decision.error - lost) > TOLERANCE:
        raise EngineDisagrees(f"{place}: a loss of {decision.error}, but the equities differ by {lost:.4f}")
