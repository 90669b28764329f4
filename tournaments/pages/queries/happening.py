"""Two rounds of a current or past event for the front page."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from django.utils.translation import get_language

from clubs.access import Viewer
from clubs.cached import from_cache, to_cache
from clubs.models import Club
from tournaments.events.queries.events import newest_events
from tournaments.models import Event, EventStatus, StageRow
from tournaments.stages.queries.stage_picture import Picture, PictureCell, PictureColumn, SideMark, picture_of
from tournaments.stages.services.stages import load

FRESH = 60  # seconds
MOST_MATCHES = 8
"""Of one of the two rounds."""
ORDER = {"live": 0, "called": 1, "done": 2, "open": 2}
"""What is looked at first in a round of many matches."""
STIRRED = frozenset(ORDER)


@dataclass(frozen=True, slots=True)
class ShownSide:
    """A side of a match by name; "" until it is known. ``points`` is None before it is played."""

    name: str
    points: int | None
    won: bool


@dataclass(frozen=True, slots=True)
class ShownPairing:
    """A match of the draw; ``live`` while in progress, ``table`` once called."""

    live: bool
    table: int | None
    sides: tuple[ShownSide, ShownSide]


Rounds: TypeAlias = Sequence[Sequence[ShownPairing]]


@dataclass(frozen=True, slots=True)
class Happening:
    """An event and two rounds of its main bracket."""

    event: Event
    rounds: Rounds

    @property
    def runs(self) -> bool:
        return self.event.status == EventStatus.RUNNING

    @property
    def live(self) -> bool:
        """Whether a match of these rounds is in progress."""
        return any(pairing.live for pairings in self.rounds for pairing in pairings)


def happening(viewer: Viewer) -> Happening | None:
    """The public event to show, with a drawn bracket.

    The newest one in progress, those with tables in play first, else the last finished one. None without a
    bracket in which two entrants meet. Three queries, and two for each draw and version.
    """
    events = newest_events(viewer, Club.objects.public())
    drawn = StageRow.objects.filter(flight__event__in=events, drawn_at__isnull=False)
    drawn = drawn.select_related("flight__event__club").order_by("flight__position", "position")
    stages = list(drawn)
    first = None
    for event in events:
        if first is not None and event.status != EventStatus.RUNNING:
            break
        found = _of_event(event, [stage for stage in stages if stage.flight.event_id == event.pk])
        if found is not None and found.live:
            return found
        first = first or found
    return first


def _of_event(event: Event, stages: Sequence[StageRow]) -> Happening | None:
    """The rounds of its first draw that has any to show."""
    shown = (_kept_rounds(stage, event.version) for stage in stages)
    return next((Happening(event, rounds) for rounds in shown if rounds), None)


def _kept_rounds(stage: StageRow, version: int) -> Rounds:
    """The rounds at this version, cached for all visitors; names for a minute."""
    key = f"happening-{stage.ref}-{version}-{get_language()}"
    kept: Rounds | None = from_cache(key)
    if kept is not None:
        return kept
    picture = picture_of(stage, load(stage))
    found = _rounds(picture) if picture.is_bracket else []
    to_cache(key, found, FRESH)
    return found


def _rounds(picture: Picture) -> Rounds:
    """The last round with a match and the one beside it; none without any.

    A large round is shown alone: matches in progress first, then results.
    """
    columns = picture.sections[0].columns
    known = [number for number, column in enumerate(columns) if _is_met(column)]
    if not known:
        return []
    begun = [n for n in known if any(cell.state in STIRRED for cell in columns[n].matches)] or known
    last = begun[-1]
    shown = columns[max(0, last - 1) : max(0, last - 1) + 2]
    if len(shown[0].matches) > MOST_MATCHES:
        shown = columns[last : last + 1]
    return [[_pairing(picture, cell) for cell in _few(column)] for column in shown]


def _few(column: PictureColumn) -> Sequence[PictureCell]:
    if len(column.matches) <= MOST_MATCHES:
        return column.matches
    named = [cell for cell in column.matches if cell.a.number and cell.b.number]
    chosen = sorted(named, key=lambda cell: ORDER.get(cell.state, len(ORDER)))[:MOST_MATCHES]
    return sorted(chosen, key=lambda cell: cell.number)


def _is_met(column: PictureColumn) -> bool:
    """Whether it has a match between two entrants."""
    return any(cell.a.number and cell.b.number for cell in column.matches)


def _pairing(picture: Picture, cell: PictureCell) -> ShownPairing:
    table = cell.placed.table if cell.placed else None
    return ShownPairing(cell.state == "live", table, (_side(picture, cell.a), _side(picture, cell.b)))


def _side(picture: Picture, mark: SideMark) -> ShownSide:
    named = picture.names.get(mark.number)
    return ShownSide(named.title if named else "", mark.points, mark.won)
