"""Pair as ready ("rapid Swiss"): the next pairing is made as soon as two suitable entrants are free.

Suitable: they are no forbidden pair and have not met, their scores are close, and neither is more than a
match ahead. When nobody is playing any more and someone still lacks matches, first the scores may differ,
then pairs to avoid and rematches are allowed, so that the event always ends; a last entrant without an
opponent has a bye.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Any, Literal

from rustworkx import PyGraph, max_weight_matching

from tournaments.core.rounds.format import order_faults, places_by_score
from tournaments.core.rounds.swiss import bye_reasons
from tournaments.core.stages.bans import Bans, bans_of
from tournaments.core.stages.entrants import Entrant, Field, check_field
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.stages.format import Fault, UsualFormat
from tournaments.core.stages.pairings import Pairing, Reason
from tournaments.core.stages.records import Record, records
from tournaments.core.stages.seeding import rank
from tournaments.core.stages.slots import BYE
from tournaments.core.stages.stage import Paired, Stage
from tournaments.core.standings.places import Place


@dataclass(frozen=True, slots=True)
class ReadyOptions:
    """``rounds``: matches per entrant.

    ``closeness``: how far the scores of suitable entrants may differ.
    """

    rounds: int = 5
    closeness: int = 1
    seeding: Literal["rating", "hand", "lot"] = "lot"
    length: int | None = None


Suits = Callable[[Record, Record], bool]


class Ready(UsualFormat):
    key = "ready"
    version = 2
    minimum = 2
    options = ReadyOptions

    def draw(self, field: Field, options: Any, rng: Random) -> tuple[int, ...]:
        check_field(field, minimum=self.minimum)
        if options.rounds < 1 or options.closeness < 0:
            raise DrawRefused(
                "no_rounds",
                f"{options.rounds} matches each, scores {options.closeness} apart: at least 1 and 0",
            )
        return tuple(rank(field, options.seeding, rng))

    def due(self, stage: Stage) -> tuple[Pairing, ...]:
        free = self.free(stage)
        for suits in self._rules(stage):
            pairs = most_pairs(free, suits)
            if pairs:
                return self._pairings(stage, pairs)
        if free and not stage.open_pairings() and self._may_rest(stage, free[0]):
            resting, number = free[0], stage.next_number
            return (Pairing(number, stage.rounds + 1, resting.entrant, BYE, bye_reasons(resting)),)
        return ()

    def _may_rest(self, stage: Stage, resting: Record) -> bool:
        """Whether the last one without an opponent gets a bye: no second one while another has none.

        They have then played fewer matches. Version 1 gave every bye.
        """
        found = records(stage)
        return stage.version == 1 or resting.byes <= min(found[n].byes for n in stage.present)

    def free(self, stage: Stage) -> list[Record]:
        """Records of entrants who lack matches and are not playing.

        By score, then in the order of the draw.
        """
        busy = {n for p in stage.open_pairings() for n in (p.a, p.b)}
        found = records(stage)
        seed = {n: index for index, n in enumerate(stage.order)}
        waiting = [found[n] for n in stage.present if n not in busy]
        lacking = [r for r in waiting if r.matches + r.byes < stage.options.rounds]
        return sorted(lacking, key=lambda r: (-r.score, seed[r.entrant]))

    def _rules(self, stage: Stage) -> Iterator[Suits]:
        close, bans = stage.options.closeness, bans_of(stage.field)
        new = _new(bans)

        def apart(a: Record, b: Record) -> bool:
            return new(a, b) and not bans.avoids(a.entrant, b.entrant)

        yield (
            lambda a, b: apart(a, b) and abs(a.score - b.score) <= close and abs(a.matches - b.matches) <= 1
        )
        if not stage.open_pairings():
            yield apart
            yield new
            yield lambda a, b: not bans.forbids(a.entrant, b.entrant)

    def _pairings(self, stage: Stage, pairs: Sequence[tuple[Record, Record]]) -> tuple[Pairing, ...]:
        found: list[Pairing] = []
        for a, b in pairs:
            reasons = [Reason("ready")]
            if met := a.met.get(b.entrant, 0):
                reasons.append(Reason("rematch_unavoidable", value=met))
            number = stage.next_number + len(found)
            length = stage.options.length
            found.append(Pairing(number, stage.rounds + 1, a.entrant, b.entrant, tuple(reasons), length))
        return tuple(found)

    def finished(self, stage: Stage) -> bool:
        return not stage.open_pairings() and not self.due(stage)

    def places(self, stage: Stage) -> tuple[Place, ...]:
        return places_by_score(stage)

    def locked(self, stage: Stage, pairing: int) -> tuple[int, ...]:
        """Later pairings of the two who met: those were made on this result."""
        this = stage.pairings[pairing]
        both = {this.a, this.b}
        return tuple(n for n, p in stage.pairings.items() if n > pairing and both & {p.a, p.b})

    def admit(self, stage: Stage, entrant: Entrant) -> tuple[int, ...]:
        """A late entrant is free at once and plays all their matches."""
        if stage.pairings and self.finished(stage):
            raise DrawRefused("finished", "the last match is over: no more entries", ref=entrant.ref)
        return (*stage.order, len(stage.field) + 1)

    def require_return(self, stage: Stage, entrant: int) -> None:
        """Nothing depends on an absence: the entrant rejoins from now on."""

    def judge_draw(self, stage: Stage) -> Iterator[Fault]:
        yield from order_faults(stage)

    def judge(self, before: Stage, paired: Paired) -> Iterator[Fault]:
        free = {r.entrant: r for r in self.free(before)}
        bans = bans_of(before.field)
        for pairing in paired.pairings:
            sides = [pairing.a] if pairing.is_bye else [pairing.a, pairing.b]
            for n in sides:
                if n not in free:
                    yield Fault("not_free", f"entrant {n} is not free for pairing {pairing.number}")
            if len(set(sides)) < len(sides):
                yield Fault("self_pairing", f"entrant {pairing.a} is paired against themselves")
            if bans.forbids(pairing.a, pairing.b):
                severity: Literal["fault", "warning"] = "warning" if paired.by_hand else "fault"
                yield Fault("forbidden pair", f"pairing {pairing.number} is a forbidden pair", severity)
            met = pairing.a in free and pairing.b in free[pairing.a].met
            if met and not paired.by_hand and most_pairs(list(free.values()), _new(bans)):
                yield Fault(
                    "avoidable rematch", f"pairing {pairing.number} is a rematch that could be avoided"
                )


def _new(bans: Bans) -> Suits:
    """Suits entrants who have not met and can meet."""
    return lambda a, b: b.entrant not in a.met and not bans.forbids(a.entrant, b.entrant)


def most_pairs(free: Sequence[Record], suits: Suits) -> list[tuple[Record, Record]]:
    """As many suitable pairs as can be made at once, closest scores first among equals."""
    graph: PyGraph[None, int] = PyGraph(multigraph=False)
    graph.add_nodes_from([None] * len(free))
    far = 2 * len(free) ** 2 + 1
    for i, j in combinations(range(len(free)), 2):
        if suits(free[i], free[j]):
            gap = abs(free[i].score - free[j].score)
            graph.add_edge(i, j, max(1, far - gap * len(free) - (j - i)))
    found = max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return [(free[i], free[j]) for i, j in sorted((min(p), max(p)) for p in found)]
