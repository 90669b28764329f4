"""Fields and plays that the draw tests share."""

from collections.abc import Callable, Iterable
from random import Random

from tournaments.core.brackets.bracket import Bracket
from tournaments.core.brackets.resolve import Resolution, resolve
from tournaments.core.stages.entrants import Entrant
from tournaments.core.stages.outcomes import Outcome


def field_of(count: int, *, clubs: int = 0) -> tuple[Entrant, ...]:
    """Entrants p1 (strongest) to pN; with ``clubs``, spread over that many clubs in turn."""
    return tuple(
        Entrant(f"p{n}", rating=2000.0 - n, club=f"c{n % clubs}" if clubs else None)
        for n in range(1, count + 1)
    )


def lower_number(a: int, b: int) -> int:
    return min(a, b)


def play(
    bracket: Bracket,
    *,
    winner: Callable[[int, int], int] = lower_number,
    gone: Iterable[int] = (),
    results: dict[int, Outcome] | None = None,
) -> Resolution:
    """Play every match that gets ready, until none is."""
    results = dict(results or {})
    while True:
        state = resolve(bracket, results, frozenset(gone))
        ready = list(state.ready())
        if not ready:
            return state
        for match in ready:
            a, b = state.a[match], state.b[match]
            won = winner(a, b)
            results[match] = Outcome(won, a + b - won)


def by_coin(rng: Random) -> Callable[[int, int], int]:
    return lambda a, b: rng.choice((a, b))
