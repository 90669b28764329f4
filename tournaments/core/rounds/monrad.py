"""Danish monrad: restack by score, then initial number; neighbours meet.

Source: docs/reference/tournaments.md, "Monrad".

Neighbours who have met are parted at the least cost: the sum of squared distances in the stack is minimised
among the pairings with the fewest rematches, so without rematches it is exactly 1-2, 3-4, 5-6, ...
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from tournaments.core.matching.matching import Edge, Scale
from tournaments.core.matching.round_plan import AVOIDED, FARTHEST, FORBIDDEN, Plan, most_banned
from tournaments.core.rounds.format import RoundsFormat
from tournaments.core.rounds.swiss import bye_reasons
from tournaments.core.stages.bans import Bans, Partners, bans_of
from tournaments.core.stages.pairings import Pairing, Reason
from tournaments.core.stages.protection import partners
from tournaments.core.stages.records import Record
from tournaments.core.stages.slots import BYE
from tournaments.core.stages.stage import Stage

WINDOW = 24
BYE_UNEVEN, REMATCH, BYE_PLACE, DISTANCE = "second bye", "rematch", "bye by place", "distance"
LEVELS = (FORBIDDEN, BYE_UNEVEN, REMATCH, AVOIDED, BYE_PLACE, DISTANCE)


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

    def allowed_edges(self, pairs: Iterable[tuple[int, int]]) -> list[Edge]:
        records, unit = self.records, self.unit(REMATCH)
        found: list[Edge] = []
        for i, j in pairs:
            met = 0 if self.rematches else records[i].met.get(records[j].entrant, 0)
            found.append((i, j, met * unit + min(j - i - 1, FARTHEST) ** 2))
        return found

    def bye_edges(self) -> list[Edge]:
        uneven, by_place, last = self.unit(BYE_UNEVEN), self.unit(BYE_PLACE), len(self.records)
        fewest = min(record.byes for record in self.records)
        return [
            (i, last, (record.byes - fewest) * uneven + (last - 1 - i) * by_place)
            for i, record in enumerate(self.records)
        ]

    def likely_pairs(self) -> Iterator[tuple[int, int]]:
        count = len(self.records)
        return ((i, j) for i in range(count) for j in range(i + 1, min(i + 1 + WINDOW, count)))


def plan_monrad(standing: Sequence[Record], apart: Partners, bans: Bans, *, rematches: bool) -> MonradPlan:
    """Lay out a round for the stack: by score, then initial number."""
    byes = [record.byes for record in standing]
    meetings = max((1, *(times for record in standing for times in record.met.values())))
    banned = most_banned(bans)
    largest = (
        *(banned[FORBIDDEN], max(1, max(byes) - min(byes)), meetings, banned[AVOIDED]),
        *(len(standing), min(len(standing), FARTHEST) ** 2),
    )
    once = (LEVELS.index(BYE_UNEVEN), LEVELS.index(BYE_PLACE))
    scale = Scale.of(largest, (len(standing) + 1) // 2, once=once)
    return MonradPlan(tuple(standing), apart, LEVELS, scale, LEVELS.index(REMATCH) + 1, bans, rematches)


class Monrad(RoundsFormat[MonradPlan]):
    key = "monrad"
    options: type[Any] = MonradOptions

    def plan(self, stage: Stage) -> MonradPlan:
        return plan_monrad(
            self.standing(stage),
            partners(stage.field, ()),
            bans_of(stage.field),
            rematches=stage.options.rematches,
        )

    def explain(self, plan: MonradPlan, i: int, j: int, number: int, stage: Stage) -> Pairing:
        upper, round_number = plan.records[i], stage.rounds + 1
        if j == len(plan.records):
            return Pairing(number, round_number, upper.entrant, BYE, bye_reasons(upper))
        lower = plan.records[j]
        reasons = [Reason("adjacent")]
        if met := upper.met.get(lower.entrant, 0):
            reasons.append(Reason("rematch_unavoidable", value=met))
        if plan.bans.avoids(upper.entrant, lower.entrant):
            reasons.append(Reason("apart_unavoidable"))
        return Pairing(
            number, round_number, upper.entrant, lower.entrant, tuple(reasons), stage.options.length
        )
