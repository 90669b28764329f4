"""Everything that can be written on a scoresheet, as values.

Source: docs/reference/rules.md, "The scoresheet" and "Irregularities".

A scoresheet is a list of events, the first a :class:`MatchStarted`.  Three depths share it: the final score
alone (:class:`ScoreRecorded`), the result of each game (:class:`GameRecorded`), or every roll, play and
cube action.  Each event has a ``kind`` and a body of plain data; :func:`event_to_plain` and
:func:`event_from_plain` convert.

>>> event_to_plain(Rolled(Roll(6, 5)))
('roll', {'dice': [6, 5]})
>>> event_from_plain("play", {"moves": [[24, 18], [18, 13]]}).moves
(Move(source=24, target=18), Move(source=18, target=13))
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, get_args

from scoring.rules.codec import from_plain, to_plain
from scoring.rules.cube import Cube
from scoring.rules.dice import Roll
from scoring.rules.endings import Ending, GameEnd
from scoring.rules.errors import InvalidValue
from scoring.rules.match import Win
from scoring.rules.options import STANDARD_OPTIONS, RuleOptions
from scoring.rules.plays import Move
from scoring.rules.position import Position
from scoring.rules.sides import Side


class VoidRoll(StrEnum):
    """Why a roll does not count."""

    COCKED = "cocked"
    PREMATURE = "premature"
    DIE_ON_CHECKER = "die_on_checker"


class PlayStatus(StrEnum):
    """The status of a play.

    ``LEGAL``                it is allowed;
    ``ILLEGAL_CORRECTED``    it was not, and was taken back: another play follows;
    ``ILLEGAL_ACCEPTED``     it was not, and stands: unnoticed, or accepted by the opponent (``accepted_by``);
    ``INCOMPLETE_ACCEPTED``  fewer dice were played than could be, and it stands.
    """

    LEGAL = "legal"
    ILLEGAL_CORRECTED = "illegal_corrected"
    ILLEGAL_ACCEPTED = "illegal_accepted"
    INCOMPLETE_ACCEPTED = "incomplete_accepted"


class DoubleStatus(StrEnum):
    """Whether a double counts, or why it was void."""

    OK = "ok"
    VOID_CRAWFORD = "void_crawford"
    VOID_HOLLAND = "void_holland"
    VOID_NOT_OWNER = "void_not_owner"
    VOID_AFTER_ROLL = "void_after_roll"
    VOID_PREMATURE = "void_premature"


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """A match to ``length`` points (0: a money session); ``white`` and ``black`` are a handicap."""

    kind: ClassVar[str] = "match_start"
    length: int
    options: RuleOptions = STANDARD_OPTIONS
    white: int = 0
    black: int = 0


@dataclass(frozen=True, slots=True)
class OpeningRolled:
    """One die each: ``white`` and ``black``.  Equal ones are rolled again."""

    kind: ClassVar[str] = "opening_roll"
    white: int
    black: int


@dataclass(frozen=True, slots=True)
class Rolled:
    """The player on roll threw ``dice``; with ``void`` the throw does not count."""

    kind: ClassVar[str] = "roll"
    dice: Roll
    void: VoidRoll | None = None


@dataclass(frozen=True, slots=True)
class Played:
    """The player on roll moved, or could not (no moves).

    ``moves``        as made, in the mover's numbering; joined steps are allowed;
    ``result``       where the checkers stood afterwards, seen by the mover: needed when the play is not
                     legal and its moves do not say it, and authoritative then;
    ``accepted_by``  the opponent who noticed a play that is not legal and let it stand.
    """

    kind: ClassVar[str] = "play"
    moves: tuple[Move, ...] = ()
    status: PlayStatus = PlayStatus.LEGAL
    result: Position | None = None
    accepted_by: Side | None = None


@dataclass(frozen=True, slots=True)
class Doubled:
    """The player on roll offered the cube; a void offer is recorded and changes nothing."""

    kind: ClassVar[str] = "double"
    status: DoubleStatus = DoubleStatus.OK


@dataclass(frozen=True, slots=True)
class Taken:
    """The double, beaver or raccoon was accepted."""

    kind: ClassVar[str] = "take"


@dataclass(frozen=True, slots=True)
class Passed:
    """The double, beaver or raccoon was refused: the game is over at the value before it."""

    kind: ClassVar[str] = "pass"


@dataclass(frozen=True, slots=True)
class Beavered:
    """The doubled player turned the cube again and keeps it."""

    kind: ClassVar[str] = "beaver"


@dataclass(frozen=True, slots=True)
class Raccooned:
    """The doubler answered a beaver by turning the cube once more; the beaverer still owns it."""

    kind: ClassVar[str] = "raccoon"


@dataclass(frozen=True, slots=True)
class Resigned:
    """``by`` offered to lose a single, gammon or backgammon."""

    kind: ClassVar[str] = "resign"
    by: Side
    level: Win


@dataclass(frozen=True, slots=True)
class Accepted:
    """The resignation was accepted: the game is over."""

    kind: ClassVar[str] = "accept"


@dataclass(frozen=True, slots=True)
class RefusedResignation:
    """The resignation was refused: play goes on."""

    kind: ClassVar[str] = "refuse"


@dataclass(frozen=True, slots=True)
class NotRolled:
    """The player on roll is closed out and did not roll."""

    kind: ClassVar[str] = "no_roll"


@dataclass(frozen=True, slots=True)
class GameRecorded:
    """A whole game, or the rest of the one in progress: who won, how much, at which cube, how it ended."""

    kind: ClassVar[str] = "game_result"
    winner: Side
    win: Win
    cube: int
    ended: GameEnd


@dataclass(frozen=True, slots=True)
class ScoreRecorded:
    """The final score, no more: the match is over (a money session is closed)."""

    kind: ClassVar[str] = "final_score"
    white: int
    black: int


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match ended with another outcome than points."""

    kind: ClassVar[str] = "match_end"
    reason: Ending
    winner: Side | None = None


@dataclass(frozen=True, slots=True)
class Suspended:
    """Play was interrupted.  The clocks are the seconds left to each side, if there are clocks."""

    kind: ClassVar[str] = "suspend"
    white_clock: int | None = None
    black_clock: int | None = None


@dataclass(frozen=True, slots=True)
class Resumed:
    """Play goes on where it was interrupted, with these seconds on the clocks."""

    kind: ClassVar[str] = "resume"
    white_clock: int | None = None
    black_clock: int | None = None


@dataclass(frozen=True, slots=True)
class LengthSet:
    """The match was being played to the wrong length; ``by`` names who decided, by reference."""

    kind: ClassVar[str] = "set_length"
    length: int
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class PenaltyGiven:
    """``points`` awarded to a side."""

    kind: ClassVar[str] = "penalty"
    to: Side
    points: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PositionSet:
    """The checkers, and perhaps the cube and the turn, were not as the record says: from here they are.

    ``position`` is seen by White, ``on_roll`` None leaves the turn as it was.  For a wrong set-up that is
    played on the position may be irregular.
    """

    kind: ClassVar[str] = "set_position"
    position: Position
    reason: str
    on_roll: Side | None = None
    cube: Cube | None = None


@dataclass(frozen=True, slots=True)
class Ruled:
    """A ruling.  It changes nothing by itself: what follows from it is recorded as its own event."""

    kind: ClassVar[str] = "ruling"
    by: str
    text: str


@dataclass(frozen=True, slots=True)
class Voided:
    """Replaces an event that a correction removed."""

    kind: ClassVar[str] = "voided"
    reason: str = ""


Event = (
    MatchStarted | OpeningRolled | Rolled | Played | Doubled | Taken | Passed | Beavered | Raccooned |
    Resigned | Accepted | RefusedResignation | NotRolled | GameRecorded | ScoreRecorded | MatchEnded |
    Suspended | Resumed | LengthSet | PenaltyGiven | PositionSet | Ruled | Voided
)  # fmt: skip

EVENT_TYPES: Mapping[str, type[Any]] = {event.kind: event for event in get_args(Event)}
"""The event types by kind."""


def event_to_plain(event: Event) -> tuple[str, dict[str, Any]]:
    """The event's kind and its body as plain data, defaults left out."""
    return event.kind, to_plain(event, full=False)


def event_from_plain(kind: str, body: Mapping[str, Any]) -> Event:
    """Undo :func:`event_to_plain`.

    Raises :class:`InvalidValue` for an unknown kind or field, a missing field, or a value that cannot be.
    """
    if kind not in EVENT_TYPES:
        raise InvalidValue("event_kind", "there is no event of the kind {kind!r}", kind=kind)
    event: Event = from_plain(EVENT_TYPES[kind], body, where=kind)
    return event
