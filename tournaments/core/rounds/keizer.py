"""Keizer: neighbours in a ranking by the values of beaten opponents meet; absences cost little.

Source: docs/reference/tournaments.md, "Keizer". The pairing is that of ``monrad`` with another order, and
with rematches once some rounds have gone by.
"""

from dataclasses import dataclass, replace
from typing import Any, Literal

from tournaments.core.rounds.monrad import Monrad, MonradPlan, plan_monrad
from tournaments.core.stages.bans import bans_of
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.stages.format import Season
from tournaments.core.stages.keizer import KeizerStanding, keizer_standing
from tournaments.core.stages.kept import Kept
from tournaments.core.stages.outcomes import Gone
from tournaments.core.stages.protection import partners
from tournaments.core.stages.records import Record, records
from tournaments.core.stages.stage import Stage
from tournaments.core.standings.places import Place, share_places
from tournaments.core.standings.tables import Points


@dataclass(frozen=True, slots=True)
class KeizerOptions:
    """How a Keizer season is run.

    ``seeding`` gives the first ranking; two who have met do not meet in the next ``apart`` rounds, if that
    can be.
    """

    rounds: int | None = 10
    seeding: Literal["rating", "hand", "lot"] = "rating"
    apart: int = 3
    length: int | None = None


class Keizer(Monrad):
    key = "keizer"
    options = KeizerOptions
    absences = True

    def __init__(self) -> None:
        # A page asks for the ranking of one stage several times.
        self._ranked = Kept[KeizerStanding]()

    def season(self, options: Any) -> Season | None:  # noqa: ARG002
        return Season.EVENINGS

    def check_options(self, options: Any) -> None:
        super().check_options(options)
        if options.apart < 0:
            raise DrawRefused(
                "apart", f"no rematch in the next {options.apart} rounds: at least 0", apart=options.apart
            )

    def ranking(self, stage: Stage) -> KeizerStanding:
        """The ranking, shared between callers."""
        known = self._ranked.of(stage)
        return self._ranked.keep(stage, keizer_standing(stage)) if known is None else known

    def points(self, stage: Stage) -> Points:
        """The values of beaten opponents, and what there is for byes and absences."""
        ranking = self.ranking(stage)
        return Points("keizer_value", ranking.values, {n: each / 6 for n, each in ranking.sixths.items()})

    def standing(self, stage: Stage) -> list[Record]:
        """The records of those attending by rank; ``met`` counts the last rounds only."""
        found, attending = records(stage), set(stage.attending)
        since = stage.rounds - stage.options.apart
        recent = {frozenset({p.a, p.b}) for p in stage.pairings.values() if p.round > since}
        return [
            replace(
                found[n],
                met={m: times for m, times in found[n].met.items() if frozenset({n, m}) in recent},
            )
            for n in self.ranking(stage).order
            if n in attending
        ]

    def plan(self, stage: Stage) -> MonradPlan:
        apart, bans = partners(stage.field, ()), bans_of(stage.field)
        return plan_monrad(self.standing(stage), apart, bans, rematches=False)

    def places(self, stage: Stage) -> tuple[Place, ...]:
        """By Keizer points; disqualified entrants last."""
        standing = self.ranking(stage)
        groups: dict[tuple[bool, int], list[int]] = {}
        for n in standing.order:
            out = stage.gone.get(n) is Gone.DISQUALIFIED
            groups.setdefault((out, -standing.sixths[n]), []).append(n)
        return share_places(groups[key] for key in sorted(groups))
