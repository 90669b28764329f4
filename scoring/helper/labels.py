"""The labels that the engines of this machine give their answers."""

from functools import cache

from scoring.engines.presets import ESTIMATE
from scoring.engines.registry import ENGINES, analyse
from scoring.engines.requests import AnalysisRequest, CheckerQuestion, Situation
from scoring.rules.dice import Roll
from scoring.rules.plays import legal_plays
from scoring.rules.position import STARTING_POSITION
from scoring.rules.sides import Side
from scoring.theory.decisions import EngineLabel

PRESETS = ("fast", "deep")
"""What whole matches are analysed by."""
_LONGEST = 60.0


def label_of(engine: str, preset: str) -> EngineLabel | None:
    """The label of an engine's answers at a preset; None if this machine lacks the engine or the preset.

    Raises EngineError if the engine fails.
    """
    known = ENGINES.get(engine)
    if known is None or known.missing() or preset not in known.settings:
        return None
    return EngineLabel(engine, version_of(engine), str(known.settings[preset]))


@cache
def version_of(engine: str) -> str:
    """The version that an engine puts into its labels, once asked."""
    return analyse(_opening(), engine=engine, time_limit=_LONGEST).label.version


def _opening() -> AnalysisRequest:
    """One question that takes an engine no time."""
    played = next(iter(legal_plays(STARTING_POSITION, Roll(3, 1)))).result.key
    question = CheckerQuestion(
        ref="1",
        game=1,
        ply=1,
        side=Side.WHITE,
        situation=Situation(STARTING_POSITION.key),
        dice=(3, 1),
        played=played,
    )
    return AnalysisRequest((question,), ESTIMATE)
