"""How large the letters of a big screen must be, and how much then fits on it.

A capital subtends 10 minutes of arc at eight metres, 23.3 mm: twice what an eye of acuity 1.0 tells apart
(the definition of Snellen's chart), so an eye of 0.5 reads it. It is more than the inch of letter height for
each 30 feet of distance that road signs need. Source: Manual on Uniform Traffic Control Devices, 2009 edition
(US Federal Highway Administration), section 2A.13, "Word Messages". The rule holds for names, table numbers,
scores and places; heads and notes beside them are smaller.

Lengths are thousandths of the screen's width.
"""

from dataclasses import dataclass
from math import hypot, radians, tan

DISTANCE = 8.0
"""Metres from the screen."""
ARC = radians(10 / 60)
"""The height of a capital."""
CAPITAL = 0.7
"""The height of a capital over the size of the font, in common sans-serifs."""
INCHES = (43, 50, 55, 65, 75, 86, 98, 120)
"""Diagonals to choose from, the last one of a projector's screen."""
USUAL_INCHES, USUAL_ASPECT = 55, 1.78
ASPECTS = (0.5, 2.4)
BESIDE, AROUND, TITLE = 350.0, 180.0, 45.0
"""The width of the calls and margins; the height of the page's head and foot, and of the title of a sheet."""
CELL, ACROSS = 9.5, 0.9
"""The width of a match with a surname of eleven letters, and between rounds, in letters."""
PITCH, HEAD = 2.8, 2.0
"""The height of a match, and of the heads of rounds, in letters."""


@dataclass(frozen=True, slots=True)
class ScreenRoom:
    """The room for draws on a screen of this diagonal and ratio of width to height."""

    inches: int = USUAL_INCHES
    aspect: float = USUAL_ASPECT

    @property
    def letter(self) -> float:
        """The smallest size of the font.

        >>> [ScreenRoom(inches).letter for inches in (43, 55, 86)]
        [34.9, 27.3, 17.5]
        """
        width = 25.4 * self.inches * self.aspect / hypot(self.aspect, 1)
        return round(1000 * (1000 * DISTANCE * tan(ARC) / CAPITAL) / width, 1)

    @property
    def tenths(self) -> int:
        """The size of the font in tenths, for the page's script."""
        return round(10 * self.letter)

    @property
    def wide(self) -> float:
        return 1000 - BESIDE

    @property
    def high(self) -> float:
        return max(200.0, 1000 / self.aspect - AROUND)

    @property
    def rounds(self) -> int:
        """Rounds side by side.

        >>> [ScreenRoom(inches).rounds for inches in (43, 55, 75, 98, 120)]
        [1, 2, 3, 4, 5]
        """
        return max(1, int((self.wide + ACROSS * self.letter) / ((CELL + ACROSS) * self.letter)))

    @property
    def rows(self) -> float:
        """Matches below one another.

        >>> [int(ScreenRoom(inches).rows) for inches in (43, 55, 75, 98, 120)], int(ScreenRoom(55, 0.56).rows)
        ([3, 4, 6, 8, 10], 11)
        """
        return (self.high - HEAD * self.letter) / (PITCH * self.letter)

    @property
    def further(self) -> float:
        """The heads of a further sheet, in matches."""
        return (TITLE + HEAD * self.letter) / (PITCH * self.letter)

    def pitch(self, rows: int, sheets: int) -> float:
        """The height of each of so many matches on so many sheets below one another."""
        return (self.high - sheets * HEAD * self.letter - (sheets - 1) * TITLE) / max(1, rows)


def screen_room(inches: int | None, aspect: float | None) -> ScreenRoom:
    """The room of a screen; the usual one where something is not known or not possible."""
    known = inches if inches is not None and min(INCHES) <= inches <= max(INCHES) else USUAL_INCHES
    return ScreenRoom(known, USUAL_ASPECT if aspect is None else min(max(aspect, ASPECTS[0]), ASPECTS[1]))
