"""Values that are computed of a stage and asked for several times."""

from collections.abc import Callable
from typing import Generic, TypeVar

from tournaments.core.stages.stage import Stage

KEPT = 8
T = TypeVar("T")


class Kept(Generic[T]):
    """The last values of stages, shared between callers: treat them as frozen.

    ``alike`` says whether two stages have one value; without it only the very same stage has. The values are
    replaced whole, so that another thread never sees half of them.
    """

    def __init__(self, alike: Callable[[Stage, Stage], bool] | None = None) -> None:
        self._alike = alike
        self._found: tuple[tuple[Stage, T], ...] = ()

    def of(self, stage: Stage) -> T | None:
        """The value of a stage, None if it is not kept."""
        for known, found in self._found:
            if known is stage or (self._alike is not None and self._alike(known, stage)):
                return found
        return None

    @property
    def values(self) -> tuple[T, ...]:
        """The kept values, the newest first."""
        return tuple(found for _stage, found in self._found)

    def keep(self, stage: Stage, value: T) -> T:
        """Keep a value beside the last ones, and return it."""
        self._found = ((stage, value), *self._found[: KEPT - 1])
        return value
