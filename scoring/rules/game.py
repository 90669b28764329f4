"""One game between two events: the values of the scoring state machine.

Source: docs/reference/rules.md, "The course of a game".

:mod:`scoring.rules.guards` says what may happen next, :mod:`scoring.rules.transitions` makes it happen.
"""

from dataclasses import dataclass
from enum import StrEnum

from scoring.rules.cube import Cube
from scoring.rules.dice import Roll
from scoring.rules.endings import GameEnd
from scoring.rules.errors import IllegalAction
from scoring.rules.match import Win
from scoring.rules.money import counted_win
from scoring.rules.options import RuleOptions
from scoring.rules.position import BAR, STARTING_POSITION, Position
from scoring.rules.sides import Side


class Phase(StrEnum):
    """The event a game expects next."""

    OPENING = "opening"
    TURN = "turn"
    OFFERED = "offered"
    BEAVERED = "beavered"
    RACCOONED = "raccooned"
    ROLL = "roll"
    MOVING = "moving"
    RESIGN_OFFERED = "resign_offered"
    OVER = "over"


BETWEEN_MOVES = frozenset({Phase.TURN, Phase.ROLL, Phase.MOVING})
"""Phases during a turn without an open offer."""


@dataclass(frozen=True, slots=True)
class GameTerms:
    """What is fixed when a game starts.

    ``money``     not part of a match;
    ``crawford``  the Crawford game of a match: no cube;
    ``holland``   a game after it, in which doubling waits until each side has rolled twice.
    """

    options: RuleOptions
    money: bool
    crawford: bool = False
    holland: bool = False


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """Who won a game, as it counts: ``win`` after Jacoby, ``cube`` before a passed double."""

    winner: Side
    win: Win
    cube: int
    ended: GameEnd

    @property
    def points(self) -> int:
        """Raw points won: the cube times the win."""
        return self.cube * self.win


@dataclass(frozen=True, slots=True)
class Resignation:
    """An offer to lose that waits for its answer; ``phase`` is what a refusal goes back to."""

    by: Side
    level: Win
    phase: Phase


@dataclass(frozen=True, slots=True)
class GameState:
    """A game between two events.

    ``position``            seen by White, also when Black is on roll; :meth:`seen_by` turns it;
    ``on_roll``             whose turn it is (while a double is answered: the doubler), None before the
                            opening roll;
    ``roll``                the dice to be played, in the phase ``MOVING`` and while a resignation interrupts
                            it;
    ``automatic_doubles``   tied opening rolls that doubled the cube;
    ``cube_turned``         a double was offered and accepted: what Jacoby asks;
    ``white_rolls``         how often White has rolled, as ``black_rolls`` for Black: what Holland asks;
    ``outcome``             the result, in the phase ``OVER``.
    """

    terms: GameTerms
    number: int = 1
    phase: Phase = Phase.OPENING
    position: Position = STARTING_POSITION
    on_roll: Side | None = None
    cube: Cube = Cube()  # noqa: RUF009 - frozen
    roll: Roll | None = None
    automatic_doubles: int = 0
    cube_turned: bool = False
    white_rolls: int = 0
    black_rolls: int = 0
    resignation: Resignation | None = None
    outcome: GameOutcome | None = None

    def seen_by(self, side: Side) -> Position:
        """The position with ``side`` as the player on roll."""
        return self.position if side is Side.WHITE else self.position.flipped()

    @property
    def player(self) -> Side:
        """Whose turn it is, once there is one: :attr:`on_roll` after the opening roll."""
        if self.on_roll is None:
            raise IllegalAction("not_started", "no player is on roll before the opening roll")
        return self.on_roll

    @property
    def to_act(self) -> Side | None:
        """Who must do the next thing; None when both (the opening roll) or nobody (the game is over)."""
        if self.resignation is not None:
            return self.resignation.by.other
        if self.on_roll is None or self.phase is Phase.OVER:
            return None
        return self.on_roll.other if self.phase in {Phase.OFFERED, Phase.RACCOONED} else self.on_roll

    @property
    def is_untouched(self) -> bool:
        """Whether nothing has happened in this game yet."""
        return self.phase is Phase.OPENING and self.position == STARTING_POSITION and self.cube == Cube()

    @property
    def is_jacoby(self) -> bool:
        """Whether gammons count only once the cube was turned."""
        return self.terms.money and self.terms.options.jacoby

    def counted(self, win: Win) -> Win:
        """``win`` as it counts in this game so far."""
        return counted_win(win, jacoby=self.is_jacoby, cube_turned=self.cube_turned)


def is_closed_out(position: Position) -> bool:
    """Whether the player on roll has a checker on the bar and no point to enter on, whatever the dice.

    >>> is_closed_out(Position.from_points({25: 1}, {1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2}))
    True
    """
    return position.own[BAR] > 0 and all(count > 1 for count in position.opponent[1:7])
