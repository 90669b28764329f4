"""Elo for backgammon: the formula of FIBS and the variants that federations publish.

Source: docs/reference/ratings.md, "The FIBS formula" and "Variants of the formula" (FIBS help page "ratings";
MacFIBS; the lists of Belgium and Brass City; Rinta-Nikkola's article on match length). All formulas here are
one family,

    P(A) = 1 / (1 + 10 ** (-(rA - rB) * sqrt(w) / 2000))
    change = 4 * K * sqrt(w) * (1 - P(winner))

where w is the match length or a function of it, and each player moves by his **own** K, which shrinks with
experience. Not supported: systems with a rating deviation (Glicko) and luck-adjusted results.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from scoring.formulas.errors import InvalidResult, UnknownFormula

# Beyond this the probability is 0 or 1 to every bit anyway, and 10 ** x would overflow.
_LARGEST_EXPONENT = 300.0


class ExperienceTiming(StrEnum):
    """Which experience sets K: that before the match (FIBS help) or after adding its length (MacFIBS)."""

    BEFORE = "before"
    AFTER = "after"


@dataclass(frozen=True, slots=True)
class RampUp:
    """How fast a newcomer moves: K = max(floor, first - experience / per).

    >>> RampUp(first=5, per=100).k(0), RampUp(first=5, per=100).k(250), RampUp(first=5, per=100).k(1000)
    (5.0, 2.5, 1.0)
    """

    first: float
    per: float
    floor: float = 1.0

    def k(self, experience: int) -> float:
        """K (no unit, >= floor) of a player with this experience, in points of match length."""
        return max(self.floor, self.first - experience / self.per)


NO_RAMP_UP = RampUp(first=1.0, per=1.0)


@dataclass(frozen=True, slots=True)
class EloFormula:
    """A declared rating formula.

    Attributes:
        key: stable text that a rating list stores, e.g. `fibs`; `formula_named(key)` gives the formula back.
        version: changes whenever the arithmetic changes, so that an old list says how it was made.
        source: where the formula is published.
        ramp_up: K as a function of experience.
        experience_timing: whether K sees the match being rated.
        length_factor: c of w = 1 + c * (n - 1) / 2; None means w = n (the same as c = 2).
        start: rating of a player without rated matches.
    """

    key: str
    version: str
    source: str
    ramp_up: RampUp
    experience_timing: ExperienceTiming = ExperienceTiming.BEFORE
    length_factor: float | None = None
    start: float = 1500.0

    def weight(self, length: int) -> float:
        """The effective length w >= 1 of an n-point match.

        Raises InvalidResult for a length below 1: money sessions have no length to rate by.
        """
        if length < 1:
            raise InvalidResult(f"a {length} point match cannot be rated: lengths start at 1", length=length)
        if self.length_factor is None:
            return float(length)
        return 1.0 + self.length_factor * (length - 1) / 2.0

    def probability(self, rating: float, opponent: float, length: int) -> float:
        """Chance (0..1) that the first player wins an n-point match.

        >>> round(FIBS.probability(1800, 1500, 7), 6), round(FIBS.probability(1500, 1800, 11), 6)
        (0.713779, 0.241308)
        """
        return _chance(rating - opponent, math.sqrt(self.weight(length)))

    def k(self, experience: int, length: int) -> float:
        """K of a player who enters an n-point match with this experience."""
        if self.experience_timing is ExperienceTiming.AFTER:
            return self.ramp_up.k(experience + length)
        return self.ramp_up.k(experience)

    def exchange(self) -> "Exchange":
        """What a match does to two ratings, as a function for many matches: see :data:`Exchange`.

        >>> FIBS.exchange()(1500.0, 0, 1500.0, 0, 4)
        (4.0, 0.5, 5.0, 5.0, 20.0, 20.0)
        """
        ramp_up = self.ramp_up.k
        after = self.experience_timing is ExperienceTiming.AFTER
        measures: dict[int, tuple[float, float]] = {}

        def exchanged(
            winner: float, winner_experience: int, loser: float, loser_experience: int, length: int
        ) -> tuple[float, float, float, float, float, float]:
            measure = measures.get(length)
            if measure is None:
                weight = self.weight(length)
                measure = measures[length] = (weight, math.sqrt(weight))
            weight, root = measure
            seen = length if after else 0
            chance = _chance(winner - loser, root)
            step = 4.0 * root * (1.0 - chance)
            winner_k, loser_k = ramp_up(winner_experience + seen), ramp_up(loser_experience + seen)
            return weight, chance, winner_k, loser_k, winner_k * step, loser_k * step

        return exchanged


Exchange = Callable[[float, int, float, int, int], tuple[float, float, float, float, float, float]]
"""From the winner's rating and experience, the loser's, and the length, to: the weight of the match, the
winner's chance before it, the K of winner and loser, the winner's gain and the loser's loss (in points)."""


def _chance(difference: float, root: float) -> float:
    """Chance of the player who is ``difference`` points above the other; ``root`` is the weight's root."""
    exponent = -difference * root / 2000.0
    if exponent > _LARGEST_EXPONENT:
        exponent = _LARGEST_EXPONENT
    elif exponent < -_LARGEST_EXPONENT:
        exponent = -_LARGEST_EXPONENT
    return 1.0 / (1.0 + math.pow(10.0, exponent))


FIBS = EloFormula(
    key="fibs",
    version="1",
    source="FIBS, help ratings: K = max(1, 5 − exp/100), experience before the match",
    ramp_up=RampUp(first=5.0, per=100.0),
)
FIBS_AFTER = EloFormula(
    key="fibs-after",
    version="1",
    source="MacFIBS: as FIBS, but K sees the experience after adding the length of the match",
    ramp_up=RampUp(first=5.0, per=100.0),
    experience_timing=ExperienceTiming.AFTER,
)
BELGIUM = EloFormula(
    key="belgium",
    version="1",
    source="Belgian federation: as FIBS without ramp-up (K = 1); provisional under 100 experience",
    ramp_up=NO_RAMP_UP,
)
BRASS_CITY = EloFormula(
    key="brass-city",
    version="1",
    source="Brass City Backgammon: K = max(1, 2 − exp/400)",
    ramp_up=RampUp(first=2.0, per=400.0),
)


def rinta_nikkola(c: float) -> EloFormula:
    """FIBS with the length n replaced by 1 + c(n-1)/2, where 0.8 < c < 2 (Rinta-Nikkola).

    No default for c is published as *the* value, so a list must choose one. Raises UnknownFormula outside
    the published range.

    >>> rinta_nikkola(1.2).weight(7)
    4.6
    """
    if not 0.8 < c < 2:
        raise UnknownFormula(f"rinta-nikkola needs c between 0.8 and 2, not {c!r}", c=c)
    return EloFormula(
        key=f"rinta-nikkola:c={c!r}",
        version="1",
        source="Rinta-Nikkola: FIBS with n replaced by 1 + c(n−1)/2",
        ramp_up=RampUp(first=5.0, per=100.0),
        length_factor=c,
    )


FORMULAS: Mapping[str, EloFormula] = {
    formula.key: formula for formula in (FIBS, FIBS_AFTER, BELGIUM, BRASS_CITY)
}
PARAMETRIC: Mapping[str, Callable[[float], EloFormula]] = {"rinta-nikkola": rinta_nikkola}


def formula_named(key: str) -> EloFormula:
    """The declared formula with this key; `formula_named(f.key) == f` for every formula.

    >>> formula_named("fibs") is FIBS
    True
    >>> formula_named("rinta-nikkola:c=1.2").length_factor
    1.2
    """
    if key in FORMULAS:
        return FORMULAS[key]
    family, _, parameter = key.partition(":c=")
    if family in PARAMETRIC and parameter:
        try:
            c = float(parameter)
        except ValueError:
            raise UnknownFormula(f"{parameter!r} in {key!r} is not a number", key=key) from None
        return PARAMETRIC[family](c)
    known = ", ".join([*FORMULAS, *(f"{name}:c=<number>" for name in PARAMETRIC)])
    raise UnknownFormula(f"unknown rating formula {key!r}; choose one of {known}", key=key)
