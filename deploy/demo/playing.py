"""Simulates a match between players of known strength, as scoresheet events."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Protocol

from deploy.demo.strength import Strength
from scoring.engines.gammonview.worth import CubeWorth, Worth
from scoring.engines.questions import situation_of
from scoring.engines.requests import Situation
from scoring.rules.dice import Roll
from scoring.rules.errors import IllegalPlay
from scoring.rules.events import (
    Accepted,
    Doubled,
    Event,
    MatchStarted,
    OpeningRolled,
    Passed,
    Played,
    PlayStatus,
    Resigned,
    Rolled,
    Taken,
)
from scoring.rules.game import Phase
from scoring.rules.match import Win
from scoring.rules.match_state import MatchState, Status
from scoring.rules.plays import Move, Play, legal_plays, mechanical_result
from scoring.rules.position import OFF
from scoring.rules.sheet import apply, begin, is_dead_double, why_not
from scoring.rules.sides import Side


class Partner(Protocol):
    """An engine to play with: see ``scoring.engines.gammonview.sparring``."""

    def plays(self, situation: Situation, results: list[str]) -> list[Worth]: ...
    def to_roll(self, situation: Situation) -> Worth: ...
    def cube(self, situation: Situation) -> CubeWorth: ...


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """A match to play: everything that determines its events.

    ``slip_after`` makes the first play after so many events an unnoticed illegal one, where the position
    allows it; with ``broken_off_after`` the events end at the first roll after so many.
    """

    length: int
    white: Strength
    black: Strength
    seed: str
    slip_after: int | None = None
    broken_off_after: int | None = None


def play_match(plan: MatchPlan, partner: Partner) -> list[Event]:
    """The events of the match, determined by the plan."""
    start = MatchStarted(plan.length)
    table = _Table(plan, partner, begin(start))
    return [start, *table.play()]


class _Table:
    """The state of the match, and the dice."""

    def __init__(self, plan: MatchPlan, partner: Partner, state: MatchState) -> None:
        self.plan, self.partner, self.state = plan, partner, state
        self.dice = Random(plan.seed)  # noqa: S311 - a game that can be played again, not a secret
        self.slip_due = plan.slip_after is not None

    def play(self) -> Iterator[Event]:
        while self.state.status is Status.PLAYING and not self._broken_off():
            event = self._next()
            self.state = apply(self.state, event)
            yield event

    def _broken_off(self) -> bool:
        end, state = self.plan.broken_off_after, self.state
        return end is not None and state.events >= end and state.game.phase is Phase.TURN

    def _next(self) -> Event:
        phase = self.state.game.phase
        if phase is Phase.OPENING:
            return OpeningRolled(self._die(), self._die())
        if phase is Phase.OFFERED:
            return self._answer()
        if phase is Phase.RESIGN_OFFERED:
            return Accepted()
        if phase is Phase.MOVING:
            return self._play()
        return self._turn()

    def _turn(self) -> Event:
        """The player on roll resigns, doubles or rolls."""
        state = self.state
        situation = situation_of(state)
        if self.partner.to_roll(situation).certain:
            return Resigned(state.game.player, Win.SINGLE)
        if why_not(state, Doubled.kind) is None and not is_dead_double(state):
            worth = self.partner.cube(situation)
            if self._strength(state.game.player).doubles(worth, self.dice):
                return Doubled()
        return Rolled(Roll(self._die(), self._die()))

    def _answer(self) -> Event:
        # The situation is the doubler's, who is still on roll.
        worth = self.partner.cube(situation_of(self.state))
        return Taken() if self._strength(self.state.game.player.other).takes(worth, self.dice) else Passed()

    def _play(self) -> Event:
        game = self.state.game
        if game.roll is None:
            raise RuntimeError("a play without a roll")
        side = game.player
        position = game.seen_by(side)
        plays = legal_plays(position, game.roll)
        if not plays:
            return Played()
        play = plays[self._choice(side, plays)]
        if self.slip_due and self.state.events >= (self.plan.slip_after or 0):
            slip = slipped(self.state, play)
            if slip is not None:
                self.slip_due = False
                return slip
        return Played(play.moves)

    def _choice(self, side: Side, plays: tuple[Play, ...]) -> int:
        for number, play in enumerate(plays):
            if play.result.own[OFF] == sum(play.result.own):  # the last checker: there is nothing to weigh
                return number
        if len(plays) == 1:
            return 0
        worths = self.partner.plays(situation_of(self.state), [play.result.key for play in plays])
        return self._strength(side).choose(worths, self.dice)

    def _strength(self, side: Side) -> Strength:
        return self.plan.white if side is Side.WHITE else self.plan.black

    def _die(self) -> int:
        return self.dice.randint(1, 6)


def slipped(state: MatchState, play: Play) -> Played | None:
    """The play with its last checker one point too far; None if impossible."""
    game = state.game
    position = game.seen_by(game.player)
    source, target = play.moves[-1]
    if target < 2:
        return None
    moves = (*play.moves[:-1], Move(source, target - 1))
    try:
        result = mechanical_result(position, moves)
    except IllegalPlay:
        return None
    return Played(moves, PlayStatus.ILLEGAL_ACCEPTED, result)
