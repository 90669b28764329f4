"""How deep each engine looks, by preset: thresholds as values, with a version.

A preset's name says the same of every engine: ``estimate`` looks at each position once, ``fast`` is the
standard, ``deep`` looks further where it is close, ``rollout`` plays the position out many times. What a name
means for an engine is in the table below; a change of a threshold changes the version, and so the label.
docs/engineers/analysis.md has what was measured.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf


@dataclass(frozen=True, slots=True)
class Look:
    """One deeper look, and which decisions get it; equities and gaps are normalised.

    A play gets it if what was played lost more than ``error`` so far, if the two best plays are nearer than
    ``gap``, or if the last look moved the loss by more than ``shift``. Then at most ``most`` plays within
    ``near`` of the best, and the one that was played, are looked at ``depth`` plies deep; below them the
    shallower numbers stay.

    A cube gets it if the doubler or the answerer lost more than ``cube_error``, or if their choices are
    nearer than ``cube_gap``. It never gets it if nobody doubled and a double gave up more than
    ``cube_obvious``.

    Two plays at least are looked at: where the best was played, the next one. ``again`` chooses the plays
    by the screen once more, wider than the look before. A play keeps what was seen of it at this depth.
    A position where nothing was played gets every look, unless no ``error`` is large enough for it.
    """

    depth: int
    near: float
    most: int
    error: float = -inf
    gap: float = inf
    shift: float = inf
    cube_error: float = -inf
    cube_gap: float = inf
    cube_obvious: float = inf
    again: bool = False


@dataclass(frozen=True, slots=True)
class Rollout:
    """Playing a position out: most trials, in rounds, until the half-width of the 95% interval is small.

    ``near`` and ``most`` choose the plays, as in `Look`; ``enough`` is in equity, ``seed`` makes it
    repeatable. A trial is judged after ``truncated`` plies; 0 plays it to the end.
    """

    near: float
    most: int
    trials: int
    round: int
    enough: float
    seed: int
    truncated: int = 0


@dataclass(frozen=True, slots=True)
class EnginePreset:
    """A named depth of one engine; ``screen`` is the depth at which every position is looked at."""

    name: str
    version: int
    screen: int
    stages: tuple[Look, ...] = ()
    rollout: Rollout | None = None

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"


ESTIMATE, FAST, DEEP, ROLLOUT = "estimate", "fast", "deep", "rollout"
ENGINE_NAMES = ("gnubg", "gammonview")
"""The engine that is preferred first."""
PRESET_NAMES = (ESTIMATE, FAST, DEEP, ROLLOUT)
"""Shallowest first."""

_GNUBG_NEAR = Look(depth=2, near=0.08, most=3, error=0.0, gap=0.04, cube_obvious=0.25)
_GNUBG_MOVED = Look(depth=3, near=0.08, most=1, error=inf, gap=0.0, shift=0.06, cube_error=inf, cube_gap=0.0)
_GNUBG_CLOSE = Look(
    depth=3,
    near=0.08,
    most=2,
    error=0.03,
    gap=0.003,
    shift=0.02,
    cube_error=0.01,
    cube_gap=0.01,
    cube_obvious=0.25,
)
GNUBG: Mapping[str, EnginePreset] = {
    preset.name: preset
    for preset in (
        EnginePreset(ESTIMATE, 1, screen=0),
        EnginePreset(FAST, 2, screen=0, stages=(_GNUBG_NEAR, _GNUBG_MOVED)),
        EnginePreset(DEEP, 2, screen=0, stages=(_GNUBG_NEAR, _GNUBG_CLOSE)),
    )
}
"""GNU Backgammon counts plies from 0."""

_SAGE_FIRST = Look(depth=2, near=0.16, most=14, cube_obvious=0.25)
_SAGE_WIDE = Look(depth=2, near=0.2, most=40, error=0.0, gap=0.0, cube_error=inf, cube_gap=0.0, again=True)
_SAGE_ERROR = Look(depth=3, near=0.08, most=12, error=0.0, gap=0.0, cube_error=0.0, cube_gap=0.0)
_SAGE_NEAR = Look(depth=2, near=0.16, most=20, cube_obvious=0.25)
_SAGE_CLOSE = Look(depth=3, near=0.08, most=4, error=0.0, gap=0.02, cube_error=0.0, cube_gap=0.08)
GAMMONVIEW: Mapping[str, EnginePreset] = {
    preset.name: preset
    for preset in (
        EnginePreset(ESTIMATE, 1, screen=1),
        EnginePreset(FAST, 4, screen=1, stages=(_SAGE_FIRST, _SAGE_WIDE, _SAGE_ERROR)),
        EnginePreset(DEEP, 3, screen=1, stages=(_SAGE_NEAR, _SAGE_CLOSE)),
        EnginePreset(
            ROLLOUT,
            2,
            screen=1,
            stages=(_SAGE_NEAR,),
            rollout=Rollout(
                near=0.08, most=3, trials=1296, round=144, enough=0.01, seed=20261127, truncated=7
            ),
        ),
    )
}
"""bgsage counts plies from 1: its 1-ply is the network alone. Versions go on from gammonview's own."""
