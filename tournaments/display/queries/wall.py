"""Data of the big screen: calls and current draws."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.utils.timezone import now

from tournaments.display.legibility import ScreenRoom
from tournaments.models import StageStatus
from tournaments.stages.bracket_layout import parts_of
from tournaments.stages.bracket_names import short_names
from tournaments.stages.queries.decided_places import decided_places
from tournaments.stages.queries.stage_picture import (
    Picture,
    PictureCell,
    PictureColumn,
    PictureSection,
)

MOST_NEXT = 30
SHOWN_WINNERS = 4
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
class WallSheet:
    """Rounds of a bracket section, whole parts of its tree."""

    title: str
    columns: Sequence[PictureColumn]

    @property
    def rows(self) -> int:
        return max((len(column.matches) for column in self.columns), default=0)


@dataclass(frozen=True, slots=True)
class Panel:
    """A panel of the big screen: sheets of a bracket, the round of another draw, or places.

    ``pitch`` is the height of each match on its sheets. ``winners`` are the first places of a draw that is
    over while others are played.
    """

    key: str
    title: str
    picture: Picture
    sheets: Sequence[WallSheet] = ()
    columns: Sequence[PictureColumn] = ()
    standing: bool = False
    fresh: bool = False
    pitch: float = 0.0
    winners: Sequence[tuple[str, str]] = ()


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
    room: ScreenRoom

    @property
    def crowd(self) -> str:
        """CSS class for the size of a call, by the number of lines."""
        lines = len(self.calls) + len(self.next) + bool(self.next)
        return "crowd" if lines > MANY else "many" if lines > FEW else ""


def wall_of(
    pictures: Sequence[Picture], *, at: datetime | None = None, room: ScreenRoom | None = None
) -> Wall:
    """Big screen of drawn stages, loaded ``with_feeds()`` (no query).

    It shows as many rounds and matches at once as there is ``room`` for; larger draws are several panels, one
    after the other.
    """
    at, room = at or now(), room or ScreenRoom()
    running = [picture for picture in pictures if picture.stage.status == StageStatus.RUNNING]
    shown = {"called", "live", "ready"}
    # With more than a few, surnames only, so that all fit on the screen.
    short = sum(cell.state in shown for picture in running for cell in picture.cells) >= FEW
    called = [call for picture in running for call in _calls(picture, {"called", "live"}, short=short)]
    # Newest first, and by table within a minute, as players look for theirs.
    called.sort(key=lambda call: (call.begun, -((call.since or at).timestamp() // 60), call.table or 0))
    ready = [call for picture in running for call in _calls(picture, {"ready"}, short=short)]
    panels = [panel for picture in running or pictures for panel in _panels(picture, at, room)]
    if running:
        panels += [panel for picture in pictures for panel in _winners(picture)]
    since = min((call.since for call in called if call.since), default=None)
    return Wall(called, ready[:MOST_NEXT], len(ready), panels, since, room)


def _calls(picture: Picture, states: set[str], *, short: bool) -> Iterator[Call]:
    titles = {n: named.title for n, named in picture.names.items()}
    names = short_names(picture.names) if short else titles
    for cell in picture.cells:
        if cell.state in states and cell.placed is not None:
            first, second = (names[mark.number] for mark in (cell.a, cell.b))
            since, begun = cell.placed.called_at, cell.state == "live"
            yield Call(cell.placed.table, first, second, picture.stage.name, since, begun)


def _winners(picture: Picture) -> Iterator[Panel]:
    """The first places of a draw that is over and has filled no other."""
    if picture.stage.status == StageStatus.FINISHED and not picture.stage.rules:
        first = [place for place in decided_places(picture) if place.first <= SHOWN_WINNERS]
        found = [(place.text, picture.names[place.entrant].title) for place in first]
        yield Panel(f"{picture.stage.ref}-won", picture.stage.name, picture, winners=found)


def _panels(picture: Picture, at: datetime, room: ScreenRoom) -> Iterator[Panel]:
    stage, value = picture.stage, picture.value
    fresh = stage.drawn_at is not None and at - stage.drawn_at < FRESH and not value.outcomes
    if picture.is_bracket:
        for sheets in _packed(picture.sections, room):
            key = f"{stage.ref}-{sheets[0].columns[0].cells[0].number}"
            pitch = room.pitch(sum(sheet.rows for sheet in sheets), len(sheets))
            yield Panel(key, sheets[0].title, picture, sheets, fresh=fresh, pitch=pitch)
    for section in () if picture.is_bracket else picture.sections:
        if section.columns and section.current_first[0].open:
            now_played = section.current_first[:1]
            key = f"{stage.ref}-{section.key}"
            yield Panel(key, stage.name, picture, columns=now_played, fresh=fresh)
    if decided_places(picture):
        yield Panel(f"{stage.ref}-standing", stage.name, picture, standing=True)


def _packed(sections: Sequence[PictureSection], room: ScreenRoom) -> Iterator[Sequence[WallSheet]]:
    """The sheets of all sections, those together that fit below one another."""
    together: list[WallSheet] = []
    free = room.rows
    for section in sections:
        for columns in _screens(_in_play(section.columns, room), room):
            sheet = WallSheet(section.title, columns)
            needed = sheet.rows + room.further
            if together and needed > free:
                yield together
                together, free = [], room.rows
            free -= needed if together else sheet.rows
            together.append(sheet)
    if together:
        yield together


def _in_play(columns: Sequence[PictureColumn], room: ScreenRoom) -> Sequence[PictureColumn]:
    """Rounds from the first with an open match; the one before too, where there is room for it.

    The last rounds of a finished section.
    """
    first = next((i for i, column in enumerate(columns) if not _over(column)), len(columns))
    if len(columns) - first < room.rounds:
        first = len(columns) - room.rounds
    return columns[max(0, first) :]


def _screens(columns: Sequence[PictureColumn], room: ScreenRoom) -> Iterator[Sequence[PictureColumn]]:
    """Split rounds into panels that fit, with whole parts of the tree.

    A panel without known entrants is left out.
    """
    shown = [column for column in columns if column.matches]
    feeds = {cell.number: cell.feeds for column in shown for cell in column.matches}
    column_of = {cell.number: column for column in shown for cell in column.matches}
    for start in range(0, len(shown), room.rounds):
        beside = shown[start : start + room.rounds]
        rows = max(1, int(room.rows))
        for part in parts_of([[cell.number for cell in each.matches] for each in beside], feeds, rows):
            cut = [_some(column_of[numbers[0]], numbers) for numbers in part if numbers]
            if len(shown) <= room.rounds or any(_told(cell) for column in cut for cell in column.cells):
                yield cut


def _some(column: PictureColumn, numbers: Sequence[int]) -> PictureColumn:
    return replace(column, cells=tuple(cell for cell in column.matches if cell.number in numbers))


def _told(cell: PictureCell) -> bool:
    return _open(cell) and bool(cell.a.number or cell.b.number)


def _over(column: PictureColumn) -> bool:
    return not any(_open(cell) for cell in column.cells)


def _open(cell: PictureCell) -> bool:
    return cell.state in OPEN
