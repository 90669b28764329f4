"""Judged decisions, whichever engine judged them.

Equities and errors are **cubeful and normalised**: points per cube, with the cube as it stood before the
decision; in a match the equivalent to money (EMG) of the match-winning chance. A PR is 500 times an error of
this kind per counted decision (see `scoring.theory.performance`).
"""

from dataclasses import dataclass
from enum import StrEnum

from scoring.rules.sides import Side
from scoring.theory.met import TABLE


class DecisionKind(StrEnum):
    """The kinds of decision: a play of the checkers, whether to double, how to answer a double."""

    CHECKER = "checker"
    DOUBLE = "double"
    RESPONSE = "response"

    @property
    def is_cube(self) -> bool:
        """Whether this is a cube action."""
        return self is not DecisionKind.CHECKER


@dataclass(frozen=True, slots=True)
class Candidate:
    """One thing the player could have done, best first.

    `action` is a play ("24/18 13/11", empty for a dance) or one of `no double`, `double/take`,
    `double/pass`, `take`, `pass`. `position` is the position after a play in the frame of its question.
    `equity` and `probabilities` (win, gammon, backgammon, lost gammon, lost backgammon; 0..1) are the
    deciding player's; `level` names the depth. Equities of different depths do not compare exactly.
    `interval` is the half-width of the 95% confidence interval of a rollout's equity, None without one.
    """

    action: str
    equity: float
    probabilities: tuple[float, float, float, float, float] | None
    level: str
    position: str | None = None
    played: bool = False
    interval: float | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """One judged decision of one player.

    `error` >= 0 is what it lost against the best, None where there was nothing to choose; it enters a PR
    only if `counted`. `luck` is the roll's equity above the average roll, for checker plays, where known.
    """

    ref: str
    game: int
    ply: int
    side: Side
    kind: DecisionKind
    played: str
    candidates: tuple[Candidate, ...]
    error: float | None
    counted: bool
    luck: float | None = None
    legal: bool = True

    @property
    def best(self) -> Candidate | None:
        """What the engine would have done; None if it judged nothing."""
        return self.candidates[0] if self.candidates else None


FROM_FILE = "file"
"""Stands for the version in the label of an analysis that a match file brings."""


@dataclass(frozen=True, slots=True)
class EngineLabel:
    """What an analysis is labelled with: PRs are only ever pooled within one label.

    ``version`` names every part that judges, ``preset`` its revision: what changes a number changes the
    label. ``table`` is the match equity table, the same in all engines here unless one says otherwise.

    >>> str(EngineLabel("gnubg", "1.07.001", "fast@1"))
    'gnubg 1.07.001 fast@1 Kazaross-XG2'
    """

    engine: str
    version: str
    preset: str
    table: str = TABLE

    def __str__(self) -> str:
        return " ".join(part for part in (self.engine, self.version, self.preset, self.table) if part)

    @property
    def in_file(self) -> "EngineLabel":
        """The label of this analysis when a match file brings it: what a file says is only its word.

        >>> str(EngineLabel("gnubg", "1.07.001", "fast@1").in_file)
        'gnubg file 1.07.001/fast@1 Kazaross-XG2'
        """
        if self.version == FROM_FILE:
            return self
        return EngineLabel(self.engine, FROM_FILE, f"{self.version}/{self.preset}", self.table)

    @classmethod
    def parse(cls, text: str) -> "EngineLabel":
        """The label that was written as this text; parts that it does not name are empty.

        >>> EngineLabel.parse("gammonview 3.1.0 fast@2")
        EngineLabel(engine='gammonview', version='3.1.0', preset='fast@2', table='')
        """
        engine, version, preset, table = [*text.split(), "", "", "", ""][:4]
        return cls(engine, version, preset, table)
