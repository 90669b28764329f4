"""What a match is part of: the apps above register who knows, and the match's page links there."""

from collections.abc import Callable
from dataclasses import dataclass

from clubs.access import Viewer
from scoring.models import Match


@dataclass(frozen=True, slots=True)
class Occasion:
    """Where a match belongs, in words, and the address of it."""

    words: str
    url: str


Finder = Callable[[Match, Viewer], Occasion | None]
_finders: list[Finder] = []


def register(finder: Finder) -> None:
    """Let match pages link to what ``finder`` knows; call it in ``AppConfig.ready``. It asks one question."""
    _finders.append(finder)


def occasion_of(match: Match, viewer: Viewer) -> Occasion | None:
    """What the match is part of, as far as the viewer may know; None for a match of its own."""
    return next(filter(None, (finder(match, viewer) for finder in _finders)), None)
