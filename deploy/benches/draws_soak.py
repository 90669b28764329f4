"""10,000 simulated Swiss and lives events with everything that goes wrong.

Broken promises are counted, and must be 0.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from time import perf_counter

from deploy.figures import Figure
from tournaments.core.matching.matching import EXACT_UP_TO, cheapest
from tournaments.core.matching.round_plan import Plan
from tournaments.core.play import acts
from tournaments.core.play.simulation import ROUGH, World, play_event, strong_field
from tournaments.core.proof.archive import archive_of
from tournaments.core.proof.check import check
from tournaments.core.rounds.lives import Lives, LivesOptions
from tournaments.core.rounds.swiss import Swiss, SwissOptions
from tournaments.core.stages.entrants import Entrant
from tournaments.core.stages.pairings import Pairing
from tournaments.core.stages.stage import Stage

EVENTS = 10_000
CHECKED_EVERY = 20


@dataclass(slots=True)
class SoakCounts:
    """Counts over all events."""

    rounds: int = 0
    rematches: int = 0
    avoidable_rematches: int = 0
    unfair_byes: int = 0
    unpaired: int = 0
    rejected: int = 0

    def watch(self, before: Stage, after: Stage) -> None:
        """Judge a published round without the weights that made it."""
        new = [p for n, p in after.pairings.items() if n not in before.pairings]
        if any(reason.code == "playoff" for p in new for reason in p.reasons):
            return
        plan = (Swiss() if before.format == "swiss" else Lives()).plan(before)
        records = {r.entrant: r for r in plan.records}
        sides = sorted(n for p in new for n in ((p.a,) if p.is_bye else (p.a, p.b)))
        self.rounds += 1
        self.unpaired += sides != sorted(records)
        fewest = min(r.byes for r in plan.records)
        self.unfair_byes += sum(records[p.a].byes > fewest for p in new if p.is_bye)
        again = sum(p.b in records[p.a].met for p in new if not p.is_bye)
        self.rematches += again
        first = before.format == "swiss" or before.options.meetings == "before_records"
        if again and first:
            self.avoidable_rematches += rematch_free(plan)
        elif again:
            self.avoidable_rematches += better_with_equal_records(plan, new)


def rematch_free(plan: Plan) -> bool:
    """Whether a pairing without rematches and unfair byes exists, by exact search."""
    people = plan.records
    edges = [
        (i, j, 0) for j in range(len(people)) for i in range(j) if people[j].entrant not in people[i].met
    ]
    if plan.odd:
        fewest = min(r.byes for r in people)
        edges += [(i, len(people), 0) for i, r in enumerate(people) if r.byes == fewest]
    return cheapest(len(people) + plan.odd, edges) is not None


def better_with_equal_records(plan: Plan, new: list[Pairing]) -> bool:
    """Whether the round costs more than the optimum.

    For records before meetings that decides what is avoidable.
    """
    node = {record.entrant: i for i, record in enumerate(plan.records)}
    last = len(plan.records)
    pairs = [(min(node[p.a], node.get(p.b, last)), max(node[p.a], node.get(p.b, last))) for p in new]
    return plan.cost(pairs) > plan.best().cost


def run() -> Iterator[Figure]:
    counts = SoakCounts()
    start = perf_counter()
    for event in range(EVENTS):
        play(event, counts)
    seconds = perf_counter() - start
    size = f"{EVENTS} events of 5 to 200 players, {counts.rounds} rounds"
    for name in ("avoidable_rematches", "unfair_byes", "unpaired", "rejected"):
        yield Figure(f"soak_{name}", getattr(counts, name), "count", size=size)
    yield Figure(
        "soak_unavoidable_rematches", counts.rematches, "count", size="fields too small for their rounds"
    )
    yield Figure("soak_events_per_s", EVENTS / seconds, "1/s", size=size, higher_is_better=True)


def play(event: int, counts: SoakCounts) -> None:
    """Simulate one event, small enough for the exact optimum."""
    rng = Random(f"soak {event}")  # noqa: S311 - a repeatable measurement
    players = min(EXACT_UP_TO, round(5 * 40 ** rng.random()))
    strength = strong_field(players, rng)
    field = [Entrant(ref, rating=value) for ref, value in strength.items()]
    if event % 2:
        rounds, on = rng.choice((None, 3, 5, 7, 9)), rng.random() < 0.2
        drawn = acts.open_stage("swiss", field, SwissOptions(rounds, until_unbeaten=on), seed=str(event))
    else:
        meetings = LivesOptions(rng.choice((2, 3, 4, 5)), "before_records" if event % 4 else "after_records")
        drawn = acts.open_stage("lives", field, meetings, seed=str(event))
    stage = play_event(drawn, World(strength, rng, ROUGH), watch=counts.watch)
    if event % CHECKED_EVERY == 0:
        counts.rejected += not check(archive_of(stage, drawn=drawn)).accepted
