"""Keep club mates, compatriots, recent opponents and forbidden pairs apart early in a bracket."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from tournaments.core.stages.bans import NOBODY, bans_of
from tournaments.core.stages.entrants import Field

PASSES = 40
AVOID_WEIGHT, NEVER_WEIGHT = 1 << 20, 1 << 40
"""A forbidden pair outweighs every protection."""
EARLY = 1 << 40
"""What a meeting in a protected round outweighs: one of a family in a later round."""
LARGEST_FAMILY = 8
"""Of more entrants with one label only the first round is looked at: a club is too large for parts."""


@dataclass(frozen=True, slots=True)
class Apart:
    """How two entrants are kept apart: with this ``weight`` in the first ``rounds``, and less ``until``.

    ``weight`` is that of a meeting in the last of those rounds.
    """

    weight: int
    rounds: int
    until: int = 0

    def clash(self, p: int, q: int) -> int:
        """The weight of the two on these positions; 0 if they cannot meet within the rounds.

        A meeting one round earlier weighs eight times as much.
        """
        meeting = (p ^ q).bit_length()
        if meeting <= self.rounds:
            return self.weight << 3 * (self.rounds - meeting)
        return 1 << 3 * (self.until - meeting) if meeting <= self.until else 0


Weights = Mapping[int, Mapping[int, Apart]]
"""For each entrant number, those to keep apart from it."""


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


def kept_apart(field: Field, protect: Sequence[str], protect_rounds: int, *, total: int = 0) -> Weights:
    """Whom to keep apart early; empty if no one is.

    Forbidden pairs are kept apart for one round at least, whatever is protected. Given how many rounds there
    are in ``total``, a family is kept in different parts: two meet in the final only, three or four not
    before the semi-finals.
    """
    protected, bans = protect if protect_rounds > 0 else (), bans_of(field)
    if not protected and not bans:
        return {}
    rounds = max(protect_rounds, 1) if bans else protect_rounds
    scale = EARLY if total else 1
    found = {
        number: dict.fromkeys(others, Apart(scale, rounds))
        for number, others in partners(field, protected).items()
    }
    until = _families(field, total)
    for pairs, weight in ((bans.avoid, AVOID_WEIGHT), (bans.never, NEVER_WEIGHT)):
        for number, others in pairs.items():
            found[number] |= {
                other: Apart(weight * scale, rounds, until.get(frozenset({number, other}), 0))
                for other in others
            }
    return found


def _families(field: Field, total: int) -> dict[frozenset[int], int]:
    """For how many rounds two of a family stay apart if each has a part of the bracket to itself."""
    groups: dict[str, list[int]] = defaultdict(list)
    for number, entrant in enumerate(field, 1):
        for label in entrant.never | entrant.avoid:
            groups[label].append(number)
    found: dict[frozenset[int], int] = defaultdict(int)
    for group in groups.values():
        if len(group) <= LARGEST_FAMILY:
            for pair in map(frozenset, combinations(group, 2)):
                found[pair] = max(found[pair], total - (len(group) - 1).bit_length())
    return found


def clashes(seats: Sequence[int], apart: Weights) -> int:
    """The whole weight of a seating; 0 when all protection is kept."""
    at = {number: position for position, number in enumerate(seats) if number}
    return sum(w.clash(at[n], at[m]) for n, others in apart.items() for m, w in others.items() if n < m)


def spread(seats: Sequence[int], tiers: Mapping[int, int], apart: Weights, rng: Random) -> list[int]:
    """The seating after exchanges inside tiers that lower the clashes, until none helps.

    Exchanges that change nothing are also taken, by lot, so that the search leaves plateaus; it stops at 0 or
    after a fixed number of passes without progress. The best seating seen is returned.
    """
    seats = list(seats)
    at = {number: position for position, number in enumerate(seats) if number}
    mates: dict[int, list[int]] = defaultdict(list)
    for number in sorted(at):
        mates[tiers[number]].append(number)
    best, least = list(seats), clashes(seats, apart)
    idle = 0
    while least and idle < PASSES:
        idle += 1
        for number in _clashing(at, apart, rng):
            other = _exchange(number, mates[tiers[number]], at, apart, rng)
            if other is not None:
                at[number], at[other] = at[other], at[number]
                seats[at[number]], seats[at[other]] = number, other
        weight = clashes(seats, apart)
        if weight < least:
            best, least, idle = list(seats), weight, 0
    return best


def _weight(number: int, position: int, at: Mapping[int, int], apart: Weights, without: int) -> int:
    return sum(w.clash(position, at[m]) for m, w in apart[number].items() if m != without)


def _clashing(at: Mapping[int, int], apart: Weights, rng: Random) -> list[int]:
    found = [n for n in sorted(at) if _weight(n, at[n], at, apart, 0)]
    rng.shuffle(found)
    return found


def _exchange(
    number: int, mates: Sequence[int], at: Mapping[int, int], apart: Weights, rng: Random
) -> int | None:
    """The tier mate whose exchange lowers the weight most, by lot among equals.

    ``None`` if each would raise it.
    """
    here = at[number]
    now = _weight(number, here, at, apart, 0)
    best_gain = 0
    choice: list[int] = []
    for other in mates:
        if other == number:
            continue
        there = at[other]
        gain = now - _weight(number, there, at, apart, other)
        gain += _weight(other, there, at, apart, 0) - _weight(other, here, at, apart, number)
        if other in apart[number]:
            gain -= apart[number][other].clash(here, there)
        if gain > best_gain:
            best_gain, choice = gain, [other]
        elif gain == best_gain:
            choice.append(other)
    return rng.choice(choice) if choice else None
