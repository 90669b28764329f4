"""A match as a file tells it: who played, what was recorded, and what was odd about it."""

from dataclasses import dataclass

from scoring.rules.events import Event
from scoring.rules.match_state import MatchState, Status
from scoring.rules.sides import Side


@dataclass(frozen=True, slots=True)
class RecordFlag:
    """Something a reader of the file should know: its line (from 1), a code, and a value in words.

    ``illegal_accepted``, ``incomplete_accepted``   a play that is not legal, kept as played;
    ``unlimited``      what its program exported as a match to 16 points may be an unlimited game;
    ``encoding``       the file is not UTF-8 and was read as Windows-1252;
    ``void_double``    a double that could not count (Crawford game, wrong owner);
    ``unfinished``     the record stops before the end of the match.
    """

    line: int
    code: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match that was read from a file, replayed and found consistent.

    ``players``   White's and Black's names, the left column first;
    ``length``    in points, 0 for a money session;
    ``events``    the whole scoresheet, starting with the match; ``lines[n]`` is the line of ``events[n]``;
    ``state``     what the events lead to;
    ``tags``      the file's own header, in order.
    """

    players: tuple[str, str]
    length: int
    events: tuple[Event, ...]
    lines: tuple[int, ...]
    state: MatchState
    flags: tuple[RecordFlag, ...] = ()
    tags: tuple[tuple[str, str], ...] = ()

    @property
    def finished(self) -> bool:
        """Whether the record goes to the end of the match; a money session needs its last game finished."""
        return self.state.status is Status.OVER

    @property
    def winner(self) -> Side | None:
        """Who won the match, or is ahead in a money session; None while neither."""
        if not self.length and self.state.score.white != self.state.score.black:
            return max(Side, key=self.state.score.points)
        return self.state.winner

    def name(self, side: Side) -> str:
        """The name of the player on ``side``."""
        return self.players[0] if side is Side.WHITE else self.players[1]
