"""Keep club mates, compatriots, recent opponents and forbidden pairs apart early in a bracket."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from random import Random

from tournaments.core.stages.bans import NOBODY, bans_of
from tournaments.core.stages.entrants import Field

Weights = Mapping[int, Mapping[int, int]]
"""For each entrant number, those to keep apart from it, each with what a meeting in the last round weighs."""

PASSES = 40
AVOID_WEIGHT, NEVER_WEIGHT = 1 << 20, 1 << 40
"""A forbidden pair outweighs every protection."""


def partners(field: Field, protect: Sequence[str]) -> dict[int, frozenset[int]]:
    """For each entrant number, the numbers to keep apart early."""
    if not protect:
        return dict.fromkeys(range(1, len(field) + 1), NOBODY)
    together: dict[int, set[int]] = defaultdict(set)
    numbers = {ref: n for n, e in enumerate(field, 1) for ref in (e.ref, *e.people)}
    for kind in protect:
        if kind == "met":
            for number, entrant in enumerate(field, 1):
                for ref in entrant.met:
                    other = numbers.get(ref)
                    if other is not None and other != number:
                        together[number].add(other)
                        together[other].add(number)
            continue
        groups: dict[str, set[int]] = defaultdict(set)
        for number, entrant in enumerate(field, 1):
            value = entrant.club if kind == "club" else entrant.country
            if value is not None:
                groups[value].add(number)
        for group in groups.values():
            for number in group:
                together[number] |= group - {number}
    return {number: frozenset(together[number]) for number in range(1, len(field) + 1)}


def kept_apart(field: Field, protect: Sequence[str], protect_rounds: int) -> tuple[Weights, int]:
    """Whom to keep apart early, and for how many rounds; 0 rounds if no one is.

    Forbidden pairs are kept apart for one round at least, whatever is protected.
    """
    protected, bans = protect if protect_rounds > 0 else (), bans_of(field)
    if not protected and not bans:
        return {}, 0
    found = {number: dict.fromkeys(others, 1) for number, others in partners(field, protected).items()}
    for pairs, weight in ((bans.avoid, AVOID_WEIGHT), (bans.never, NEVER_WEIGHT)):
        for number, others in pairs.items():
            found[number] |= dict.fromkeys(others, weight)
    return found, max(protect_rounds, 1) if bans else protect_rounds


def clash(p: int, q: int, rounds: int) -> int:
    """The weight of two protected entrants on these positions: 0 if they cannot meet within the rounds.

    A meeting one round earlier weighs eight times as much.
    """
    meeting = (p ^ q).bit_length()
    return 8 ** (rounds - meeting) if meeting <= rounds else 0


def clashes(seats: Sequence[int], apart: Weights, rounds: int) -> int:
    """The whole weight of a seating; 0 when all protection is kept."""
    at = {number: position for position, number in enumerate(seats) if number}
    return sum(clash(at[n], at[m], rounds) * w for n in at for m, w in apart[n].items() if n < m)


def spread(
    seats: Sequence[int], tiers: Mapping[int, int], apart: Weights, rounds: int, rng: Random
) -> list[int]:
    """The seating after exchanges inside tiers that lower the clashes, until none helps.

    Exchanges that change nothing are also taken, by lot, so that the search leaves plateaus; it stops at 0 or
    after a fixed number of passes without progress. The best seating seen is returned.
    """
    seats = list(seats)
    at = {number: position for position, number in enumerate(seats) if number}
    mates: dict[int, list[int]] = defaultdict(list)
    for number in sorted(at):
        mates[tiers[number]].append(number)
    best, least = list(seats), clashes(seats, apart, rounds)
    idle = 0
    while least and idle < PASSES:
        idle += 1
        for number in _clashing(at, apart, rounds, rng):
            other = _exchange(number, mates[tiers[number]], at, apart, rounds, rng)
            if other is not None:
                at[number], at[other] = at[other], at[number]
                seats[at[number]], seats[at[other]] = number, other
        weight = clashes(seats, apart, rounds)
        if weight < least:
            best, least, idle = list(seats), weight, 0
    return best


def _weight(
    number: int, position: int, at: Mapping[int, int], apart: Weights, rounds: int, without: int
) -> int:
    return sum(clash(position, at[m], rounds) * w for m, w in apart[number].items() if m != without)


def _clashing(at: Mapping[int, int], apart: Weights, rounds: int, rng: Random) -> list[int]:
    found = [n for n in sorted(at) if _weight(n, at[n], at, apart, rounds, 0)]
    rng.shuffle(found)
    return found


def _exchange(
    number: int, mates: Sequence[int], at: Mapping[int, int], apart: Weights, rounds: int, rng: Random
) -> int | None:
    """The tier mate whose exchange lowers the weight most, by lot among equals.

    ``None`` if each would raise it.
    """
    here = at[number]
    now = _weight(number, here, at, apart, rounds, 0)
    best_gain = 0
    choice: list[int] = []
    for other in mates:
        if other == number:
            continue
        there = at[other]
        gain = now - _weight(number, there, at, apart, rounds, other)
        gain += _weight(other, there, at, apart, rounds, 0) - _weight(other, here, at, apart, rounds, number)
        if other in apart[number]:
            gain -= clash(here, there, rounds) * apart[number][other]
        if gain > best_gain:
            best_gain, choice = gain, [other]
        elif gain == best_gain:
            choice.append(other)
    return rng.choice(choice) if choice else None
