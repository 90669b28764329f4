"""Keep club mates, compatriots and recent opponents apart for the first rounds of a bracket."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from random import Random

from tournaments.core.stages.entrants import Field

Partners = Mapping[int, frozenset[int]]

PASSES = 40
NOBODY: frozenset[int] = frozenset()


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


def clash(p: int, q: int, rounds: int) -> int:
    """The weight of two protected entrants on these positions: 0 if they cannot meet within the rounds.

    A meeting one round earlier weighs eight times as much.
    """
    meeting = (p ^ q).bit_length()
    return 8 ** (rounds - meeting) if meeting <= rounds else 0


def clashes(seats: Sequence[int], apart: Partners, rounds: int) -> int:
    """The whole weight of a seating; 0 when all protection is kept."""
    at = {number: position for position, number in enumerate(seats) if number}
    return sum(clash(at[n], at[m], rounds) for n in at for m in apart[n] if n < m)


def spread(
    seats: Sequence[int], tiers: Mapping[int, int], apart: Partners, rounds: int, rng: Random
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
    number: int, position: int, at: Mapping[int, int], apart: Partners, rounds: int, without: int
) -> int:
    return sum(clash(position, at[m], rounds) for m in apart[number] if m != without)


def _clashing(at: Mapping[int, int], apart: Partners, rounds: int, rng: Random) -> list[int]:
    found = [n for n in sorted(at) if _weight(n, at[n], at, apart, rounds, 0)]
    rng.shuffle(found)
    return found


def _exchange(
    number: int, mates: Sequence[int], at: Mapping[int, int], apart: Partners, rounds: int, rng: Random
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
            gain -= clash(here, there, rounds)
        if gain > best_gain:
            best_gain, choice = gain, [other]
        elif gain == best_gain:
            choice.append(other)
    return rng.choice(choice) if choice else None
