"""How a pairing ended."""

from dataclasses import dataclass
from enum import StrEnum

from scoring.rules.endings import Ending

PLAYED = frozenset({Ending.PLAYED, Ending.TIME, Ending.PENALTY, Ending.RETIRED})
"""The ways to an outcome that had a match over the board. By all others one side, or neither, has lost this
pairing only; with ``Gone`` it plays no further one."""

NO_OUTCOME = frozenset({Ending.VOID, Ending.AGREED})
"""A match that never counted and a money session that was closed decide no pairing."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome between two entrants, by number.

    It names both, so that a result can never be credited to an entrant who only later moved into the slot. In
    a double no-show ``winner`` and ``loser`` are the two absent entrants in slot order; read ``advances`` for
    who goes on. ``points`` are (winner's, loser's) match points. ``confirmed`` is false while a director or
    an opponent has still to agree: a draw made on it is warned about, never blocked
    (docs/reference/tournaments.md, "Results and corrections").

    ``stands``: a correction named another winner when the draw had been played on, and the director let the
    later matches stand. So the loser has gone on in the bracket.
    """

    winner: int
    loser: int
    ended: Ending = Ending.PLAYED
    points: tuple[int, int] | None = None
    confirmed: bool = True
    stands: bool = False

    @property
    def advances(self) -> int | None:
        """Who goes on in a bracket."""
        if self.ended is Ending.DOUBLE_NO_SHOW:
            return None
        return self.loser if self.stands else self.winner

    @property
    def drops(self) -> int | None:
        """Who is out of the bracket, or drops into another section."""
        if self.ended is Ending.DOUBLE_NO_SHOW:
            return None
        return self.winner if self.stands else self.loser

    @property
    def played(self) -> bool:
        return self.ended in PLAYED

    def between(self, a: int, b: int) -> bool:
        return (self.winner == a and self.loser == b) or (self.winner == b and self.loser == a)


class Gone(StrEnum):
    """Why an entrant left. Earlier results stand.

    Who only ``LEFT_DRAW`` plays on in the stages that this one feeds.
    """

    WITHDRAWN = "withdrawn"
    DISQUALIFIED = "disqualified"
    LEFT_DRAW = "left_draw"
