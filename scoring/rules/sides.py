"""The two sides of a board.  White is the left column of a scoresheet: the first player named."""

from enum import StrEnum


class Side(StrEnum):
    """White or Black.

    >>> Side.WHITE.other
    <Side.BLACK: 'black'>
    """

    WHITE = "white"
    BLACK = "black"

    @property
    def other(self) -> "Side":
        """The opponent."""
        return Side.BLACK if self is Side.WHITE else Side.WHITE
