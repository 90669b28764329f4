"""A match between two events, as a value that can be stored and read back byte for byte."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from scoring.rules.codec import canonical_bytes, from_plain, to_plain
from scoring.rules.endings import Ending
from scoring.rules.game import GameOutcome, GameState
from scoring.rules.match import MatchScore, Win
from scoring.rules.options import RuleOptions
from scoring.rules.sides import Side


class Status(StrEnum):
    """Whether a match goes on."""

    PLAYING = "playing"
    SUSPENDED = "suspended"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class MatchOutcome:
    """How a match ended.  No winner: a double no-show, a voided match, or a money session that was closed."""

    reason: Ending
    winner: Side | None


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """One line of the scoresheet: a game's outcome and the raw score after it."""

    number: int
    outcome: GameOutcome
    crawford: bool
    white: int
    black: int


@dataclass(frozen=True, slots=True)
class Flag:
    """Something a reader should see: the number of the event (from 1), a code, and a value in words."""

    event: int
    code: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class MatchState:
    """A match between two events.

    ``score``       raw points, and the Crawford state of the game in progress or next;
    ``game``        the game in progress, or the next one waiting for its opening roll; after the end the
                    last one;
    ``games``       the finished games, in order;
    ``timeline``    the raw scores (white, black) in the order in which they came about, the start first;
    ``penalties``   points given to White and to Black by penalty, included in the score;
    ``clocks``      seconds left to White and to Black at the last interruption, if there are clocks;
    ``flags``       irregularities and warnings, in order;
    ``events``      how many events made this state.
    """

    options: RuleOptions
    score: MatchScore
    game: GameState
    status: Status = Status.PLAYING
    outcome: MatchOutcome | None = None
    games: tuple[FinishedGame, ...] = ()
    timeline: tuple[tuple[int, int], ...] = ()
    penalties: tuple[int, int] = (0, 0)
    clocks: tuple[int | None, int | None] = (None, None)
    flags: tuple[Flag, ...] = ()
    events: int = 1

    @property
    def winner(self) -> Side | None:
        """Who has won the match; None while it goes on and when nobody has."""
        return self.outcome.winner if self.outcome else None

    @property
    def rates(self) -> bool:
        """Whether the match is over and its end counts for ratings, by the default policy."""
        return self.outcome is not None and self.outcome.reason.rates and not self.score.is_money


@dataclass(frozen=True, slots=True)
class Action:
    """A kind of event that may happen now, by whom (None: either side, or no player), at which levels."""

    kind: str
    by: Side | None = None
    levels: tuple[Win, ...] = ()


def state_to_plain(state: MatchState) -> dict[str, Any]:
    """The state as plain JSON data, every field written; positions and rolls as lists of numbers."""
    plain: dict[str, Any] = to_plain(state, full=True)
    return plain


def state_from_plain(plain: Mapping[str, Any]) -> MatchState:
    """Undo :func:`state_to_plain`.  Raises :class:`InvalidValue` for data that no state has."""
    return from_plain(MatchState, plain, where="state")


def state_bytes(state: MatchState) -> bytes:
    """The canonical bytes of the state: equal states, equal bytes."""
    return canonical_bytes(state_to_plain(state))
