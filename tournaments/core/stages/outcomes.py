"""How a pairing ended."""

from dataclasses import dataclass
from enum import StrEnum


class Ended(StrEnum):
    """The way to the outcome. Only ``PLAYED`` and ``RETIRED`` had a match over the board."""

    PLAYED = "played"
    RETIRED = "retired"
    """One side could not go on; he loses, and stays in the event unless he also withdraws."""
    WALKOVER = "walkover"
    """One side did not come; he loses this pairing only."""
    DOUBLE_NO_SHOW = "double no-show"
    """Neither came: nobody wins, nobody advances and nobody drops into another bracket."""
    DISQUALIFIED = "disqualified"
    """The loser was put out of this match; with ``Gone.DISQUALIFIED`` also out of the event."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome between two entrants, by number.

    It names both, so that a result can never be credited to somebody who only later moved into the slot. In a
    double no-show ``winner`` and ``loser`` are the two absent entrants in slot order; read ``advances`` for
    who goes on. ``points`` are (winner's, loser's) match points. ``confirmed`` is false while a director or
    an opponent has still to agree: a draw made on it is warned about, never blocked
    (docs/reference/tournaments.md, "Results and corrections").
    """

    winner: int
    loser: int
    ended: Ended = Ended.PLAYED
    points: tuple[int, int] | None = None
    confirmed: bool = True

    @property
    def advances(self) -> int | None:
        return None if self.ended is Ended.DOUBLE_NO_SHOW else self.winner

    @property
    def played(self) -> bool:
        return self.ended in (Ended.PLAYED, Ended.RETIRED)

    def between(self, a: int, b: int) -> bool:
        return (self.winner == a and self.loser == b) or (self.winner == b and self.loser == a)


class Gone(StrEnum):
    """Why an entrant plays no further pairing. What he has already played stands."""

    WITHDRAWN = "withdrawn"
    DISQUALIFIED = "disqualified"
