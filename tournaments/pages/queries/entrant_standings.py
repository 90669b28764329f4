"""Standings of a bracket: who is in, who is out, won and lost."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tournaments.models import StageStatus
from tournaments.stages.bracket_names import short_names
from tournaments.stages.queries.stage_picture import (
    Picture,
    PictureCell,
    PictureColumn,
    PictureSection,
    SideMark,
)

PLAYED = {"done", "open"}
TO_COME = {"live", "called", "ready", "waiting"}


@dataclass(frozen=True, slots=True)
class RoundResult:
    """A decided match of an entrant: score from their side ("" if unplayed), and the opponent."""

    round: str
    won: bool
    score: str
    opponent: str


@dataclass(frozen=True, slots=True)
class StandingRow:
    """An entrant: ``place`` once known, matches won and lost, current or last round, and results in order."""

    ref: str
    title: str
    place: str
    won: int
    lost: int
    round: str
    mine: bool
    results: Sequence[RoundResult] = ()


@dataclass(frozen=True, slots=True)
class StandingGroup:
    """The entrants still in one part of the draw; ``out`` for those in none."""

    title: str
    rows: Sequence[StandingRow]
    out: bool = False


@dataclass(slots=True)
class _Record:
    won: int = 0
    lost: int = 0
    part: str = ""
    round: str = ""
    left_in: str = ""
    results: list[tuple[str, SideMark, SideMark]] = field(default_factory=list)


@dataclass(slots=True)
class _Records:
    of: dict[int, _Record] = field(default_factory=dict)

    def note(self, section: PictureSection, column: PictureColumn, cell: PictureCell) -> None:
        for mark, other in ((cell.a, cell.b), (cell.b, cell.a)):
            if not mark.number:
                continue
            record = self.of.setdefault(mark.number, _Record())
            if cell.state in PLAYED:
                record.won += mark.won
                record.lost += not mark.won
                record.results.append((column.title, mark, other))
            if cell.state in PLAYED or cell.state == "walkover":
                record.left_in = column.title
            elif cell.state in TO_COME and not record.part and not mark.gone:
                record.part, record.round = section.title, column.short or column.title


def standings(picture: Picture, own: frozenset[str] = frozenset()) -> list[StandingGroup]:
    """The entrants of a bracket, grouped by how far they got (no query).

    The parts of the draw with who is still in each, then who is out; one group in the order of the places
    once it is over. ``own`` are the refs of the viewer's entrants.
    """
    records = _Records()
    for section in picture.sections:
        for column in section.columns:
            for cell in column.cells:
                records.note(section, column, cell)
    over = picture.stage.status == StageStatus.FINISHED
    rows = [(records.of.get(n, _Record()), row) for n, row in _rows(picture, records, own, over=over)]
    if over:
        return [StandingGroup("", [row for _record, row in rows])]
    parts = [section.title for section in picture.sections]
    groups = [StandingGroup(part, [row for record, row in rows if record.part == part]) for part in parts]
    groups.append(StandingGroup("", [row for record, row in rows if not record.part], out=True))
    return [group for group in groups if group.rows]


def _rows(
    picture: Picture, records: _Records, own: frozenset[str], *, over: bool
) -> Iterator[tuple[int, StandingRow]]:
    places = {place.entrant: place for place in picture.places}
    in_order = {n: index for index, n in enumerate(places)}

    def rank(n: int) -> tuple[int, int, int, str]:
        record = records.of.get(n, _Record())
        return (in_order.get(n, 0), -record.won, record.lost, picture.names[n].title.casefold())

    short = short_names(picture.names)

    def results(record: _Record) -> list[RoundResult]:
        return [
            RoundResult(
                title,
                mark.won,
                f"{mark.points}–{other.points}" if mark.points is not None else "",
                short.get(other.number, ""),
            )
            for title, mark, other in record.results
        ]

    for n in sorted(picture.names, key=rank):
        named, record, place = picture.names[n], records.of.get(n, _Record()), places.get(n)
        decided = place is not None and (over or place.first > 1 or not place.shared)
        shown = place.text if place is not None and decided else ""
        round_ = record.round if record.part and not over else record.left_in
        counts = record.won, record.lost, round_, named.ref in own
        yield n, StandingRow(named.ref, named.title, shown, *counts, results(record))
