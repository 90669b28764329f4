"""The matches of each entrant of a drawn stage, and the places that they give while it runs."""

from collections.abc import Mapping
from dataclasses import dataclass

from tournaments.core.standings.places import Place, told_places
from tournaments.models import StageStatus
from tournaments.stages.queries.stage_picture import Picture

DECIDED = frozenset({"done", "open"})


@dataclass(frozen=True, slots=True)
class EntrantResult:
    """A match from one side: ``own`` and ``other`` points if known, ``won`` is None until it is decided."""

    match: int
    round: str
    opponent: int
    own: int | None
    other: int | None
    won: bool | None
    table: int | None = None


def entrant_results(picture: Picture, *, playoffs: bool = True) -> Mapping[int, list[EntrantResult]]:
    """The matches between two entrants by entrant, in the order of the rounds (no query)."""
    found: dict[int, list[EntrantResult]] = {n: [] for n in picture.names}
    for section in picture.sections:
        for column in section.columns if picture.is_bracket else section.in_order:
            if not playoffs and column.key.startswith("playoff-"):
                continue
            for cell in column.cells:
                if not cell.a.number or not cell.b.number:
                    continue
                for own, other in ((cell.a, cell.b), (cell.b, cell.a)):
                    won = own.won if cell.state in DECIDED else None
                    table = cell.placed.table if cell.placed else None
                    result = EntrantResult(
                        cell.number, column.title, other.number, own.points, other.points, won, table
                    )
                    found.setdefault(own.number, []).append(result)
    return found


def told(picture: Picture) -> Mapping[int, Place]:
    """The places to show by entrant: while the stage runs, only those that results have given."""
    if picture.stage.status == StageStatus.FINISHED or not picture.table:
        return {place.entrant: place for place in picture.places}
    won, lost = picture.records
    played = {n for n in picture.names if won[n] + lost[n]}
    return {place.entrant: place for place in told_places(picture.places, played)}
