"""The doubling cube.

Source: docs/reference/rules.md, "The cube".
"""

from dataclasses import dataclass

from scoring.rules.errors import InvalidValue
from scoring.rules.sides import Side

HIGHEST_CUBE = 2**30
"""Beyond any game ever played: a guard against nonsense, not a rule."""


@dataclass(frozen=True, slots=True)
class Cube:
    """Its value and its owner, None for centred.

    The value is 1 before the first double, or 2 to the number of automatic doubles. Raises
    :class:`InvalidValue` for a value that is no power of two, or an owned cube below 2.

    >>> Cube().turned_to(Side.BLACK)
    Cube(value=2, owner=<Side.BLACK: 'black'>)
    """

    value: int = 1
    owner: Side | None = None

    def __post_init__(self) -> None:
        check_cube_value(self.value)
        if self.owner is not None and self.value < 2:
            raise InvalidValue(
                "cube_owned",
                "a cube owned by {owner} cannot be at {value}",
                owner=self.owner.value,
                value=self.value,
            )

    def turned_to(self, taker: Side, times: int = 1) -> "Cube":
        """The cube turned ``times`` times (2 for a beaver, 3 for a raccoon), now ``taker``'s."""
        return Cube(self.value << times, taker)


def check_cube_value(value: int) -> None:
    """Raise :class:`InvalidValue` unless ``value`` is a power of two from 1."""
    if type(value) is not int or not 1 <= value <= HIGHEST_CUBE or value & (value - 1):
        raise InvalidValue("cube", "a cube cannot show {value!r}: a power of two is needed", value=value)
