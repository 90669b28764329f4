"""Round robin by Berger tables: once, twice, or the first rounds only."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import Literal

from tournaments.core.rounds.format import order_faults
from tournaments.core.stages.entrants import Entrant, Field, check_field
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.stages.format import Fault, Season, UsualFormat
from tournaments.core.stages.pairings import Pairing, Reason
from tournaments.core.stages.records import records
from tournaments.core.stages.seeding import rank
from tournaments.core.stages.slots import BYE
from tournaments.core.stages.stage import Paired, Stage
from tournaments.core.standings.places import Place, share_places

A_WEEK = 7
"""Days of a round of a league that says nothing else."""


@dataclass(frozen=True, slots=True)
class RoundRobinOptions:
    """How a round robin is run.

    ``cycles``: 2 for a double round robin. ``rounds`` truncates to the first rounds of the schedule,
    if it has as many.
    ``seeding`` gives the table numbers, by lot unless asked otherwise. A league sets ``start`` and
    ``days_per_round``: each round then has a deadline.
    """

    cycles: int = 1
    rounds: int | None = None
    seeding: Literal["rating", "hand", "lot"] = "lot"
    length: int | None = None
    start: date | None = None
    days_per_round: int = A_WEEK


def berger(count: int) -> list[list[tuple[int, int]]]:
    """The rounds of a Berger table: pairs of table numbers from 1; with an odd count, (number, 0) rests.

    Source: FIDE Handbook C.05 Annex 1, "Details of Berger Tables". The last number stays, the others rotate
    by half the table.

    >>> berger(4)
    [[(1, 4), (2, 3)], [(4, 3), (1, 2)], [(2, 4), (3, 1)]]
    """
    even = count + count % 2
    rotating = even - 1
    rounds: list[list[tuple[int, int]]] = []
    for number in range(rotating):
        first = number * (even // 2) % rotating
        meets_last = (first + 1, even) if number % 2 == 0 else (even, first + 1)
        others = [
            ((first + step) % rotating + 1, (first - step) % rotating + 1) for step in range(1, even // 2)
        ]
        pairs = [meets_last, *others]
        rounds.append([_rest(pair, count) for pair in pairs])
    return rounds


def _rest(pair: tuple[int, int], count: int) -> tuple[int, int]:
    """The entrant paired with the number beyond an odd table rests."""
    if pair[1] > count:
        return pair[0], 0
    return (pair[1], 0) if pair[0] > count else pair


def schedule(count: int, options: RoundRobinOptions) -> list[list[tuple[int, int]]]:
    """All rounds in table numbers; the second cycle with sides exchanged."""
    once = berger(count)
    turned = [[pair if pair[1] == 0 else (pair[1], pair[0]) for pair in pairs] for pairs in once]
    whole = [pairs for cycle in range(options.cycles) for pairs in (turned if cycle % 2 else once)]
    return whole[: options.rounds]


class RoundRobin(UsualFormat):
    """The whole schedule is published at once; a league has a deadline for each round."""

    key = "round_robin"
    version = 1
    minimum = 2
    options = RoundRobinOptions

    def draw(self, field: Field, options: RoundRobinOptions, rng: Random) -> tuple[int, ...]:
        check_field(field, minimum=self.minimum)
        if options.cycles < 1:
            raise DrawRefused("no_rounds", f"{options.cycles} cycles: at least 1", cycles=options.cycles)
        if options.rounds is not None and options.rounds < 1:
            raise DrawRefused("no_rounds", f"{options.rounds} rounds: at least 1", rounds=options.rounds)
        if options.days_per_round < 1:
            raise DrawRefused("no_days", f"{options.days_per_round} days per round: at least 1")
        return tuple(rank(field, options.seeding, rng))

    def season(self, options: RoundRobinOptions) -> Season | None:
        """A league: its rounds have deadlines."""
        return None if options.start is None else Season.ARRANGED

    def due(self, stage: Stage) -> tuple[Pairing, ...]:
        if stage.pairings:
            return ()
        options: RoundRobinOptions = stage.options
        numbers = [n for n in stage.order if n not in stage.gone]
        if len(numbers) < self.minimum:
            return ()
        found: list[Pairing] = []
        for number, pairs in enumerate(schedule(len(numbers), options), 1):
            deadline = None
            if options.start is not None:
                deadline = options.start + timedelta(days=number * options.days_per_round - 1)
            reason = (Reason("table", value=number),)
            for a, b in pairs:
                one, other = numbers[a - 1], numbers[b - 1] if b else int(BYE)
                found.append(Pairing(len(found) + 1, number, one, other, reason, options.length, deadline))
        return tuple(found)

    def finished(self, stage: Stage) -> bool:
        if stage.open_pairings():
            return False
        return bool(stage.pairings) or len(stage.present) < self.minimum

    def places(self, stage: Stage) -> tuple[Place, ...]:
        """By wins; a rest counts nothing. Tie-breaks and withdrawn opponents: ``standings.tables``."""
        groups: dict[tuple[bool, int], list[int]] = {}
        for entrant, record in records(stage).items():
            groups.setdefault((stage.gone.get(entrant) == "disqualified", -record.wins), []).append(entrant)
        return share_places(groups[key] for key in sorted(groups))

    def locked(self, stage: Stage, pairing: int) -> tuple[int, ...]:
        """A round-robin result can always be corrected: nothing depends on it.

        Source: docs/reference/tournaments.md, "Results and corrections".
        """
        del stage, pairing
        return ()

    def admit(self, stage: Stage, entrant: Entrant) -> tuple[int, ...]:
        """A late entrant can join only before the schedule is published."""
        if stage.pairings:
            raise DrawRefused(
                "schedule_published", "the schedule is published: no more entries", ref=entrant.ref
            )
        return (*stage.order, len(stage.field) + 1)

    def require_return(self, stage: Stage, entrant: int) -> None:
        """Nothing depends on an absence: the entrant rejoins from now on."""

    def judge_draw(self, stage: Stage) -> Iterator[Fault]:
        yield from order_faults(stage)

    def judge(self, before: Stage, paired: Paired) -> Iterator[Fault]:
        """Check that each round pairs each entrant once, with byes spread evenly."""
        if before.pairings:
            yield Fault("round_again", "the schedule was published twice")
        met: dict[frozenset[int], int] = {}
        rests: dict[int, int] = dict.fromkeys(before.present, 0)
        for pairing in paired.pairings:
            if pairing.is_bye:
                rests[pairing.a] = rests.get(pairing.a, 0) + 1
                continue
            pair = frozenset((pairing.a, pairing.b))
            if len(pair) == 1:
                yield Fault("self_pairing", f"entrant {pairing.a} is paired against themselves")
            met[pair] = met.get(pair, 0) + 1
        yield from _evenness(met, rests, before.options)


def _evenness(
    met: Mapping[frozenset[int], int], rests: Mapping[int, int], options: RoundRobinOptions
) -> Iterator[Fault]:
    for pair, times in met.items():
        if times > options.cycles:
            yield Fault("rematch", f"{sorted(pair)} meet {times} times in {options.cycles} cycles")
    if max(rests.values(), default=0) - min(rests.values(), default=0) > 1:
        yield Fault("second bye", "an entrant has a second bye while another has had none")
