"""Seeding: rank order, bracket positions, byes and protection.

Entrants of one *tier* (ranks 1, 2, 3-4, 5-8, ...; and all unseeded ones together) may change places without
breaking the promise that seeds 1 and 2 can meet only in the final, the best four only in the semi-finals, and
so on. Byes by lot, the draw of the unseeded and protection all move entrants inside their tier only.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from tournaments.core.stages.entrants import Field
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.stages.protection import Weights, kept_apart, spread

Protect = Literal["club", "country", "met"]


@dataclass(frozen=True, slots=True)
class SeatingOptions:
    """How a bracket is seated.

    ``seeding``: ``"rating"`` (a director's seeds, then highest first, unrated last, equals by lot),
    ``"hand"`` (the field's order) or ``"lot"``. ``seeds``: how many are seeded, the others drawn by lot;
    ``None`` seeds all. ``byes`` go to the best seeds, are drawn by lot, or include ``chosen_byes`` (refs),
    who change places with the lowest seeds that would have had one. ``protect`` keeps club mates, compatriots
    or recent opponents apart for the first ``protect_rounds`` rounds as far as the tiers allow; forbidden
    pairs (``bans``) come first and are kept apart in the first round at least; with ``forbidden="parts"``
    families of up to eight sit in different halves, quarters or eighths, where the tiers allow it.
    """

    seeding: Literal["rating", "hand", "lot"] = "rating"
    seeds: int | None = None
    byes: Literal["seed", "lot", "chosen"] = "seed"
    chosen_byes: tuple[str, ...] = ()
    protect: tuple[Protect, ...] = ()
    protect_rounds: int = 1
    forbidden: Literal["first_round", "parts"] = "first_round"

    def kept_apart(self, field: Field) -> Weights:
        """Whom the seating of this field keeps apart."""
        total = bracket_size(len(field)).bit_length() - 1 if self.forbidden == "parts" else 0
        return kept_apart(field, self.protect, self.protect_rounds, total=total)


def standard_order(size: int) -> list[int]:
    """The seed at each position, so that the best ``2 ** k`` can meet only when ``2 ** k`` are left.

    >>> standard_order(8)
    [1, 8, 4, 5, 2, 7, 3, 6]
    """
    order = [1]
    while len(order) < size:
        total = 2 * len(order) + 1
        order = [seed for low in order for seed in (low, total - low)]
    return order


def rank(field: Field, seeding: Literal["rating", "hand", "lot"], rng: Random) -> list[int]:
    """Entrant numbers, best seed first."""
    numbers = list(range(1, len(field) + 1))
    if seeding == "hand":
        return numbers
    rng.shuffle(numbers)
    if seeding == "rating":
        strengths = [entrant.strength for entrant in field]
        numbers.sort(key=lambda n: strengths[n - 1])
    return numbers


def bracket_size(entrants: int) -> int:
    """The smallest power of two that seats all entrants, at least 2."""
    return max(2, 1 << (entrants - 1).bit_length())


def seat(field: Field, options: SeatingOptions, rng: Random) -> tuple[int, ...]:
    """Entrant numbers by first-round position, 0 for a bye.

    No match has two byes. The same field, options and random state give the same seating.

    Raises:
        DrawRefused: ``seeds_out_of_range``, ``unknown_bye`` or ``too_many_byes``.
    """
    seeded = len(field) if options.seeds is None else options.seeds
    if not 0 <= seeded <= len(field):
        raise DrawRefused("seeds_out_of_range", f"{seeded} seeds among {len(field)} entrants", seeds=seeded)
    ranked = rank(field, options.seeding, rng)
    if seeded < len(ranked):
        drawn = ranked[seeded:]
        rng.shuffle(drawn)
        ranked[seeded:] = drawn
    size = bracket_size(len(field))
    byes = size - len(field)
    if options.byes == "chosen":
        ranked = _favour(ranked, field, options.chosen_byes, byes)
    elif options.chosen_byes:
        raise DrawRefused("unknown_bye", f'byes were chosen, but the option is byes="{options.byes}"')
    resting = (
        sorted(rng.sample(range(1, size // 2 + 1), byes)) if options.byes == "lot" else range(1, byes + 1)
    )
    seats = _fill(ranked, standard_order(size), frozenset(size + 1 - top for top in resting))
    apart = options.kept_apart(field)
    if apart:
        chosen = {ranked.index(n) for n, e in enumerate(field, 1) if e.ref in options.chosen_byes}
        seats = spread(seats, _tiers(ranked, seeded, chosen), apart, rng)
    return tuple(seats)


def _favour(ranked: list[int], field: Field, chosen: Sequence[str], byes: int) -> list[int]:
    numbers = {entrant.ref: number for number, entrant in enumerate(field, 1)}
    for ref in chosen:
        if ref not in numbers:
            raise DrawRefused("unknown_bye", f"{ref} should get a bye but is not in the field", ref=ref)
    favoured = {numbers[ref] for ref in chosen}
    if len(favoured) > byes:
        raise DrawRefused("too_many_byes", f"{len(favoured)} byes chosen; this field has {byes}", byes=byes)
    ranked = list(ranked)
    outside = [i for i in range(byes, len(ranked)) if ranked[i] in favoured]
    yielding = [i for i in reversed(range(byes)) if ranked[i] not in favoured]
    for i, j in zip(outside, yielding, strict=False):
        ranked[i], ranked[j] = ranked[j], ranked[i]
    return ranked


def _fill(ranked: Sequence[int], order: Sequence[int], empty: frozenset[int]) -> list[int]:
    """Seat the ranked entrants on the positions whose seed is not empty, best on best."""
    taken = dict(zip((seed for seed in range(1, len(order) + 1) if seed not in empty), ranked, strict=True))
    return [taken.get(seed, 0) for seed in order]


def _tiers(ranked: Sequence[int], seeded: int, fixed: set[int]) -> dict[int, int]:
    """The tier of each entrant; those in one tier may change places. Chosen byes stay where they are."""
    tiers: dict[int, int] = {}
    for index, number in enumerate(ranked):
        if index in fixed:
            tiers[number] = -number
        elif index < seeded:
            tiers[number] = index.bit_length()
        else:
            tiers[number] = 1_000
    return tiers
