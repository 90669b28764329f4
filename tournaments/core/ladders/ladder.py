"""Ladder: beat a player above you and take their rung.

The players between move down one rung. Periods pair neighbouring rungs in turn (1-2, 3-4, ... then 2-3, 4-5,
...), each with a deadline. Between them players can challenge anyone within reach.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import Any, Literal

from tournaments.core.rounds.format import order_faults
from tournaments.core.stages.entrants import Entrant, Field, check_field
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.stages.format import Fault, Season, UsualFormat
from tournaments.core.stages.pairings import Pairing, Reason
from tournaments.core.stages.seeding import rank
from tournaments.core.stages.stage import Paired, Stage
from tournaments.core.standings.places import Place, share_places


@dataclass(frozen=True, slots=True)
class LadderOptions:
    """How a ladder is run.

    ``periods`` of ``days_per_period`` days from ``start`` (no deadlines without it); ``reach`` in rungs.
    """

    periods: int = 8
    reach: int = 3
    start: date | None = None
    days_per_period: int = 14
    seeding: Literal["rating", "hand", "lot"] = "rating"
    length: int | None = None


class Ladder(UsualFormat):
    key = "ladder"
    version = 1
    minimum = 2
    options = LadderOptions

    def draw(self, field: Field, options: Any, rng: Random) -> tuple[int, ...]:
        check_field(field, minimum=self.minimum)
        if options.periods < 1 or options.reach < 1 or options.days_per_period < 1:
            raise DrawRefused("no_periods", "a ladder needs at least 1 period of 1 day and a reach of 1 rung")
        return tuple(rank(field, options.seeding, rng))

    def season(self, options: Any) -> Season | None:  # noqa: ARG002
        return Season.ARRANGED

    def rungs(self, stage: Stage) -> list[int]:
        """Entrants from the top. Results count in the order of their pairings' numbers."""
        rungs = list(stage.order)
        for number in sorted(stage.outcomes):
            outcome = stage.outcomes[number]
            if outcome.advances is None:
                continue
            above, below = rungs.index(outcome.loser), rungs.index(outcome.winner)
            if below > above:
                rungs.insert(above, rungs.pop(below))
        return rungs

    def due(self, stage: Stage) -> tuple[Pairing, ...]:
        if self._scheduled_open(stage) or self.finished(stage):
            return ()
        period = stage.rounds + 1
        playing = {n for p in stage.open_pairings() for n in (p.a, p.b)}
        there = [n for n in self.rungs(stage) if n not in stage.gone]
        found: list[Pairing] = []
        first = (period + 1) % 2 if len(there) > 2 else 0
        for i in range(first, len(there) - 1, 2):
            a, b = there[i], there[i + 1]
            if not playing & {a, b}:
                number = stage.next_number + len(found)
                reason = (Reason("rung"),)
                found.append(
                    Pairing(number, period, a, b, reason, stage.options.length, self.deadline(stage, period))
                )
        return tuple(found)

    def deadline(self, stage: Stage, period: int) -> date | None:
        """The last day of a period."""
        options: LadderOptions = stage.options
        if options.start is None:
            return None
        return options.start + timedelta(days=period * options.days_per_period - 1)

    def within_reach(self, stage: Stage, challenger: int) -> tuple[int, ...]:
        """The entrants that one can challenge, nearest first, busy ones included."""
        rungs = [n for n in self.rungs(stage) if n not in stage.gone]
        rung = rungs.index(challenger)
        return tuple(reversed(rungs[max(0, rung - stage.options.reach) : rung]))

    def challenge(self, stage: Stage, challenger: int, challenged: int) -> Pairing:
        """The pairing for a challenge, to be published by hand.

        Raises:
            DrawRefused: ``not_on_ladder``, ``out_of_reach`` (below the challenger, or more rungs above than
                the reach) or ``playing`` while one of them has an open pairing.
        """
        rungs = [n for n in self.rungs(stage) if n not in stage.gone]
        for n in (challenger, challenged):
            if n not in rungs:
                raise DrawRefused("not_on_ladder", f"entrant {n} is not on the ladder", entrant=n)
            for p in stage.open_pairings():
                if n in (p.a, p.b):
                    raise DrawRefused(
                        "playing", f"entrant {n} has a match to play first", entrant=n, pairing=p.number
                    )
        above = rungs.index(challenger) - rungs.index(challenged)
        if above < 1:
            raise DrawRefused(
                "out_of_reach",
                f"entrant {challenged} is not above entrant {challenger}",
                challenger=challenger,
                challenged=challenged,
            )
        if challenged not in self.within_reach(stage, challenger):
            raise DrawRefused(
                "out_of_reach",
                f"entrant {challenged} is {above} rungs above; a challenge reaches 1 to "
                f"{stage.options.reach}",
                challenger=challenger,
                challenged=challenged,
                rungs=above,
                reach=stage.options.reach,
            )
        reason = (Reason("challenge", challenger, above),)
        period = max(1, stage.rounds)
        deadline = self.deadline(stage, period)
        return Pairing(
            stage.next_number, period, challenged, challenger, reason, stage.options.length, deadline
        )

    def _scheduled_open(self, stage: Stage) -> bool:
        return any(p.reasons[:1] == (Reason("rung"),) for p in stage.open_pairings())

    def finished(self, stage: Stage) -> bool:
        if stage.open_pairings():
            return False
        return stage.rounds >= stage.options.periods or len(stage.present) < 2

    def places(self, stage: Stage) -> tuple[Place, ...]:
        """By rung; those who left come last."""
        rungs = self.rungs(stage)
        return share_places([[n] for n in sorted(rungs, key=lambda n: (n in stage.gone, rungs.index(n)))])

    def locked(self, stage: Stage, pairing: int) -> tuple[int, ...]:
        """The pairings of later periods were made on the rungs after this result."""
        this = stage.pairings[pairing].round
        return tuple(n for n, p in stage.pairings.items() if p.round > this)

    def admit(self, stage: Stage, entrant: Entrant) -> tuple[int, ...]:
        """A late entrant starts on the lowest rung."""
        del entrant
        return (*stage.order, len(stage.field) + 1)

    def require_return(self, stage: Stage, entrant: int) -> None:
        """Nothing depends on an absence: the entrant rejoins from now on."""

    def judge_draw(self, stage: Stage) -> Iterator[Fault]:
        yield from order_faults(stage)

    def judge(self, before: Stage, paired: Paired) -> Iterator[Fault]:
        rungs = [n for n in self.rungs(before) if n not in before.gone]
        for pairing in paired.pairings:
            if pairing.a not in rungs or pairing.b not in rungs:
                yield Fault("paired_out", f"pairing {pairing.number} has an entrant who is not on the ladder")
                continue
            apart = abs(rungs.index(pairing.a) - rungs.index(pairing.b))
            if not 1 <= apart <= before.options.reach:
                yield Fault("out_of_reach", f"pairing {pairing.number} is {apart} rungs apart")
