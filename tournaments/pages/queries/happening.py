"""The draw that a visitor sees on the first page: two rounds of an event that is played now, or was."""

from collections.abc import Sequence
from dataclasses import dataclass

from clubs.access import Viewer
from clubs.models import Club
from tournaments.events.queries.events import newest_public_event
from tournaments.models import Event, EventStatus, StageRow
from tournaments.stages.queries.stage_picture import Picture, PictureCell, PictureColumn, SideMark, picture_of
from tournaments.stages.services.stages import load

MOST_MATCHES = 8
"""In one of the two rounds; an earlier round of a larger draw is left out."""


@dataclass(frozen=True, slots=True)
class ShownSide:
    """A side of a match by name, or in words who will be there. ``points`` is None before it is played."""

    name: str
    points: int | None
    won: bool


@dataclass(frozen=True, slots=True)
class ShownPairing:
    """A match of the draw; ``live`` while it is played."""

    live: bool
    sides: tuple[ShownSide, ShownSide]


@dataclass(frozen=True, slots=True)
class Happening:
    """An event and the two rounds of its main bracket that are worth looking at."""

    event: Event
    rounds: Sequence[Sequence[ShownPairing]]

    @property
    def runs(self) -> bool:
        return self.event.status == EventStatus.RUNNING


def happening(viewer: Viewer) -> Happening | None:
    """The newest public event that runs, else the last one; None without a drawn bracket (five queries)."""
    event = newest_public_event(viewer, Club.objects.public())
    if event is None:
        return None
    drawn = StageRow.objects.filter(flight__event=event, drawn_at__isnull=False)
    drawn = drawn.select_related("flight__event__club").order_by("flight__position", "position")
    stage = drawn.first()
    if stage is None:
        return None
    picture = picture_of(stage, load(stage))
    return Happening(event, _rounds(picture)) if picture.is_bracket else None


def _rounds(picture: Picture) -> Sequence[Sequence[ShownPairing]]:
    columns = [column for column in picture.sections[0].columns if len(column.matches) <= MOST_MATCHES]
    known = [number for number, column in enumerate(columns) if _is_met(column)]
    last = known[-1] if known else 0
    shown = columns[max(0, last - 1) : max(0, last - 1) + 2]
    return [[_pairing(picture, cell) for cell in column.matches] for column in shown]


def _is_met(column: PictureColumn) -> bool:
    """Whether somebody meets somebody in it."""
    return any(cell.a.number and cell.b.number for cell in column.matches)


def _pairing(picture: Picture, cell: PictureCell) -> ShownPairing:
    return ShownPairing(cell.state == "live", (_side(picture, cell.a), _side(picture, cell.b)))


def _side(picture: Picture, mark: SideMark) -> ShownSide:
    named = picture.names.get(mark.number)
    return ShownSide(named.title if named else mark.words, mark.points, mark.won)
