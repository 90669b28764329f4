"""Who won: the first places of every draw that is over, with their prizes."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tournaments.core.brackets.formats import Elimination
from tournaments.core.formats.table import format_of
from tournaments.core.stages.results import stage_table
from tournaments.core.stages.stage import Stage
from tournaments.core.standings.places import Place
from tournaments.core.standings.tables import TableOptions
from tournaments.events.queries.event_page import FlightBlock
from tournaments.models import EntrantRow, StageRow, StageStatus
from tournaments.stages.queries.draw_page import section_name
from tournaments.stages.services.stages import load

MAIN = "main"  # how the prizes name the table that decides
SHOWN = 4
BESIDE = 2
"""Places of a consolation that are shown."""


@dataclass(frozen=True, slots=True)
class PodiumLine:
    """A place, shared where ``last`` is another, and what it brought, in minor units."""

    first: int
    last: int
    entrant: EntrantRow
    amount: int


@dataclass(frozen=True, slots=True)
class Podium:
    """The first places of a draw, or of a table of it."""

    title: str
    lines: Sequence[PodiumLine]


def podiums_of(blocks: Iterable[FlightBlock], *, several: bool) -> list[Podium]:
    """Of flights that are over, the draws that led to no other one (two queries each)."""
    found: list[Podium] = []
    for block in blocks:
        over = [line.stage for line in block.stages if line.stage.status == StageStatus.FINISHED]
        last = [stage for stage in over if stage.drawn_at is not None and not stage.rules]
        for stage in last if block.finished else ():
            names = [block.flight.name] if several and block.flight.name else []
            if len(last) > 1 or not names:
                names.append(stage.name)
            found.extend(_of_stage(block, stage, ": ".join(names)))
    return [podium for podium in found if podium.lines]


def _of_stage(block: FlightBlock, stage: StageRow, title: str) -> Iterator[Podium]:
    value = load(stage)
    fmt = format_of(value.format)
    by_table = not isinstance(fmt, Elimination) and value.format != "ladder"
    order = stage_table(value, TableOptions(lot_seed=value.seed)) if by_table else ()
    places = [row.place for row in order] or fmt.places(value)
    yield _podium(block, value, title, places, {MAIN, stage.name}, SHOWN)
    if isinstance(fmt, Elimination):
        for table in fmt.bracket(value).tables[1:]:
            sources = {table.name, f"{stage.name}, {table.name}"}
            beside = fmt.table(value, table.name)
            yield _podium(block, value, section_name(table.name), beside, sources, BESIDE)


def _podium(
    block: FlightBlock, value: Stage, title: str, places: Sequence[Place], sources: set[str], most: int
) -> Podium:
    """The places up to ``most``, with the prizes that came from one of these ``sources``."""
    known = {each.ref: each for each in (*block.entered, *block.left)}
    amounts: dict[int, int] = {}
    for prize in block.prizes:
        if prize.source in sources:
            amounts[prize.entrant_id] = amounts.get(prize.entrant_id, 0) + prize.amount
    lines = []
    for place in places:
        entrant = known.get(value.field[place.entrant - 1].ref)
        if entrant is not None and place.first <= most:
            lines.append(PodiumLine(place.first, place.last, entrant, amounts.get(entrant.pk, 0)))
    return Podium(title, lines[: max(most, 2)])
