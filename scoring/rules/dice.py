"""Rolls of two dice."""

from dataclasses import dataclass

from scoring.rules.errors import InvalidNotation, InvalidValue


@dataclass(frozen=True, slots=True, order=True)
class Roll:
    """Two dice, the higher first: ``Roll(1, 3) == Roll(3, 1)``.

    Raises :class:`InvalidValue` for anything but two whole numbers from 1 to 6.

    >>> Roll(1, 3), str(Roll(1, 3)), Roll(2, 2).dice
    (Roll(high=3, low=1), '31', (2, 2, 2, 2))
    """

    high: int
    low: int

    def __post_init__(self) -> None:
        for die in (self.high, self.low):
            if type(die) is not int or not 1 <= die <= 6:
                raise InvalidValue("die", "a die shows 1 to 6, not {die!r}", die=die)
        if self.high < self.low:
            high, low = self.low, self.high
            object.__setattr__(self, "high", high)
            object.__setattr__(self, "low", low)

    @classmethod
    def parse(cls, text: str) -> "Roll":
        """Read ``"31"`` or ``"13"``.  Raises :class:`InvalidNotation` at the first character not a die."""
        for at, character in enumerate(text[:2]):
            if character not in "123456":
                raise InvalidNotation(
                    "roll",
                    "{text!r} is not a roll: {character!r} is not a die",
                    at=at,
                    text=text,
                    character=character,
                )
        if len(text) != 2:
            raise InvalidNotation(
                "roll_length", "{text!r} is not a roll: two dice are needed", at=min(len(text), 2), text=text
            )
        return ROLLS_BY_DICE[int(text[0]), int(text[1])]

    @property
    def is_double(self) -> bool:
        """Whether both dice show the same number."""
        return self.high == self.low

    @property
    def dice(self) -> tuple[int, ...]:
        """The numbers to be played: two, or the same one four times."""
        return (self.high,) * 4 if self.high == self.low else (self.high, self.low)

    @property
    def weight(self) -> int:
        """How many of the 36 throws of two dice show this roll: 1 or 2."""
        return 1 if self.high == self.low else 2

    def __str__(self) -> str:
        return f"{self.high}{self.low}"


ALL_ROLLS = tuple(Roll(high, low) for high in range(1, 7) for low in range(1, high + 1))
"""The 21 distinct rolls; their weights sum to 36."""

ROLLS_BY_DICE = {dice: roll for roll in ALL_ROLLS for dice in ((roll.high, roll.low), (roll.low, roll.high))}
"""The shared value of every ordered pair of dice: the quick way to a :class:`Roll`."""
