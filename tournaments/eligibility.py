"""Who may enter a flight: a rule as data, judged by values alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tournaments.draws.encoding import decode, encode
from tournaments.prizes.pools import SidePool


@dataclass(frozen=True, slots=True)
class Eligibility:
    """Ratings from ``rating_from`` to under ``rating_below`` (the club's main list; a pair or team by its
    mean); ``unrated`` whether somebody without a rating may enter. A director may admit anybody.
    """

    rating_from: float | None = None
    rating_below: float | None = None
    unrated: bool = True

    @property
    def open(self) -> bool:
        """Whether anybody may enter."""
        return self == Eligibility()

    def admits(self, rating: float | None) -> bool:
        """Whether somebody with this rating (None: without one) may enter.

        >>> Eligibility(rating_below=1600).admits(1600.0)
        False
        """
        if rating is None:
            return self.unrated
        above = self.rating_from is None or rating >= self.rating_from
        return above and (self.rating_below is None or rating < self.rating_below)


def eligibility_of(plain: Mapping[str, Any]) -> Eligibility:
    """Read a flight's rule. Raises InvalidArchive for what is none."""
    found: Eligibility = decode(Eligibility, dict(plain), "eligibility")
    return found


def pools_of(plain: Sequence[Any]) -> tuple[SidePool, ...]:
    """Read a flight's side pools. Raises InvalidArchive or PrizeRefused for what are none."""
    found: tuple[SidePool, ...] = decode(tuple[SidePool, ...], list(plain), "pools")
    return found


def plain_pools(pools: Sequence[SidePool]) -> list[Any]:
    """Undo ``pools_of``."""
    return [encode(pool) for pool in pools]
