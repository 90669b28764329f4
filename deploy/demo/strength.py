"""Playing strength: an engine's evaluations with noise, more for weaker players.

A player sees each legal play's equity plus a normal error of their own size, and makes the best-looking
play; cube actions likewise, by match-winning chances. Pure: the random generator is an argument.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from scoring.engines.gammonview.worth import CubeWorth, Worth
from scoring.theory.janowski import verdict

_BEST_HAZE, _WORST_HAZE = 0.012, 0.17
_CUBE_SHARE = 0.12  # of the haze over plays: a point per cube is more than a match-winning chance


@dataclass(frozen=True, slots=True)
class Strength:
    """``haze`` is the standard deviation of perceived equity, in points per cube."""

    haze: float

    @classmethod
    def at(cls, level: float) -> "Strength":
        """Interpolate geometrically from the weakest player (0) to the strongest (1).

        Raises ValueError outside that range.

        >>> Strength.at(1.0).haze < Strength.at(0.5).haze < Strength.at(0.0).haze
        True
        """
        if not 0.0 <= level <= 1.0:
            raise ValueError(f"a level is from 0 to 1, not {level}")
        return cls(_WORST_HAZE * (_BEST_HAZE / _WORST_HAZE) ** level)

    def choose(self, worths: Sequence[Worth], dice: Random) -> int:
        """The index of the best-looking play; ties go to the first."""
        seen = [worth.equity + dice.gauss(0.0, self.haze) for worth in worths]
        return seen.index(max(seen))

    def doubles(self, worth: CubeWorth, dice: Random) -> bool:
        """Whether a double looks right to the player on roll."""
        return verdict(worth.no_double, self._cube(worth, dice), worth.double_pass).double

    def takes(self, worth: CubeWorth, dice: Random) -> bool:
        """Whether a take looks right to the doubled player; ``worth`` is the doubler's."""
        return verdict(worth.no_double, self._cube(worth, dice), worth.double_pass).take

    def _cube(self, worth: CubeWorth, dice: Random) -> float:
        return worth.double_take + dice.gauss(0.0, self.haze * _CUBE_SHARE)
