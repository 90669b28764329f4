"""How long a helper waits before it tries again."""

from collections.abc import Callable
from dataclasses import dataclass

FIRST, LONGEST = 2.0, 600.0
"""Seconds."""
_MOST_DOUBLINGS = 16


@dataclass(slots=True)
class BackOff:
    """Waits that double up to a limit, each shortened by chance, so that many helpers do not come at once.

    ``chance`` gives a number from 0 to 1.

    >>> pauses = BackOff(lambda: 1.0)
    >>> [pauses.next() for _ in range(4)]
    [2.0, 4.0, 8.0, 16.0]
    """

    chance: Callable[[], float]
    failures: int = 0

    def next(self, *, at_least: float = 0.0) -> float:
        """Seconds to wait after one more failure."""
        longest = min(LONGEST, FIRST * (1 << min(self.failures, _MOST_DOUBLINGS)))
        self.failures += 1
        return max(at_least, longest * (0.5 + 0.5 * self.chance()))

    def reset(self) -> None:
        """Begin again after a success."""
        self.failures = 0
