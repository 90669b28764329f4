"""The sums behind tie-breaks, and the crosstable."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tournaments.core.stages.results import stage_results
from tournaments.core.stages.stage import Stage
from tournaments.core.standings.games import Results
from tournaments.core.standings.tables import DEFAULT_TIE_BREAKS, TableOptions
from tournaments.core.standings.tie_breaks import Context
from tournaments.models import StageRow


def table_options(stage: StageRow) -> TableOptions:
    """The tie-breaks of a stage's table, a lot from its seed among them if chosen."""
    return TableOptions(tie_breaks_of(stage), lot_seed=stage.seed)


def tie_breaks_of(stage: StageRow) -> tuple[str, ...]:
    """The tie-breaks of a stage, or the usual ones."""
    return tuple(stage.tie_breaks) or DEFAULT_TIE_BREAKS


@dataclass(frozen=True, slots=True)
class Contribution:
    """One round of an entrant: their score, and the opponent's as counted."""

    round: int | None
    opponent: int | None
    own: float
    counted: float

    @property
    def product(self) -> float:
        """The Sonneborn-Berger summand."""
        return self.own * self.counted


@dataclass(frozen=True, slots=True)
class Sums:
    """The rounds behind one entrant's tie-breaks; the sums are in the standings."""

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
    """Scores by entrant and opponent, in round order."""
    found: dict[tuple[int, int], list[float]] = {}
    for entrant in entrants:
        for side in results.sides[entrant]:
            if side.opponent is not None:
                found.setdefault((entrant, side.opponent), []).append(side.score)
    return found
