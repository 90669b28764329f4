"""Counting races: pip counts adjusted by rule of thumb, and what they advise about the cube.

Source: docs/reference/theory.md, "Counting races" (Thorp; Keith; Ward; Reichert's iSight; Kleinman; Trice).
The position on which they disagree is tested here. **Everything here is advice** for money play or long
matches, made for the head at the board; the methods disagree by design, and none of them is an engine's
verdict. Adjusted counts are exact fractions, because 110 x 1.1 is 121 and not a float near it.

In all of it, *own* is the player on roll (the doubler) and *opponent* the other (the taker).
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoring.rules.errors import ScoringError
from scoring.rules.position import BAR, Position

_ONE_TENTH_MORE = Fraction(11, 10)
_HOME = range(1, 7)
_GAPS = (4, 5, 6)


class NotARace(ScoringError):
    """A position that is not a race: contact, or all checkers of a side borne off."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What one counting method says about the cube, never more than advice.

    `own` and `opponent` are the counts that the method compares, in its own adjusted pips. `win_chance` is
    the doubler's cubeless chance (0..1) where the method estimates one.
    """

    method: str
    own: Fraction
    opponent: Fraction
    double: bool
    redouble: bool
    take: bool
    win_chance: float | None = None


@dataclass(frozen=True, slots=True)
class _Count:
    """One player's checkers in their own numbering, as race formulas count them."""

    slots: tuple[int, ...]

    def on(self, point: int) -> int:
        return self.slots[point]

    def beyond(self, point: int, free: int) -> int:
        """Checkers on a point beyond so many."""
        return max(0, self.slots[point] - free)

    @property
    def pips(self) -> int:
        return sum(slot * count for slot, count in enumerate(self.slots))

    @property
    def checkers(self) -> int:
        return sum(self.slots[1:])

    @property
    def home_points(self) -> int:
        """Points 1 to 6 with at least one checker."""
        return sum(1 for point in _HOME if self.slots[point])

    @property
    def outside(self) -> int:
        return sum(self.slots[7:])

    @property
    def crossovers(self) -> int:
        """Quarters of the board still to cross on the way home; a checker on the bar has four."""
        return sum(count * ((slot - 1) // 6) for slot, count in enumerate(self.slots) if slot > 6)


def is_race(position: Position) -> bool:
    """Whether no checker can meet an opposing one any more, and both still have checkers.

    >>> from scoring.rules.position import STARTING_POSITION
    >>> is_race(STARTING_POSITION)
    False
    """
    own, opponent = _highest(position.own), _highest(position.opponent)
    return own > 0 and opponent > 0 and own + opponent < BAR


def thorp(position: Position) -> Advice:
    """Thorp: pips + 2 a checker + 1 a checker on the 1 point - 1 an occupied home point; x 1.1 over 30.

    Double up to 2 behind, redouble up to 1 behind, take up to 2 behind. Raises NotARace.
    """
    own, opponent = _counts(position)

    def adjusted(side: _Count) -> Fraction:
        return Fraction(side.pips + 2 * side.checkers + side.on(1) - side.home_points)

    leader, trailer = adjusted(own), adjusted(opponent)
    if leader > 30:
        leader *= _ONE_TENTH_MORE
    return Advice(
        "Thorp", leader, trailer, leader <= trailer + 2, leader <= trailer + 1, take=trailer <= leader + 2
    )


def keith(position: Position) -> Advice:
    """Keith: +2 a checker beyond 1 on the 1 point, +1 beyond 1 on the 2, +1 beyond 3 on the 3, +1 a gap on
    4, 5, 6; the doubler's count grows by a seventh, rounded down.

    Double if the count is at most 4 more, redouble at most 3; take if it is at least 2 more. Raises NotARace.
    """
    own, opponent = _counts(position)

    def adjusted(side: _Count) -> int:
        stacks = 2 * side.beyond(1, 1) + side.beyond(2, 1) + side.beyond(3, 3)
        return side.pips + stacks + sum(1 for point in _GAPS if not side.on(point))

    leader, trailer = adjusted(own), adjusted(opponent)
    leader += leader // 7
    behind = leader - trailer
    return Advice("Keith", Fraction(leader), Fraction(trailer), behind <= 4, behind <= 3, take=behind >= 2)


def ward(position: Position) -> Advice:
    """Ward: +2 a checker beyond the 2nd on the 1 point, +1 beyond the 2nd on the 2, -1 an extra home point,
    +2 an extra checker, +1/2 an extra checker outside; the doubler's count x 1.1.

    "Extra" is against the other player. Redouble up to 1 behind, double up to 2; take up to 2, 3 or 4 ahead
    at an average of 50, 75 or 100 pips, interpolated between. Raises NotARace.
    """
    own, opponent = _counts(position)

    def adjusted(side: _Count, other: _Count) -> Fraction:
        stacks = 2 * side.beyond(1, 2) + side.beyond(2, 2)
        extra = 2 * max(0, side.checkers - other.checkers) - max(0, side.home_points - other.home_points)
        return side.pips + stacks + extra + Fraction(max(0, side.outside - other.outside), 2)

    leader, trailer = adjusted(own, opponent) * _ONE_TENTH_MORE, adjusted(opponent, own)
    average = Fraction(own.pips + opponent.pips, 2)
    margin = 2 + min(Fraction(2), max(Fraction(0), (average - 50) / 25))
    return Advice(
        "Ward", leader, trailer, leader <= trailer + 2, leader <= trailer + 1, take=trailer <= leader + margin
    )


def isight(position: Position) -> Advice:
    """iSight (Reichert): +1 an extra checker, +2 a checker beyond 2 on the 1 point, +1 beyond 2 on the 2,
    +1 beyond 3 on the 3, +1 a gap on 4, 5, 6 if the other player holds that point, +1 an extra crossover.

    P = 80 - own/3 + 2 x lead in percent; double from 68, redouble from 70, take to 76. Raises NotARace.
    """
    own, opponent = _counts(position)

    def adjusted(side: _Count, other: _Count) -> int:
        stacks = 2 * side.beyond(1, 2) + side.beyond(2, 2) + side.beyond(3, 3)
        gaps = sum(1 for point in _GAPS if not side.on(point) and other.on(point))
        extra = max(0, side.checkers - other.checkers) + max(0, side.crossovers - other.crossovers)
        return side.pips + stacks + gaps + extra

    leader, trailer = adjusted(own, opponent), adjusted(opponent, own)
    percent = 80 - Fraction(leader, 3) + 2 * (trailer - leader)
    return Advice(
        "iSight",
        Fraction(leader),
        Fraction(trailer),
        double=percent >= 68,
        redouble=percent >= 70,
        take=percent <= 76,
        win_chance=min(1.0, max(0.0, float(percent) / 100)),
    )


def kleinman(position: Position) -> Advice:
    """Kleinman: the raw counts as a normal distribution; see `kleinman_chance`. Raises NotARace.

    Double from K = 0.5, redouble from 0.7, take to 1.2 (key values as O. Johansen lists them,
    rec.games.backgammon, 22 February 2001). K is `kleinman_metric`.
    """
    own, opponent = _counts(position)
    metric = kleinman_metric(own.pips, opponent.pips)
    ahead = opponent.pips - own.pips + 4 > 0
    return Advice(
        "Kleinman",
        Fraction(own.pips),
        Fraction(opponent.pips),
        double=ahead and metric >= Fraction(1, 2),
        redouble=ahead and metric >= Fraction(7, 10),
        take=not ahead or metric <= Fraction(6, 5),
        win_chance=kleinman_chance(own.pips, opponent.pips),
    )


def kleinman_metric(own: int, opponent: int) -> Fraction:
    """K = (D + 4)^2 / (S - 4), with D the lead and S the sum of the raw pip counts.

    >>> round(float(kleinman_metric(100, 113)), 3)
    1.383
    """
    return Fraction((opponent - own + 4) ** 2, _kleinman_spread(own, opponent))


def kleinman_chance(own: int, opponent: int) -> float:
    """Chance (0..1) that the player on roll wins: (1 + erf((D + 4) / (2 sqrt(S - 4)))) / 2.

    >>> round(kleinman_chance(100, 113), 3)
    0.797
    """
    spread = math.sqrt(_kleinman_spread(own, opponent))
    return (1 + math.erf((opponent - own + 4) / (2 * spread))) / 2


def trice(position: Position) -> Advice:
    """Trice's point of last take, for positions without much waste; see `last_take`. Raises NotARace.

    Redouble from 2 pips short of it, double from 3.
    """
    own, opponent = _counts(position)
    lead, last = opponent.pips - own.pips, last_take(own.pips)
    return Advice(
        "Trice",
        Fraction(own.pips),
        Fraction(opponent.pips),
        lead >= last - 3,
        lead >= last - 2,
        take=lead <= last,
    )


def last_take(pips: int) -> int:
    """Trice: by how many pips the taker may trail when the doubler has this raw count.

    Over 62: a tenth and one more, rounded up; else a seventh of five less, rounded down.

    >>> last_take(100), last_take(84), last_take(62), last_take(33)
    (11, 10, 8, 4)
    """
    return -(-pips // 10) + 1 if pips > 62 else (pips - 5) // 7


METHODS: Sequence[Callable[[Position], Advice]] = (thorp, keith, ward, isight, kleinman, trice)


def all_advice(position: Position) -> tuple[Advice, ...]:
    """Every method's advice for the player on roll. Raises NotARace.

    The position on which they disagree (docs/reference/theory.md, "The race on which methods disagree"; 84
    pips against 96):

    >>> x = {2: 2, 3: 2, 5: 2, 6: 3, 7: 2, 8: 4}
    >>> o = {2: 2, 3: 2, 4: 1, 5: 2, 6: 3, 7: 1, 9: 1, 11: 2, 16: 1}
    >>> for a in all_advice(Position.from_points(own=x, opponent=o)):
    ...     print(a.method, float(a.own), float(a.opponent), "take" if a.take else "pass")
    Thorp 121.0 121.0 take
    Keith 98.0 97.0 pass
    Ward 92.95 95.0 take
    iSight 85.0 96.0 take
    Kleinman 84.0 96.0 pass
    Trice 84.0 96.0 pass
    """
    return tuple(method(position) for method in METHODS)


def _counts(position: Position) -> tuple[_Count, _Count]:
    if not is_race(position):
        raise NotARace(
            "not_a_race", "{position} is not a race: there is still contact", position=str(position)
        )
    return _Count(position.own), _Count(position.opponent)


def _highest(slots: tuple[int, ...]) -> int:
    return max((slot for slot, count in enumerate(slots) if count and slot), default=0)


def _kleinman_spread(own: int, opponent: int) -> int:
    # A sum under 5 would divide by nothing; so close to the end the formula means little anyway.
    return max(1, own + opponent - 4)
