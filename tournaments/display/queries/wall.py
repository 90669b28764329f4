"""Data of the big screen: calls and current draws."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.utils.timezone import now

from tournaments.models import StageStatus
from tournaments.stages.bracket_layout import parts_of
from tournaments.stages.bracket_names import short_names
from tournaments.stages.queries.decided_places import decided_places
from tournaments.stages.queries.stage_picture import Picture, PictureCell, PictureColumn

# Rounds side by side, and matches of the first round below one another, readable from eight metres. Larger
# draws are several panels, one after the other.
SIDE_BY_SIDE = 2
ROWS = 4
MOST_NEXT = 30
FEW, MANY = 5, 10
"""Up to this many calls have two lines each, or one."""
# A draw younger than this without results is shown name by name.
FRESH = timedelta(minutes=3)
OPEN = frozenset({"ready", "called", "live", "waiting"})


@dataclass(frozen=True, slots=True)
class Call:
    """A called or started match: table, names and start."""

    table: int | None
    first: str
    second: str
    stage: str
    since: datetime | None
    begun: bool


@dataclass(frozen=True, slots=True)
class Panel:
    """A panel of the big screen: rounds of a bracket section, or standings."""

    key: str
    title: str
    picture: Picture
    columns: Sequence[PictureColumn] = ()
    standing: bool = False
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class Wall:
    """Contents of the big screen.

    ``next`` are the first of the ``waiting`` matches; ``round_since`` is the time of the first open call.
    """

    calls: Sequence[Call]
    next: Sequence[Call]
    waiting: int
    panels: Sequence[Panel]
    round_since: datetime | None

    @property
    def crowd(self) -> str:
        """CSS class for the size of a call, by the number of lines."""
        lines = len(self.calls) + len(self.next) + bool(self.next)
        return "crowd" if lines > MANY else "many" if lines > FEW else ""


def wall_of(pictures: Sequence[Picture], *, at: datetime | None = None) -> Wall:
    """Big screen of drawn stages (no query)."""
    at = at or now()
    running = [picture for picture in pictures if picture.stage.status == StageStatus.RUNNING]
    shown = {"called", "live", "ready"}
    # With more than a few, surnames only, so that all fit on the screen.
    short = sum(cell.state in shown for picture in running for cell in picture.cells) >= FEW
    called = [call for picture in running for call in _calls(picture, {"called", "live"}, short=short)]
    # Newest first, and by table within a minute, as players look for theirs.
    called.sort(key=lambda call: (call.begun, -((call.since or at).timestamp() // 60), call.table or 0))
    ready = [call for picture in running for call in _calls(picture, {"ready"}, short=short)]
    panels = [panel for picture in running or pictures for panel in _panels(picture, at)]
    since = min((call.since for call in called if call.since), default=None)
    return Wall(called, ready[:MOST_NEXT], len(ready), panels, since)


def _calls(picture: Picture, states: set[str], *, short: bool) -> Iterator[Call]:
    titles = {n: named.title for n, named in picture.names.items()}
    names = short_names(picture.names) if short else titles
    for cell in picture.cells:
        if cell.state in states and cell.placed is not None:
            first, second = (names[mark.number] for mark in (cell.a, cell.b))
            since, begun = cell.placed.called_at, cell.state == "live"
            yield Call(cell.placed.table, first, second, picture.stage.name, since, begun)


def _panels(picture: Picture, at: datetime) -> Iterator[Panel]:
    stage, value = picture.stage, picture.value
    fresh = stage.drawn_at is not None and at - stage.drawn_at < FRESH and not value.outcomes
    for section in picture.sections:
        if picture.is_bracket:
            for number, columns in enumerate(_screens(_in_play(section.columns)), 1):
                key = f"{stage.ref}-{section.key}-{number}"
                yield Panel(key, section.title, picture, columns, fresh=fresh)
        elif section.columns and section.current_first[0].open:
            now_played = section.current_first[:1]
            yield Panel(f"{stage.ref}-{section.key}", stage.name, picture, now_played, fresh=fresh)
    if decided_places(picture):
        yield Panel(f"{stage.ref}-standing", stage.name, picture, standing=True)


def _in_play(columns: Sequence[PictureColumn]) -> Sequence[PictureColumn]:
    """Rounds from the first with an open match.

    The last rounds of a finished section.
    """
    first = next((i for i, column in enumerate(columns) if not _over(column)), len(columns) - SIDE_BY_SIDE)
    return columns[max(0, first) :]


def _screens(columns: Sequence[PictureColumn]) -> Iterator[Sequence[PictureColumn]]:
    """Split rounds into panels that fit, with whole parts of the tree.

    A panel without known entrants is left out.
    """
    shown = [column for column in columns if column.matches]
    feeds = {cell.number: cell.feeds for column in shown for cell in column.matches}
    column_of = {cell.number: column for column in shown for cell in column.matches}
    for start in range(0, len(shown), SIDE_BY_SIDE):
        beside = shown[start : start + SIDE_BY_SIDE]
        for part in parts_of([[cell.number for cell in each.matches] for each in beside], feeds, ROWS):
            cut = [_some(column_of[numbers[0]], numbers) for numbers in part if numbers]
            if len(shown) <= SIDE_BY_SIDE or any(_told(cell) for column in cut for cell in column.cells):
                yield cut


def _some(column: PictureColumn, numbers: Sequence[int]) -> PictureColumn:
    return replace(column, cells=tuple(cell for cell in column.matches if cell.number in numbers))


def _told(cell: PictureCell) -> bool:
    return _open(cell) and bool(cell.a.number or cell.b.number)


def _over(column: PictureColumn) -> bool:
    return not any(_open(cell) for cell in column.cells)


def _open(cell: PictureCell) -> bool:
    return cell.state in OPEN
