"""Podiums: the first places of finished draws, with their prizes."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from clubs.cached import all_from_cache, to_cache
from tournaments.core.brackets.formats import Elimination
from tournaments.core.formats.table import format_of
from tournaments.core.formats.tables import stage_table
from tournaments.core.stages.stage import Stage
from tournaments.core.standings.places import Place
from tournaments.events.queries.event_page import FlightBlock
from tournaments.models import EntrantRow, Event, EventStatus, StageRow, StageStatus
from tournaments.stages.queries.stage_table import table_options
from tournaments.stages.services.stages import load_all
from tournaments.words.sections import section_name

MAIN = "main"  # source of prizes of the deciding table
SHOWN = 4
BESIDE = 2
"""Number of places shown of a consolation."""
KEPT = 7 * 24 * 3600  # seconds


@dataclass(frozen=True, slots=True)
class PodiumLine:
    """A place (shared if ``last`` differs) and its prize in minor units."""

    first: int
    last: int
    entrant: EntrantRow
    amount: int


@dataclass(frozen=True, slots=True)
class Winner:
    """Name of the winner of a flight; ``flight`` is its name or ""."""

    flight: str
    name: str


@dataclass(frozen=True, slots=True)
class Podium:
    """First places of a draw or one of its tables."""

    title: str
    lines: Sequence[PodiumLine]


def podiums_of(blocks: Sequence[FlightBlock], values: Mapping[int, Stage]) -> list[Podium]:
    """Podiums of the last draws of finished flights (no query).

    ``values`` are the :func:`deciding_stages` loaded, by key.
    """
    found: list[Podium] = []
    for block in blocks:
        last = deciding_stages([block])
        for stage in last:
            names = [block.flight.name] if len(blocks) > 1 and block.flight.name else []
            if len(last) > 1 or not names:
                names.append(stage.name)
            found.extend(_of_stage(block, stage, values[stage.pk], ": ".join(names)))
    return [podium for podium in found if podium.lines]


def deciding_stages(blocks: Iterable[FlightBlock]) -> list[StageRow]:
    """The last draws of finished flights."""
    finished = (block for block in blocks if block.finished)
    return [stage for block in finished for stage in _deciding(line.stage for line in block.stages)]


def _deciding(stages: Iterable[StageRow]) -> list[StageRow]:
    """Finished stages of a flight that feed no other finished stage."""
    over = [stage for stage in stages if stage.status == StageStatus.FINISHED]
    played = {stage.ref for stage in over}
    return [stage for stage in over if played.isdisjoint(rule.into for rule in stage.rules)]


def prize_places(block: FlightBlock, values: Mapping[int, Stage]) -> dict[tuple[str, int], str]:
    """Places by prize source and entrant's key; empty until the flight is finished (no query).

    ``values`` are the :func:`deciding_stages` loaded, by key.
    """
    known = {each.ref: each.pk for each in (*block.entered, *block.left)}
    found: dict[tuple[str, int], str] = {}
    for stage in deciding_stages([block]):
        value = values[stage.pk]
        for table in _tables(stage, value):
            for place in table.places:
                pk = known.get(value.field[place.entrant - 1].ref, 0)
                found |= {(source, pk): place.text for source in table.sources}
    return found


@dataclass(frozen=True, slots=True)
class _Table:
    """Places of a table of a finished draw, and the sources of its prizes."""

    name: str
    places: Sequence[Place]
    sources: frozenset[str]


def _tables(stage: StageRow, value: Stage) -> Iterator[_Table]:
    """The deciding table, then the others."""
    yield _Table("", _places(stage, value), frozenset({MAIN, stage.name}))
    fmt = format_of(value.format)
    if isinstance(fmt, Elimination):
        for table in fmt.bracket(value).tables[1:]:
            sources = frozenset({table.name, f"{stage.name}, {table.name}"})
            yield _Table(table.name, fmt.table(value, table.name), sources)


def _of_stage(block: FlightBlock, stage: StageRow, value: Stage, title: str) -> Iterator[Podium]:
    for table in _tables(stage, value):
        name, most = (section_name(table.name), BESIDE) if table.name else (title, SHOWN)
        yield _podium(block, value, name, table, most)


def _places(stage: StageRow, value: Stage) -> Sequence[Place]:
    """Places of a finished stage, in order."""
    fmt = format_of(value.format)
    by_table = not isinstance(fmt, Elimination) and value.format != "ladder"
    order = stage_table(value, table_options(stage)) if by_table else ()
    return [row.place for row in order] or fmt.places(value)


def name_winners(events: Sequence[Event]) -> Sequence[Event]:
    """Set ``winners``, a ``Winner`` per flight, on finished events; return all.

    A shared first place has no winner. Five queries.
    """
    over = [event for event in events if event.status == EventStatus.FINISHED]
    if over:
        found = _winners_of(over)
        for event in over:
            vars(event)["winners"] = found.get(event.pk, [])
    return events


def _winners_of(events: Sequence[Event]) -> dict[int, list[Winner]]:
    """Winners by the event's key."""
    stages = StageRow.objects.with_feeds().filter(flight__event__in=events, status=StageStatus.FINISHED)
    flights: dict[int, list[StageRow]] = defaultdict(list)
    for stage in stages.select_related("flight").order_by("flight__position", "position"):
        flights[stage.flight_id].append(stage)
    last = [_deciding(each)[0] for each in flights.values()]
    refs = _first_of(last)
    named = EntrantRow.objects.filter(ref__in=[ref for ref in refs.values() if ref]).with_players()
    names = {each.ref: each.title for each in named}
    found: dict[int, list[Winner]] = defaultdict(list)
    for stage in last:
        if refs[stage.pk] in names:
            found[stage.flight.event_id].append(Winner(stage.flight.name, names[refs[stage.pk]]))
    return found


def _first_of(stages: Sequence[StageRow]) -> dict[int, str]:
    """Ref of the sole winner of each draw, else "", by the draw's key.

    Cached by the last hash of the draw's log.
    """
    keys = {stage.pk: f"winner-{stage.ref}-{stage.head_hash}" for stage in stages}
    kept = all_from_cache(list(keys.values()))
    found: dict[int, str] = {pk: kept[key] for pk, key in keys.items() if key in kept}
    known = {stage.pk: stage for stage in stages}
    for pk, value in load_all([stage for stage in stages if stage.pk not in found]).items():
        first = [place for place in _places(known[pk], value) if place.first == place.last == 1]
        found[pk] = value.field[first[0].entrant - 1].ref if first else ""
        to_cache(keys[pk], found[pk], KEPT)
    return found


def _podium(block: FlightBlock, value: Stage, title: str, table: _Table, most: int) -> Podium:
    """The places up to ``most``, with their prizes."""
    known = {each.ref: each for each in (*block.entered, *block.left)}
    amounts: dict[int, int] = {}
    for prize in block.prizes:
        if prize.source in table.sources:
            amounts[prize.entrant_id] = amounts.get(prize.entrant_id, 0) + prize.amount
    lines = []
    for place in table.places:
        entrant = known.get(value.field[place.entrant - 1].ref)
        if entrant is not None and place.first <= most:
            lines.append(PodiumLine(place.first, place.last, entrant, amounts.get(entrant.pk, 0)))
    return Podium(title, lines[: max(most, 2)])
