"""Forbidden pairs: entrants that must not be paired, or only where all else would be worse.

The list of a director is labels of entrants: those with one in common are a forbidden pair. Labels are
opaque, so that a published draw says who was kept apart and not why.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from dataclasses import field as made_by

from tournaments.core.stages.entrants import Field
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.stages.pairings import Pairing

NOBODY: frozenset[int] = frozenset()
Partners = Mapping[int, frozenset[int]]


@dataclass(frozen=True, slots=True)
class Bans:
    """For each entrant number with a forbidden partner, the numbers of those partners.

    ``never`` always holds, ``avoid`` where possible. A pair in both is in ``never``.
    """

    never: Partners = made_by(default_factory=dict)
    avoid: Partners = made_by(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.never or self.avoid)

    def forbids(self, one: int, other: int) -> bool:
        return other in self.never.get(one, NOBODY)

    def avoids(self, one: int, other: int) -> bool:
        return other in self.avoid.get(one, NOBODY) and not self.forbids(one, other)


def bans_of(field: Field) -> Bans:
    """The forbidden pairs of a field, by number."""
    return Bans(_sharing(each.never for each in field), _sharing(each.avoid for each in field))


def _sharing(labels: Iterable[frozenset[str]]) -> dict[int, frozenset[int]]:
    groups: dict[str, set[int]] = defaultdict(set)
    for number, named in enumerate(labels, 1):
        for label in named:
            groups[label].add(number)
    found: dict[int, set[int]] = defaultdict(set)
    for group in groups.values():
        if len(group) > 1:
            for number in group:
                found[number] |= group - {number}
    return {number: frozenset(others) for number, others in found.items()}


def forbidden_in(field: Field, pairings: Iterable[Pairing]) -> DrawRefused | None:
    """The refusal of pairings in which a forbidden pair would meet, naming the first; None without one."""
    bans = bans_of(field)
    for pairing in pairings if bans.never else ():
        if bans.forbids(pairing.a, pairing.b):
            return DrawRefused(
                "forbidden_pair",
                f"round {pairing.round} cannot be paired without entrants {pairing.a} and {pairing.b}, who "
                "must never meet",
                entrant=pairing.a,
                opponent=pairing.b,
                round=pairing.round,
            )
    return None
