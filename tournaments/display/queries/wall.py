"""What hangs on the wall of a venue: who is called to which table, and the draws as far as they are."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.timezone import now

from tournaments.models import StageStatus
from tournaments.stages.queries.stage_picture import Picture, PictureCell, PictureColumn

# Columns that stand side by side in letters that are read from eight metres.
SIDE_BY_SIDE = 2
# A draw that was made less than this ago, and in which nothing has happened, is unrolled name by name.
FRESH = timedelta(minutes=3)
OPEN = frozenset({"ready", "called", "live", "waiting"})


@dataclass(frozen=True, slots=True)
class Call:
    """A match that is called or played: its table, who, since when."""

    table: int | None
    first: str
    second: str
    stage: str
    since: datetime | None
    begun: bool


@dataclass(frozen=True, slots=True)
class Panel:
    """A screenful of the wall: a section of a bracket from the round that is played on, or a standing."""

    key: str
    title: str
    picture: Picture
    columns: Sequence[PictureColumn] = ()
    standing: bool = False
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class Wall:
    """Everything on the wall. ``round_since`` is when the first open match of the newest round was called."""

    calls: Sequence[Call]
    next: Sequence[Call]
    panels: Sequence[Panel]
    round_since: datetime | None


def wall_of(pictures: Sequence[Picture], *, at: datetime | None = None) -> Wall:
    """The wall of drawn stages, no query."""
    at = at or now()
    running = [picture for picture in pictures if picture.stage.status == StageStatus.RUNNING]
    called = [call for picture in running for call in _calls(picture, {"called", "live"})]
    # Newest first; what is called within the same minute by its table, as people look for theirs.
    called.sort(key=lambda call: (call.begun, -((call.since or at).timestamp() // 60), call.table or 0))
    ready = [call for picture in running for call in _calls(picture, {"ready"})]
    panels = [panel for picture in running or pictures for panel in _panels(picture, at)]
    since = min((call.since for call in called if call.since), default=None)
    return Wall(called, ready, panels, since)


def _calls(picture: Picture, states: set[str]) -> Iterator[Call]:
    for cell in picture.cells:
        if cell.state in states and cell.placed is not None:
            first, second = (picture.names[mark.number].title for mark in (cell.a, cell.b))
            since, begun = cell.placed.called_at, cell.state == "live"
            yield Call(cell.placed.table, first, second, picture.stage.name, since, begun)


def _panels(picture: Picture, at: datetime) -> Iterator[Panel]:
    stage, value = picture.stage, picture.value
    fresh = stage.drawn_at is not None and at - stage.drawn_at < FRESH and not value.outcomes
    for section in picture.sections:
        columns = _in_play(section.columns) if picture.is_bracket else section.columns[:1]
        if columns and (picture.is_bracket or not _over(columns[0])):
            yield Panel(f"{stage.ref}-{section.key}", section.title, picture, columns, fresh=fresh)
    if picture.places:
        yield Panel(f"{stage.ref}-standing", stage.name, picture, standing=True)


def _in_play(columns: Sequence[PictureColumn]) -> Sequence[PictureColumn]:
    """From the first round with an open match on; of a section that is over the last rounds."""
    first = next((i for i, column in enumerate(columns) if not _over(column)), len(columns) - SIDE_BY_SIDE)
    return columns[max(0, first) : max(0, first) + SIDE_BY_SIDE]


def _over(column: PictureColumn) -> bool:
    return not any(_open(cell) for cell in column.cells)


def _open(cell: PictureCell) -> bool:
    return cell.state in OPEN
