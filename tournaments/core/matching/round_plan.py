"""A round laid out for optimisation, and the judgement of a published one against it.

Swiss, lives and monrad differ in their levels only; nodes, byes and judging are the same.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from tournaments.core.matching.matching import Edge, Matching, Scale, best_pairing
from tournaments.core.stages.bans import Bans, Partners
from tournaments.core.stages.format import Fault
from tournaments.core.stages.pairings import Pairing
from tournaments.core.stages.records import Record

FARTHEST = 255
"""Positions beyond this are equally far: it keeps large fields inside the packed width."""

FORBIDDEN, AVOIDED = "forbidden pair", "pair to avoid"
"""The levels of forbidden pairs: one above all others, one below those that must not be broken.

A field without such pairs gives them no bits.
"""
NO_BANS = Bans()


def most_banned(bans: Bans) -> dict[str, int]:
    """The largest cost of a pair on the levels of forbidden pairs, by level."""
    return {FORBIDDEN: int(bool(bans.never)), AVOIDED: int(bool(bans.avoid))}


@dataclass(frozen=True, slots=True)
class Plan(ABC):
    """A round before it is paired.

    Nodes are the ``records`` in pairing order; with an odd number one more node is the bye. ``levels`` name
    what is minimised, most important first; the first ``hard`` of them must not be broken when they need not
    be. ``bans`` are the forbidden pairs, by entrant.
    """

    records: tuple[Record, ...]
    apart: Partners
    levels: tuple[str, ...]
    scale: Scale
    hard: int
    bans: Bans

    @abstractmethod
    def allowed_edges(self, pairs: Iterable[tuple[int, int]]) -> list[Edge]:
        """The packed costs of these pairs of nodes as if no pair were forbidden, the lower node first."""

    def edges(self, pairs: Iterable[tuple[int, int]]) -> list[Edge]:
        """The packed costs of these pairs of nodes, the lower node first."""
        found = self.allowed_edges(pairs)
        if not self.bans:
            return found
        entrants = [record.entrant for record in self.records]
        forbidden, avoided = self.unit(FORBIDDEN), self.unit(AVOIDED)
        bans = self.bans
        return [
            (
                i,
                j,
                cost
                + bans.forbids(entrants[i], entrants[j]) * forbidden
                + bans.avoids(entrants[i], entrants[j]) * avoided,
            )
            for i, j, cost in found
        ]

    def unit(self, level: str) -> int:
        return self.scale.units[self.levels.index(level)]

    @abstractmethod
    def bye_edges(self) -> list[Edge]:
        """The packed cost of a bye for every node."""

    @abstractmethod
    def likely_pairs(self) -> Iterator[tuple[int, int]]:
        """The pairs worth looking at in a field too large for all of them."""

    @property
    def odd(self) -> bool:
        return len(self.records) % 2 == 1

    def best(self) -> Matching:
        """The optimal pairing of the round."""
        byes = self.bye_edges() if self.odd else []
        return best_pairing(
            len(self.records) + self.odd,
            lambda: self.edges(combinations(range(len(self.records)), 2)) + byes,
            lambda: self.edges(self.likely_pairs()) + byes,
            acceptable=self.scale.units[self.hard - 1],
        )

    def cost(self, pairs: Iterable[tuple[int, int]]) -> int:
        """The packed cost of a whole pairing by nodes; the bye is the node after the last."""
        last = len(self.records)
        chosen = list(pairs)
        total = sum(cost for _, _, cost in self.edges(pair for pair in chosen if last not in pair))
        resting = {i for i, j in chosen if j == last}
        return total + (sum(cost for i, _, cost in self.bye_edges() if i in resting) if resting else 0)


def judge(plan: Plan, pairings: Sequence[Pairing], *, by_hand: bool) -> Iterator[Fault]:
    """Faults of a published round, on its own and against the optimum.

    In a round made by hand, what falls short of the optimum is a warning.
    """
    node = {record.entrant: i for i, record in enumerate(plan.records)}
    seen: set[int] = set()
    sound = True
    for pairing in pairings:
        sides = (pairing.a,) if pairing.is_bye else (pairing.a, pairing.b)
        if len(set(sides)) != len(sides):
            yield Fault(
                "self_pairing", f"entrant {pairing.a} is paired against themselves in round {pairing.round}"
            )
            sound = False
        for entrant in sides:
            if entrant not in node:
                yield Fault("paired_out", f"entrant {entrant} is paired in round {pairing.round} but is out")
                sound = False
            if entrant in seen:
                yield Fault("paired_twice", f"entrant {entrant} is paired twice in round {pairing.round}")
                sound = False
            seen.add(entrant)
    for entrant in node.keys() - seen:
        yield Fault("unpaired", f"entrant {entrant} is in the event but not paired")
        sound = False
    if sum(p.is_bye for p in pairings) != plan.odd:
        yield Fault("byes", f"{sum(p.is_bye for p in pairings)} byes among {len(plan.records)} entrants")
        sound = False
    if sound:
        yield from _against_optimum(
            plan, [_nodes(node, p, len(plan.records)) for p in pairings], by_hand=by_hand
        )


def _nodes(node: dict[int, int], pairing: Pairing, bye: int) -> tuple[int, int]:
    if pairing.is_bye:
        return node[pairing.a], bye
    i, j = node[pairing.a], node[pairing.b]
    return min(i, j), max(i, j)


def _against_optimum(plan: Plan, pairs: Sequence[tuple[int, int]], *, by_hand: bool) -> Iterator[Fault]:
    made, best = plan.scale.unpack(plan.cost(pairs)), plan.scale.unpack(plan.best().cost)
    for level, ours, least in zip(plan.levels, made, best, strict=True):
        if ours > least:
            message = f"{level}: {ours} where {least} is possible"
            yield Fault(f"avoidable {level}", message, "warning" if by_hand else "fault")
            return
        if ours < least:
            return  # better on this level than the accepted window: large fields only
