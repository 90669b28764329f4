"""One entrant's path through a draw: matches, next match and place."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.core.standings.places import Place
from tournaments.core.standings.tables import TableRow
from tournaments.stages.queries.entrant_results import told
from tournaments.stages.queries.stage_picture import Picture, PictureCell, SideMark
from tournaments.stages.queries.stage_rows import Named
from tournaments.stages.queries.stage_table import Contribution, sums_of


@dataclass(frozen=True, slots=True)
class WayMatch:
    """A match of the path, the entrant's side first."""

    round: str
    cell: PictureCell
    own: SideMark
    other: SideMark
    opponent: Named | None

    @property
    def decided(self) -> bool:
        return self.cell.state in {"done", "open"}


@dataclass(frozen=True, slots=True)
class Counted:
    """A round as the tie-breaks count it, with the opponent's name."""

    sum: Contribution
    opponent: Named | None


@dataclass(frozen=True, slots=True)
class Way:
    """One entrant's path through one draw."""

    named: Named
    seed: int | None
    place: Place | None
    row: TableRow | None
    steps: Sequence[WayMatch]
    counted: Sequence[Counted]
    buchholz: float
    sonneborn_berger: float


def way_of(picture: Picture, named: Named) -> Way:
    """The path of an entrant of the picture (no query)."""
    n = named.number
    steps = [
        _step(picture, column.title, cell, n)
        for section in picture.sections
        for column in (section.columns if picture.is_bracket else reversed(section.columns))
        for cell in column.cells
        if n in (cell.a.number, cell.b.number)
    ]
    row = next((row for row in picture.table if row.place.entrant == n), None)
    place = told(picture).get(n)
    sums = sums_of(picture.value, n, picture.table_options) if row else None
    counted = [Counted(each, picture.names.get(each.opponent or 0)) for each in sums.rounds] if sums else []
    return Way(
        named,
        picture.seeds.get(n),
        place,
        row,
        steps,
        counted,
        sums.buchholz if sums else 0.0,
        sums.sonneborn_berger if sums else 0.0,
    )


def _step(picture: Picture, title: str, cell: PictureCell, n: int) -> WayMatch:
    own, other = (cell.a, cell.b) if cell.a.number == n else (cell.b, cell.a)
    return WayMatch(title, cell, own, other, picture.names.get(other.number))
