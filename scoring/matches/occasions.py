"""Occasions of matches, registered by other apps, for links and grouping."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from clubs.access import Viewer
from scoring.models import Match


@dataclass(frozen=True, slots=True)
class Occasion:
    """A match's occasion: words, address, and the ``table`` it was called to."""

    words: str
    url: str
    table: int | None = None


@dataclass(frozen=True, slots=True)
class Occasions:
    """One kind of occasion, limited to what a viewer can see.

    ``of``     the occasion of each of the matches that has one, by the match's pk (one query).
    ``named``  the keys of the matches whose occasion has the text in its name, as a query to go on with.
    ``called`` the keys of the matches that are called to a table, as such a query.
    """

    of: Callable[[Iterable[Match], Viewer], Mapping[int, Occasion]]
    named: Callable[[str, Viewer], QuerySet[Any, Any]]
    called: Callable[[], QuerySet[Any, Any]]


_kinds: list[Occasions] = []


def register(kind: Occasions) -> None:
    """Register a ``kind`` of occasion; call it in ``AppConfig.ready``."""
    _kinds.append(kind)


def occasions_of(matches: Iterable[Match], viewer: Viewer) -> dict[int, Occasion]:
    """The occasions of these matches by pk (one query per kind)."""
    matches = list(matches)
    found: dict[int, Occasion] = {}
    for kind in reversed(_kinds):
        found.update(kind.of(matches, viewer))
    return found


def occasion_of(match: Match, viewer: Viewer) -> Occasion | None:
    """The match's occasion, if the viewer can see it; else None."""
    return occasions_of([match], viewer).get(match.pk)


def matches_at(text: str, viewer: Viewer) -> list[QuerySet[Any, Any]]:
    """For each kind the keys of the matches whose occasion has the text in its name."""
    return [kind.named(text, viewer) for kind in _kinds]


def matches_called() -> list[QuerySet[Any, Any]]:
    """For each kind the keys of the matches that are called to a table."""
    return [kind.called() for kind in _kinds]
