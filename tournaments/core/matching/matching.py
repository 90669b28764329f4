"""The best pairing of a round: a minimum-weight perfect matching with lexicographic costs.

Each way to pair two entrants costs a tuple of levels; the best pairing has the least sum on the first level,
among those the least on the second, and so on. Levels are packed into one integer wide enough that no sum of
a lower level reaches the next (rustworkx computes with 128-bit integers), so one blossom run optimises all of
them. Up to ``EXACT_UP_TO`` nodes the graph is complete and the optimum exact. Above, only likely partners are
edges; whenever the result breaks a level that must not be broken, the complete graph decides.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from rustworkx import PyGraph, max_weight_matching

EXACT_UP_TO = 256
WIDEST = 1 << 120
"""Packed weights stay below this: the algorithm doubles them inside 128 bits."""

Edge = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Scale:
    """Packs levels: ``units[k]`` is what 1 on level k weighs."""

    units: tuple[int, ...]

    @classmethod
    def of(cls, largest: Sequence[int], pairs: int, *, once: Collection[int] = ()) -> "Scale":
        """The scale for levels with these largest costs per pair, summed over at most ``pairs`` pairs.

        Levels in ``once`` (by index) cost something on one pair of a matching only, such as the bye.

        Raises:
            OverflowError: the levels need more than 120 bits; clip their largest costs.
        """
        units: list[int] = []
        unit = 1
        for level, most in reversed(list(enumerate(largest))):
            units.append(unit)
            unit *= most * (1 if level in once else pairs) + 1
        if unit > WIDEST:
            raise OverflowError(f"levels up to {list(largest)} for {pairs} pairs do not fit into 120 bits")
        return cls(tuple(reversed(units)))

    def pack(self, levels: Iterable[int]) -> int:
        return sum(level * unit for level, unit in zip(levels, self.units, strict=True))

    def unpack(self, weight: int) -> tuple[int, ...]:
        """The level sums of a packed weight.

        >>> Scale.of((3, 9), 4).unpack(Scale.of((3, 9), 4).pack((2, 7)))
        (2, 7)
        """
        levels: list[int] = []
        for unit in self.units:
            level, weight = divmod(weight, unit)
            levels.append(level)
        return tuple(levels)


@dataclass(frozen=True, slots=True)
class Matching:
    """Pairs of node indices, lower index first, with their whole packed cost."""

    pairs: tuple[tuple[int, int], ...]
    cost: int


def cheapest(nodes: int, edges: Sequence[Edge]) -> Matching | None:
    """The perfect matching of least cost among the edges ``(i, j, cost)``; ``None`` if none is perfect."""
    if nodes == 0:
        return Matching((), 0)
    top = max((cost for _, _, cost in edges), default=0) + 1
    graph: PyGraph[None, int] = PyGraph(multigraph=False, node_count_hint=nodes, edge_count_hint=len(edges))
    graph.add_nodes_from([None] * nodes)
    graph.add_edges_from([(i, j, top - cost) for i, j, cost in edges])
    found = max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    if 2 * len(found) != nodes:
        return None
    pairs = tuple(sorted((min(pair), max(pair)) for pair in found))
    return Matching(pairs, sum(top - graph.get_edge_data(i, j) for i, j in pairs))


def best_pairing(
    nodes: int,
    complete: Callable[[], Sequence[Edge]],
    likely: Callable[[], Sequence[Edge]],
    *,
    acceptable: int,
) -> Matching:
    """The best perfect matching of an even number of nodes.

    ``complete`` and ``likely`` build the edges of the whole graph and of its likely part. A matching of the
    likely part is accepted if it is perfect and costs less than ``acceptable``, the unit of the last level
    that must not be broken when it need not be; else the complete graph decides.

    Raises:
        ValueError: the complete graph has no perfect matching (an odd number of nodes).
    """
    if nodes > EXACT_UP_TO:
        found = cheapest(nodes, likely())
        if found is not None and found.cost < acceptable:
            return found
    found = cheapest(nodes, complete())
    if found is None:
        raise ValueError(f"{nodes} nodes have no perfect matching")
    return found
