"""Places, shared where nothing separates."""

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby


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


def told_places(places: Sequence[Place], played: Container[int]) -> Iterator[Place]:
    """The places that say something while a table is being played.

    Left out are those that all entrants share, and those of an entrant who has not ``played`` yet and of all
    who share them: nobody there could be ahead so far.

    >>> table = share_places([[7], [4, 9, 2], [1]])
    >>> [place.text for place in told_places(table, {7, 1})], list(told_places(share_places([[1, 2]]), {1}))
    (['1', '5'], [])
    """
    for _first, sharing in groupby(places, key=lambda place: place.first):
        group = list(sharing)
        if len(group) < len(places) and all(each.entrant in played for each in group):
            yield from group
