"""Swiss: rounds by score, for a fixed number of rounds or until one is unbeaten.

What a round minimises is in ``swiss_plan``. A playoff is a stage fed by those tied for first, see
``feeding``.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from tournaments.core.matching.swiss_plan import SwissPlan, plan_swiss, repeated
from tournaments.core.rounds.acceleration import ahead, check_acceleration
from tournaments.core.rounds.format import RoundsFormat
from tournaments.core.stages.bans import bans_of
from tournaments.core.stages.pairings import Pairing, Reason
from tournaments.core.stages.protection import partners
from tournaments.core.stages.records import Record, records
from tournaments.core.stages.seeding import Protect
from tournaments.core.stages.slots import BYE
from tournaments.core.stages.stage import Stage


@dataclass(frozen=True, slots=True)
class SwissOptions:
    """How a Swiss is run.

    ``rounds``: how many; ``None`` is enough for one unbeaten entrant, ceil(log2(entrants)). With
    ``until_unbeaten`` rounds go on after that while more than one is unbeaten. ``seeding`` orders entrants
    inside score groups. ``protect`` keeps entrants apart during the first ``protect_rounds`` rounds, 0 for
    all, where nothing above it suffers. ``accelerated``: in so many first rounds the upper half is paired
    with one virtual point more, see ``acceleration``. ``length`` is the match length in points.
    """

    rounds: int | None = None
    until_unbeaten: bool = False
    seeding: Literal["rating", "hand", "lot"] = "rating"
    protect: tuple[Protect, ...] = ()
    protect_rounds: int = 0
    accelerated: int = 0
    length: int | None = None


class Swiss(RoundsFormat[SwissPlan]):
    key = "swiss"
    options = SwissOptions

    def plan(self, stage: Stage) -> SwissPlan:
        options: SwissOptions = stage.options
        protected = options.protect_rounds == 0 or stage.rounds < options.protect_rounds
        return plan_swiss(
            self.standing(stage),
            partners(stage.field, options.protect if protected else ()),
            ahead(stage, stage.rounds + 1),
            bans_of(stage.field),
        )

    def check_options(self, options: Any) -> None:
        super().check_options(options)
        check_acceleration(options.accelerated, rounds=options.rounds, seeding=options.seeding)

    def standing(self, stage: Stage) -> list[Record]:
        """The records of those present in pairing order: with the virtual points of the coming round."""
        found = records(stage, partial(ahead, stage))
        virtual = ahead(stage, stage.rounds + 1)
        seed = {n: index for index, n in enumerate(stage.order)}
        return sorted(
            (found[n] for n in stage.present),
            key=lambda r: (-r.score - (r.entrant in virtual), seed[r.entrant]),
        )

    def finished(self, stage: Stage) -> bool:
        if not super().finished(stage):
            return False
        options: SwissOptions = stage.options
        if not options.until_unbeaten or len(stage.present) < 2:
            return True
        return sum(r.losses == 0 and r.missed == 0 for r in self.standing(stage)) <= 1

    def explain(self, plan: SwissPlan, i: int, j: int, number: int, stage: Stage) -> Pairing:
        upper, round_number = plan.records[i], stage.rounds + 1
        if j == len(plan.records):
            return Pairing(number, round_number, upper.entrant, BYE, bye_reasons(upper))
        lower = plan.records[j]
        reasons = [Reason("accelerated")] if ahead(stage, round_number) else []
        if plan.rows[i].score == plan.rows[j].score:
            if upper.score == lower.score:
                reasons.append(Reason("same_score", value=upper.score))
            reasons.append(Reason("fold"))
        else:
            reasons += [*_float_reasons(upper, "floated_down", 1), *_float_reasons(lower, "floated_up", -1)]
        if met := upper.met.get(lower.entrant, 0):
            reasons.append(Reason("rematch_unavoidable", value=met))
        if plan.bans.avoids(upper.entrant, lower.entrant):
            reasons.append(Reason("apart_unavoidable"))
        if lower.entrant in plan.apart[upper.entrant]:
            reasons.append(Reason("protection_unavoidable"))
        return Pairing(
            number, round_number, upper.entrant, lower.entrant, tuple(reasons), stage.options.length
        )


def _float_reasons(record: Record, code: str, direction: int) -> tuple[Reason, Reason]:
    again = "floated_again" if repeated(record, direction) else "not_floated_before"
    return Reason(code, record.entrant), Reason(again, record.entrant)


def bye_reasons(record: Record) -> tuple[Reason, ...]:
    """Why this record has the bye."""
    first = Reason("bye_first", record.entrant)
    if record.byes:
        first = Reason("bye_again", record.entrant, record.byes + 1)
    return first, Reason("bye_lowest", record.entrant, record.score)
