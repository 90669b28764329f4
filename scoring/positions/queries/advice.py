"""Counts and cube points for the head at the board: advice, never an engine's verdict."""

from dataclasses import dataclass
from functools import cached_property

from scoring.engines.requests import CubeOwner, Situation
from scoring.rules.errors import InvalidValue
from scoring.rules.position import Position
from scoring.theory import bearoff, races
from scoring.theory.bearoff_table import chance_off_next_roll
from scoring.theory.decisions import Candidate
from scoring.theory.janowski import CubePoints, cube_points, cubeless_equity
from scoring.theory.met import MatchPhase, take_point

Five = tuple[float, float, float, float, float]


@dataclass(frozen=True, slots=True)
class BearOff:
    """One side whose checkers are all home, from the exact one-sided table."""

    epc: float
    waste: float
    rolls: float
    off_next_roll: float

    @classmethod
    def of(cls, counts: tuple[int, ...]) -> "BearOff | None":
        """None while a checker is outside, or when all are off."""
        try:
            home = bearoff.home_of(counts)
        except InvalidValue:
            return None
        if not any(home):
            return None
        return cls(
            bearoff.effective_pip_count(home),
            bearoff.waste(home),
            bearoff.mean_rolls(home),
            chance_off_next_roll(home),
        )


@dataclass(frozen=True, slots=True)
class Count:
    """What one method counts and advises."""

    advice: races.Advice
    owned: bool

    @property
    def doubles(self) -> bool:
        return self.advice.redouble if self.owned else self.advice.double

    @property
    def is_percent(self) -> bool:
        """Whether the method's own figure is a chance."""
        return self.advice.win_chance is not None


@dataclass(frozen=True)
class PositionAdvice:
    """Everything beside the verdict, for the player on roll (``own``) and the opponent."""

    situation: Situation

    @cached_property
    def position(self) -> Position:
        return Position.from_key(self.situation.position)

    @property
    def pips(self) -> tuple[int, int]:
        return self.position.pips, self.position.flipped().pips

    @property
    def lead(self) -> int:
        """Pips that the player on roll is ahead; negative behind."""
        own, opponent = self.pips
        return opponent - own

    @property
    def lead_share(self) -> float:
        """The lead as a share of the player's own count."""
        return self.lead / self.pips[0] if self.pips[0] else 0.0

    @cached_property
    def bear_offs(self) -> tuple[BearOff | None, BearOff | None]:
        return BearOff.of(self.position.own), BearOff.of(self.position.opponent)

    @cached_property
    def counts(self) -> list[Count]:
        """The counting methods; none while there is contact."""
        if not races.is_race(self.position):
            return []
        owned = self.situation.owner is CubeOwner.OWN
        return [Count(each, owned) for each in races.all_advice(self.position)]

    @property
    def phase(self) -> MatchPhase:
        if self.situation.crawford:
            return MatchPhase.CRAWFORD
        at_one = 1 in {self.situation.own_away, self.situation.opponent_away}
        return MatchPhase.AFTER_CRAWFORD if at_one else MatchPhase.BEFORE_CRAWFORD

    @cached_property
    def take_point(self) -> float | None:
        """The opponent's chance to win from which they take, for a dead cube without gammons.

        None in money play, where it is 25%, in the Crawford game, beyond the match equity table, and where
        the cube as it stands wins the match for the player on roll.
        """
        situation = self.situation
        if situation.own_away <= situation.cube:
            return None
        try:
            return take_point(
                situation.opponent_away, situation.own_away, cube=situation.cube, phase=self.phase
            )
        except InvalidValue:
            return None


@dataclass(frozen=True, slots=True)
class Window:
    """Money play's doubling window at these gammon rates, by Janowski's formulas.

    ``doubler`` has the points of the player on roll, ``taker`` those of the opponent; both for a cube that is
    two thirds alive.
    """

    doubler: CubePoints
    taker: CubePoints
    cubeless: float

    @classmethod
    def of(cls, candidate: Candidate) -> "Window | None":
        """From an engine's chances; None without them, and for a game that is as good as over."""
        if candidate.probabilities is None:
            return None
        win, gammon, backgammon, lost_gammon, lost_backgammon = candidate.probabilities
        if not 0.0 < win < 1.0:
            return None
        wins = (win + gammon + backgammon) / win
        losses = (1 - win + lost_gammon + lost_backgammon) / (1 - win)
        try:
            return cls(
                cube_points(wins, losses),
                cube_points(losses, wins),
                cubeless_equity(*candidate.probabilities),
            )
        except InvalidValue:
            return None
