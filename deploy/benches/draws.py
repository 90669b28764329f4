"""Speed of draws: large fields, large brackets, a bracket after one result.

Rounds of large fields, large brackets, and a bracket resolved again after one result.
"""

from collections.abc import Callable, Iterator
from random import Random
from time import perf_counter

from deploy.figures import Figure
from tournaments.core.brackets.correction import Correction, what_if
from tournaments.core.brackets.elimination import DoubleOptions, double_elimination
from tournaments.core.brackets.resolve import Resolution, resolve
from tournaments.core.formats.table import format_of
from tournaments.core.play import acts
from tournaments.core.play.simulation import World, play_event, strong_field
from tournaments.core.rounds.swiss import SwissOptions
from tournaments.core.stages.entrants import Entrant
from tournaments.core.stages.outcomes import Outcome
from tournaments.core.stages.seeding import SeatingOptions, seat

REPEATS = 9
ROUNDS_BEFORE = 5


def run() -> Iterator[Figure]:
    for players in (128, 256, 1024, 2048):
        yield Figure(f"swiss_{players}_ms", swiss_round(players), "ms", size=f"round {ROUNDS_BEFORE + 1}")
    yield Figure("double_4096_ms", 1000 * bracket(4096), "ms", size="drawn and built")
    yield Figure("double_100000_s", bracket(100_000), "s", size="drawn and built")
    state = played_bracket(4096)
    yield Figure("resolve_4096_ms", 1000 * resolve_again(state), "ms", size="after one result")
    yield Figure("what_if_4096_ms", 1000 * preview(state), "ms", size="one correction")


def timed(work: Callable[[], object]) -> float:
    """Seconds of the fastest run: other load only adds."""
    seconds = []
    for _ in range(REPEATS):
        start = perf_counter()
        work()
        seconds.append(perf_counter() - start)
    return min(seconds)


def swiss_round(players: int) -> float:
    """Milliseconds to pair the next round of a Swiss after some rounds."""
    rng = Random(players)  # noqa: S311 - a repeatable measurement
    strength = strong_field(players, rng)
    field = [Entrant(ref, rating=value) for ref, value in strength.items()]
    stage = acts.open_stage("swiss", field, SwissOptions(rounds=11), seed="bench")
    stage = play_event(stage, World(strength, rng), rounds=ROUNDS_BEFORE)
    swiss = format_of("swiss")
    return 1000 * timed(lambda: swiss.due(stage))


def bracket(entrants: int) -> float:
    """Seconds to seat a double elimination and build its graph."""
    field = [Entrant(f"p{n}", rating=float(n % 997)) for n in range(entrants)]

    def work() -> object:
        rng = Random(1)  # noqa: S311 - a repeatable measurement
        return double_elimination(seat(field, SeatingOptions(), rng), DoubleOptions())

    return timed(work)


def played_bracket(entrants: int) -> Resolution:
    """A double elimination with every match played."""
    graph = double_elimination(range(1, entrants + 1), DoubleOptions())
    state = resolve(graph, {})
    results: dict[int, Outcome] = {}
    while ready := list(state.ready()):
        for match in ready:
            a, b = state.a[match], state.b[match]
            results[match] = Outcome(min(a, b), max(a, b))
        state = resolve(graph, results)
    return state


def resolve_again(state: Resolution) -> float:
    """Seconds to resolve the whole bracket after its last result."""
    return timed(lambda: resolve(state.bracket, state.results))


def preview(state: Resolution) -> float:
    """Seconds to preview the consequences of reversing the first result."""
    first = state.results[1]
    turned = Correction(1, Outcome(first.loser, first.winner))
    return timed(lambda: what_if(state.bracket, state.results, turned))
