"""Simulated events for the draw tests, and an exact search that knows nothing of weights."""

from random import Random
from typing import Any

from rustworkx import PyGraph, max_weight_matching

from tests.tournaments.core.fields import field_of
from tournaments.core.formats.table import format_of
from tournaments.core.play import acts
from tournaments.core.play.simulation import QUIET, Mishaps, World, play_event, strong_field
from tournaments.core.proof.archive import Archive, archive_of
from tournaments.core.rounds.format import RoundsFormat
from tournaments.core.stages.stage import Stage


def simulated(key, count, options, *, seed=1, mishaps: Mishaps = QUIET, watch=None) -> tuple[Stage, Archive]:
    """An event played to its end, and its archive."""
    rng = Random(f"{key} {count} {seed}")
    drawn = acts.open_stage(key, field_of(count), options, seed=f"seed {seed}")
    stage = play_event(drawn, World(strong_field(count, rng), rng, mishaps), watch=watch)
    return stage, archive_of(stage, drawn=drawn)


def plan_of(stage: Stage) -> Any:
    """The next round of a format that pairs by rounds, as it will be optimised."""
    chosen = format_of(stage.format)
    assert isinstance(chosen, RoundsFormat)
    return chosen.plan(stage)


def rematch_free_exists(before: Stage) -> bool:
    """Whether the round due on this stage has a perfect pairing without a rematch and without an
    unfair bye.
    """
    plan = plan_of(before)
    people = plan.records
    graph: PyGraph = PyGraph()
    graph.add_nodes_from(list(range(len(people) + len(people) % 2)))
    for i, one in enumerate(people):
        for j in range(i):
            if people[j].entrant not in one.met:
                graph.add_edge(i, j, 1)
    if len(people) % 2:
        fewest = min(r.byes for r in people)
        for i, one in enumerate(people):
            if one.byes == fewest:
                graph.add_edge(i, len(people), 1)
    return 2 * len(max_weight_matching(graph, max_cardinality=True, weight_fn=int)) == len(graph)


def rematches(before: Stage, after: Stage) -> int:
    """How many of the newly published pairings are rematches."""
    met = {frozenset((p.a, p.b)) for n, p in before.pairings.items() if not p.is_bye and _met(before, n)}
    new = [p for n, p in after.pairings.items() if n not in before.pairings and not p.is_bye]
    return sum(frozenset((p.a, p.b)) in met for p in new)


def _met(stage: Stage, number: int) -> bool:
    outcome = stage.outcomes.get(number)
    return outcome is None or outcome.ended != "double_no_show"
