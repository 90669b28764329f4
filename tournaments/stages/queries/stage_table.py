"""How a place in a standing came about: what each tie-break added up; and the crosstable."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tournaments.core.stages.results import stage_results
from tournaments.core.stages.stage import Stage
from tournaments.core.standings.games import Results
from tournaments.core.standings.tables import TableOptions
from tournaments.core.standings.tie_breaks import Context


@dataclass(frozen=True, slots=True)
class Contribution:
    """One round of an entrant: the own score in it, and the opponent's score as tie-breaks count it."""

    round: int | None
    opponent: int | None
    own: float
    counted: float

    @property
    def product(self) -> float:
        """What Sonneborn-Berger adds."""
        return self.own * self.counted


@dataclass(frozen=True, slots=True)
class Sums:
    """The rounds behind the tie-breaks of one entrant; the sums are what the standing shows."""

    rounds: Sequence[Contribution]

    @property
    def buchholz(self) -> float:
        return sum(each.counted for each in self.rounds)

    @property
    def sonneborn_berger(self) -> float:
        return sum(each.product for each in self.rounds)


def sums_of(value: Stage, entrant: int, options: TableOptions) -> Sums:
    """The rounds of one entrant as the tie-breaks count them."""
    results = stage_results(value)
    context = Context(results, options.adjust_unplayed, options.lot_seed)
    sides = results.sides[entrant]
    counted = context.contributions(entrant)
    played = [side for side in sides if options.adjust_unplayed or side.opponent is not None]
    found = []
    for index, (own, opponent) in enumerate(counted):
        side = played[index] if index < len(played) else None
        real = side is not None and (side.played or not options.adjust_unplayed)
        against = side.opponent if side is not None and real else None
        found.append(Contribution(side.round if side else None, against, own, opponent))
    return Sums(found)


def crosstable(results: Results, entrants: Sequence[int]) -> Mapping[tuple[int, int], list[float]]:
    """The scores of each entrant (first) against each other one (second), in the order of the rounds."""
    found: dict[tuple[int, int], list[float]] = {}
    for entrant in entrants:
        for side in results.sides[entrant]:
            if side.opponent is not None:
                found.setdefault((entrant, side.opponent), []).append(side.score)
    return found
