"""What a game is worth and what the score becomes: the one scoring function.

Source: docs/reference/rules.md, "What a game is worth" and "Match play".

Bear-off, pass, resignation, recorded result and chouette all go through :meth:`MatchScore.after`.
"""

from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum

from scoring.rules.cube import check_cube_value
from scoring.rules.errors import InvalidValue
from scoring.rules.position import BAR, OFF, Position
from scoring.rules.refusals import WORDS
from scoring.rules.sides import Side

LONGEST_MATCH = 32767
"""In points: what a Match ID can hold (15 bits)."""
MOST_POINTS = 2**31 - 1
"""Of a side, in a session as in a match: what is beyond is mistyped."""


class Win(IntEnum):
    """The multiple of the cube that a game is won by."""

    SINGLE = 1
    GAMMON = 2
    BACKGAMMON = 3

    @classmethod
    def over(cls, loser: Position) -> "Win":
        """What a player who has borne off wins, ``loser`` seen by the loser.

        A single when the loser has borne off at least one checker, even if another was hit afterwards;
        otherwise a gammon, or a backgammon with a checker on the bar or in the winner's home.

        >>> Win.over(Position.from_points({24: 1, 6: 14}))
        <Win.BACKGAMMON: 3>
        """
        if loser.own[OFF]:
            return cls.SINGLE
        return cls.BACKGAMMON if any(loser.own[19 : BAR + 1]) else cls.GAMMON


class Crawford(StrEnum):
    """Where a match stands with its Crawford game.

    ``NONE``    there is none: money, a 1 point match, or the rule is off;
    ``AHEAD``   it has not come yet;
    ``NOW``     the game in progress, or about to start, is it: no cube;
    ``BEHIND``  it has been played: post-Crawford.
    """

    NONE = "none"
    AHEAD = "ahead"
    NOW = "now"
    BEHIND = "behind"


@dataclass(frozen=True, slots=True)
class MatchScore:
    """A score and the Crawford state of the game that is played at it.

    ``length`` is in points, 0 for a money session.  ``white`` and ``black`` are raw points: what was won,
    also beyond the length.  Raises :class:`InvalidValue` for points below 0 or beyond ``MOST_POINTS``,
    and for two winners.

    >>> score = MatchScore.start(7).after(Side.WHITE, Win.GAMMON, 2).after(Side.WHITE, Win.SINGLE, 2)
    >>> score.away(Side.WHITE), score.crawford
    (1, <Crawford.NOW: 'now'>)
    >>> over = score.after(Side.WHITE, Win.BACKGAMMON, 1)
    >>> over.winner, over.points(Side.WHITE), over.capped(Side.WHITE)
    (<Side.WHITE: 'white'>, 9, 7)
    """

    length: int
    white: int = 0
    black: int = 0
    crawford: Crawford = Crawford.NONE

    def __post_init__(self) -> None:
        if type(self.length) is not int or not 0 <= self.length <= LONGEST_MATCH:
            raise InvalidValue("length", WORDS["length"], length=self.length)
        for side in Side:
            points = self.points(side)
            if type(points) is not int or not 0 <= points <= MOST_POINTS:
                raise InvalidValue("points", WORDS["points"], side=side.value, points=points)
        if self.length and min(self.white, self.black) >= self.length:
            raise InvalidValue(
                "two_winners",
                WORDS["two_winners"],
                white=self.white,
                black=self.black,
                length=self.length,
            )

    @classmethod
    def start(cls, length: int, *, white: int = 0, black: int = 0, crawford: bool = True) -> "MatchScore":
        """The score at which the first game starts: 0-0, or a handicap below the length.

        ``crawford`` says whether the rule is on.  Raises :class:`InvalidValue` for a start at or beyond the
        length, or a money session that does not start level.
        """
        for side, points in ((Side.WHITE, white), (Side.BLACK, black)):
            if points and points >= length:
                raise InvalidValue(
                    "start_points",
                    "{side} cannot start a match to {length} with {points} points",
                    side=side.value,
                    length=length,
                    points=points,
                )
        phase = Crawford.AHEAD if crawford and length > 1 else Crawford.NONE
        return cls(length, white, black, phase).between_games()

    def points(self, side: Side) -> int:
        """Raw points of ``side``."""
        return self.white if side is Side.WHITE else self.black

    def capped(self, side: Side) -> int:
        """Points of ``side`` as they count: none beyond the length."""
        return min(self.points(side), self.length) if self.length else self.points(side)

    def away(self, side: Side) -> int:
        """Points that ``side`` still needs, 0 for the winner.  Raises :class:`InvalidValue` in money play."""
        if not self.length:
            raise InvalidValue("money_away", "a money session has no away score")
        return self.length - self.capped(side)

    def balance(self, side: Side) -> int:
        """Points ``side`` is ahead, negative if behind: the two balances sum to zero."""
        return self.points(side) - self.points(side.other)

    @property
    def is_money(self) -> bool:
        """Whether this is a money session: no length, no end."""
        return self.length == 0

    @property
    def winner(self) -> Side | None:
        """Who has reached the length; None while the match goes on, always in money play."""
        if not self.length:
            return None
        return next((side for side in Side if self.points(side) >= self.length), None)

    @property
    def is_dmp(self) -> bool:
        """Double match point: both need one point."""
        return bool(self.length) and self.white == self.black == self.length - 1

    def after(self, winner: Side, win: Win, cube: int) -> "MatchScore":
        """The score after a game: ``winner`` gains ``cube`` times ``win`` points.

        For a pass that is a single at the cube's value before the double.  The Crawford state moves on:
        once the Crawford game is over it is behind, and the first game to start with exactly one side 1
        away is it. Raises :class:`InvalidValue` for a cube that is no power of two, above 1 in the Crawford
        game, or a match that is already over.
        """
        check_cube_value(cube)
        if self.winner is not None:
            raise InvalidValue("match_over", "the match is over: {side} has won", side=self.winner.value)
        if self.crawford is Crawford.NOW and cube > 1:
            raise InvalidValue(
                "crawford_cube", "the Crawford game has no cube: it cannot be at {cube}", cube=cube
            )
        phase = Crawford.BEHIND if self.crawford is Crawford.NOW else self.crawford
        return replace(self._plus(winner, cube * win), crawford=phase).between_games()

    def penalised(self, to: Side, points: int, *, in_game: bool) -> "MatchScore":
        """The score after ``points`` awarded ``to`` a side by the director.

        In the middle of a game they count at once and leave that game's cube as it was.
        Raises :class:`InvalidValue` for anything but a positive number.
        """
        if type(points) is not int or points < 1:
            raise InvalidValue("penalty", WORDS["penalty"], points=points)
        score = self._plus(to, points)
        return score if in_game else score.between_games()

    def with_length(self, length: int, *, crawford: bool, in_game: bool) -> "MatchScore":
        """The same points in a match to its true ``length``; ``crawford`` says whether the rule is on."""
        phase = self.crawford
        if phase is not Crawford.BEHIND and not (phase is Crawford.NOW and in_game):
            phase = Crawford.AHEAD if crawford and length > 1 else Crawford.NONE
        score = MatchScore(length, self.white, self.black, phase)
        return score if in_game else score.between_games()

    def between_games(self) -> "MatchScore":
        """The same score with the Crawford state of the game that starts next."""
        if self.crawford in {Crawford.NONE, Crawford.BEHIND}:
            return self
        one_away = [side for side in Side if self.points(side) == self.length - 1]
        phase = Crawford.NOW if len(one_away) == 1 and self.winner is None else Crawford.AHEAD
        return replace(self, crawford=phase)

    def _plus(self, side: Side, points: int) -> "MatchScore":
        if side is Side.WHITE:
            return replace(self, white=self.white + points)
        return replace(self, black=self.black + points)

    def __str__(self) -> str:
        return f"{self.white}-{self.black}"
