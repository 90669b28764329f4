"""What bgsage makes of a position and of a cube action, as values that need no engine."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Worth:
    """What a position is worth to one player.

    ``equity`` is cubeful, in points per cube (EMG in a match); ``win`` and ``lost_gammon`` are cubeless
    chances from 0 to 1.
    """

    equity: float
    win: float
    lost_gammon: float

    @property
    def certain(self) -> bool:
        """Whether the game is as good as lost, and a single one at that."""
        return self.win < 0.0005 and self.lost_gammon < 0.0005


@dataclass(frozen=True, slots=True)
class CubeWorth:
    """The doubler's chances (0..1) to win the match: without doubling, doubled and taken, and passed."""

    no_double: float
    double_take: float
    double_pass: float
