"""USBGF master points, as formulas by date.

Sources: "USBGF Master Points System", R. Munitz and J. Russell, effective May 2015
(usbgf.org/usbgf-master-point-system); "How USBGF Master Points are Calculated", effective January 2019
(usbgf.org/how-points-are-calculated). The 2015 page gives 1 / (R - 1) from rank 3; for ranks 1 and 2 the
factors of the later edition are used, because no copy of the 2015 table was available. Event weights are
passed in (federation table): 1.0 is the main event of an ABT tournament.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from math import log2, sqrt
from typing import Final

from tournaments.core.prizes.money import PrizeRefused
from tournaments.core.standings.places import Place

DIVISIONS: Final = {1: 1.0, 2: 0.7}
LOWER_DIVISION: Final = 0.5


@dataclass(frozen=True, slots=True)
class PointsFormula:
    """One edition of the formula.

    ``placement_scale`` multiplies log2(players); ``rank_factors`` are for the first ranks, later ranks R
    count 1 / (R - 1).
    """

    key: str
    effective: date
    source: str
    placement_scale: float
    rank_factors: tuple[float, ...]

    def match_win(self, *, event_weight: float, division: int, length: int) -> float:
        """Points for one match won over the board: weight x division x sqrt(length) / 3.

        Raises:
            PrizeRefused: ``length`` or ``division``.

        >>> USBGF_2019.match_win(event_weight=1.0, division=1, length=9)
        1.0
        """
        if length < 1:
            raise PrizeRefused("length", f"a match must be to at least 1 point, not {length}", length=length)
        return event_weight * division_weight(division) * sqrt(length) / 3

    def rank_factor(self, rank: int) -> float:
        if rank <= len(self.rank_factors):
            return self.rank_factors[rank - 1]
        return 1 / (rank - 1)

    def placement(self, place: Place, *, event_weight: float, division: int, players: int) -> float:
        """Points for a place; entrants who share ranks share the points equally.

        Raises:
            PrizeRefused: ``players`` or ``division``.
        """
        if players < 1 or place.last > players:
            raise PrizeRefused("players", f"place {place.last} is not possible with {players} players")
        ranks = range(place.first, place.last + 1)
        factor = sum(self.rank_factor(rank) for rank in ranks) / len(ranks)
        return event_weight * division_weight(division) * self.placement_scale * log2(players) * factor


def division_weight(division: int) -> float:
    """Weight of a division: 1 for the first, 0.7 for the second, 0.5 below.

    Raises:
        PrizeRefused: ``division`` below 1.
    """
    if division < 1:
        raise PrizeRefused(
            "division", f"division {division} is not valid: divisions start at 1", division=division
        )
    return DIVISIONS.get(division, LOWER_DIVISION)


USBGF_2015: Final = PointsFormula(
    "usbgf-2015", date(2015, 5, 1), "USBGF Master Points System, effective May 2015", 1.0, (1.0, 0.7)
)
USBGF_2019: Final = PointsFormula(
    "usbgf-2019",
    date(2019, 1, 1),
    "How USBGF Master Points are Calculated, effective January 2019",
    0.6,
    (1.0, 0.7, 0.5, 0.333, 0.25, 0.2),
)
FORMULAS: Final[Sequence[PointsFormula]] = (USBGF_2015, USBGF_2019)


def formula_on(day: date) -> PointsFormula:
    """The edition in force on a day.

    Raises:
        PrizeRefused: ``no_formula`` before the first edition.
    """
    in_force = [formula for formula in FORMULAS if formula.effective <= day]
    if not in_force:
        raise PrizeRefused("no_formula", f"no points formula was in force on {day}", day=day)
    return max(in_force, key=lambda formula: formula.effective)
