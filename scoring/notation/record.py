"""A match read from a file: players, events and flags."""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.notation.annotations import Annotations
from scoring.rules.events import Event
from scoring.rules.match_state import MatchState, Status
from scoring.rules.sides import Side

MOST_FLAGS = 200
"""Of a record: damage without end must not fill the database and the page."""


@dataclass(frozen=True, slots=True)
class RecordFlag:
    """Something a reader of the file should know: its line (from 1), a code, and a value in words.

    ``game`` and ``turn`` say where in the match, the row's own number counting; 0 where they mean nothing.

    As recorded:
    ``illegal_accepted``, ``incomplete_accepted``   a play that is not legal, kept as played;
    ``void_double``    a double that could not count (Crawford game, wrong owner);
    ``handicap``       the first game begins at this score;
    ``unfinished``     the record stops before the end of the match.

    Guessed:
    ``encoding``       the file is not UTF-8 and was read as Windows-1252;
    ``unlimited``      what its program exported as a match to 16 points may be an unlimited game;
    ``no_name``        a player has no name in the file;
    ``name_in_header`` the games do not name a player, the head does;
    ``players_changed``   a game's heading names the players otherwise;
    ``columns_swapped``   a game's heading names the players the other way round;
    ``fused_rows``     two rows stood in one line;
    ``long_row``       a row has more than two cells;
    ``no_heading``     a game begins without its heading;
    ``line_skipped``   a line, or part of one, that says nothing of the match;
    ``take_guessed``   a double was played on without an answer: it was taken;
    ``repaired``       an unreadable play is the only one with which the rest of the game can be played;
    ``rest_unread``    from here on only the result of the game is kept, and why;
    ``points_differ``  the stated result is not what the game was worth, and what was kept;
    ``winner_differs`` the stated winner cannot have won, and who has;
    ``score_differs``  the score in a heading is not what the games give;
    ``no_result``      nothing tells how the game ended: the record stops there, or goes on without the
                       game where the next one begins at the same score;
    ``conceded``       the points needed were given without being won: the match was given up;
    ``crawford_off``, ``jacoby_off``   only without this rule do the results fit the games;
    ``after_game``, ``after_match``    what stands after the end was not read;
    ``more_matches``   another match follows in the file and was not read;
    ``cut_off``        the file breaks off here;
    ``more_flags``     so many further flags are left out.

    Of what the file says beside the plays (`scoring.notation.annotations`):
    ``analysis_value``    a value in the analysis of a decision cannot be: that one was left out;
    ``analysis_refused``  the file's analysis cannot be read at all, and why;
    ``analysis_damaged``  so many of its judged decisions have numbers that cannot be, and were left out;
    ``comments_unread``   its comments could not be read, and why.
    """

    line: int
    code: str
    detail: str = ""
    game: int = 0
    turn: int = 0


def bounded(flags: Sequence[RecordFlag]) -> tuple[RecordFlag, ...]:
    """The first of very many flags, and how many more there are."""
    if len(flags) <= MOST_FLAGS:
        return tuple(flags)
    left_out = flags[MOST_FLAGS:]
    return (*flags[:MOST_FLAGS], RecordFlag(left_out[0].line, "more_flags", str(len(left_out))))


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match that was read from a file, replayed and found consistent.

    ``players``   White's and Black's names, the left column first; empty where the file does not name one;
    ``length``    in points, 0 for a money session;
    ``events``    the whole scoresheet, starting with the match; ``lines[n]`` is the line of ``events[n]``;
    ``state``     what the events lead to;
    ``tags``      the file's own header, in order;
    ``annotations``  the analysis and the comments in the file, None for a format that has none.
    """

    players: tuple[str, str]
    length: int
    events: tuple[Event, ...]
    lines: tuple[int, ...]
    state: MatchState
    flags: tuple[RecordFlag, ...] = ()
    tags: tuple[tuple[str, str], ...] = ()
    annotations: Annotations | None = None

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
