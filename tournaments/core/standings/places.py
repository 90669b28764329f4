"""Places, shared where nothing separates."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """An entrant (by number) on the places ``first`` to ``last``; equal when the place is theirs alone."""

    entrant: int
    first: int
    last: int

    @property
    def shared(self) -> bool:
        return self.first != self.last

    @property
    def text(self) -> str:
        """The places as tables write them.

        >>> Place(7, 3, 3).text, Place(7, 5, 8).text
        ('3', '5–8')
        """
        return f"{self.first}–{self.last}" if self.shared else f"{self.first}"


def share_places(groups: Iterable[Sequence[int]], *, first: int = 1) -> tuple[Place, ...]:
    """Places for groups of tied entrants, best group first.

    >>> [(p.entrant, p.first, p.last) for p in share_places([[7], [4, 9], [1]])]
    [(7, 1, 1), (4, 2, 3), (9, 2, 3), (1, 4, 4)]
    """
    places: list[Place] = []
    for group in groups:
        last = first + len(group) - 1
        places.extend(Place(entrant, first, last) for entrant in group)
        first = last + 1
    return tuple(places)
