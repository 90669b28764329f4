"""Danish monrad: restack by score, then initial number; neighbours meet.

Source: docs/reference/tournaments.md, "Monrad".

Neighbours who have met are parted at the least cost: the sum of squared distances in the stack is minimised
among the pairings with the fewest rematches, so without rematches it is exactly 1-2, 3-4, 5-6, ...
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from tournaments.core.matching.matching import Edge, Scale
from tournaments.core.matching.round_plan import FARTHEST, Plan
from tournaments.core.rounds.format import RoundsFormat
from tournaments.core.rounds.swiss import bye_reasons
from tournaments.core.stages.pairings import Pairing, Reason
from tournaments.core.stages.protection import Partners, partners
from tournaments.core.stages.records import Record
from tournaments.core.stages.slots import BYE
from tournaments.core.stages.stage import Stage

WINDOW = 24
LEVELS = ("second bye", "rematch", "bye by place", "distance")


@dataclass(frozen=True, slots=True)
class MonradOptions:
    """How a monrad is run.

    ``seeding`` gives the initial numbers; ``rematches`` lets neighbours meet again.
    """

    rounds: int | None = None
    seeding: Literal["rating", "hand", "lot"] = "lot"
    rematches: bool = False
    length: int | None = None


@dataclass(frozen=True, slots=True)
class MonradPlan(Plan):
    rematches: bool

    def edges(self, pairs: Iterable[tuple[int, int]]) -> list[Edge]:
        records, unit = self.records, self.scale.units[1]
        found: list[Edge] = []
        for i, j in pairs:
            met = 0 if self.rematches else records[i].met.get(records[j].entrant, 0)
            found.append((i, j, met * unit + min(j - i - 1, FARTHEST) ** 2))
        return found

    def bye_edges(self) -> list[Edge]:
        units, last = self.scale.units, len(self.records)
        fewest = min(record.byes for record in self.records)
        return [
            (i, last, (record.byes - fewest) * units[0] + (last - 1 - i) * units[2])
            for i, record in enumerate(self.records)
        ]

    def likely_pairs(self) -> Iterator[tuple[int, int]]:
        count = len(self.records)
        return ((i, j) for i in range(count) for j in range(i + 1, min(i + 1 + WINDOW, count)))


def plan_monrad(standing: Sequence[Record], apart: Partners, *, rematches: bool) -> MonradPlan:
    """Lay out a round for the stack: by score, then initial number."""
    byes = [record.byes for record in standing]
    meetings = max((1, *(times for record in standing for times in record.met.values())))
    largest = (max(1, max(byes) - min(byes)), meetings, len(standing), min(len(standing), FARTHEST) ** 2)
    scale = Scale.of(largest, (len(standing) + 1) // 2, once=(0, 2))
    return MonradPlan(tuple(standing), apart, LEVELS, scale, 2, rematches)


class Monrad(RoundsFormat[MonradPlan]):
    key = "monrad"
    options = MonradOptions

    def plan(self, stage: Stage) -> MonradPlan:
        return plan_monrad(self.standing(stage), partners(stage.field, ()), rematches=stage.options.rematches)

    def explain(self, plan: MonradPlan, i: int, j: int, number: int, stage: Stage) -> Pairing:
        upper, round_number = plan.records[i], stage.rounds + 1
        if j == len(plan.records):
            return Pairing(number, round_number, upper.entrant, BYE, bye_reasons(upper))
        lower = plan.records[j]
        reasons = [Reason("adjacent")]
        if met := upper.met.get(lower.entrant, 0):
            reasons.append(Reason("rematch_unavoidable", value=met))
        return Pairing(
            number, round_number, upper.entrant, lower.entrant, tuple(reasons), stage.options.length
        )
