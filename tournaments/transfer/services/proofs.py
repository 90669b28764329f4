"""What an event's file claims, proved once its rows are here: chains of logs, draws, results, rules."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from typing import Any
from zoneinfo import available_timezones

from scoring.codec import from_plain
from scoring.log.services.chains import chain_damage
from scoring.log.services.sheets import damage_of_log, state_of
from scoring.models import Match, MatchStatus, SheetKind
from scoring.rules.errors import ScoringError
from scoring.rules.match import LONGEST_MATCH
from scoring.rules.profiles import profile_from_plain
from scoring.sheets.services.results import value_in, value_of
from tournaments.core.brackets.formats import Elimination
from tournaments.core.formats.table import FORMATS
from tournaments.core.prizes.money import PrizeRefused
from tournaments.core.stages.entrants import Entrant
from tournaments.core.stages.errors import DrawError
from tournaments.core.stages.stage import Stage
from tournaments.core.timetable.breaks import check_breaks
from tournaments.events.plans import check_flight
from tournaments.events.services.events import flight_plan
from tournaments.log.kinds import KINDS
from tournaments.models import EntrantState, Event, Flight, StageRow
from tournaments.models.stage import DRAW_TAKEN_BACK
from tournaments.stages.services.draws import typed_options
from tournaments.stages.services.stages import drawn_before, read_anew
from tournaments.transfer.services.tables import MATCHES, no_file
from tournaments.words.clauses import check_cited

# What readers of logs, rules and draws refuse by; a ValueError is raised here too.
REFUSED = (DrawError, ScoringError, PrizeRefused, ValueError)


Reader = Callable[[Event], None]
_readers: list[Reader] = []


def readable_by(reader: Reader) -> None:
    """Let somebody who reads the logs of events say, by a ValueError, what of one cannot be read."""
    _readers.append(reader)


def prove(event: Event) -> None:
    """Raise DeskRefused where logs do not hold together, draws and rules cannot be read, or a result is
    not what its sheet says.
    """
    with _naming(event.ref):
        _event(event)
    for stage in StageRow.objects.filter(flight__event=event).select_related("flight__event__club"):
        with _naming(stage.name):
            _stage(stage)
    for flight in Flight.objects.filter(event=event):
        with _naming(flight.name or event.name):
            _flight(flight)
    for match in Match.objects.filter(**{MATCHES: event}).select_related("sheet", "result"):
        with _naming(match.ref):
            _match(match)
    for reader in _readers:
        with _naming(event.ref):
            reader(event)


@contextmanager
def _naming(place: str) -> Iterator[None]:
    try:
        yield
    except REFUSED as error:
        raise no_file(f"{place}: {error}") from error


def _event(event: Event) -> None:
    if damage := chain_damage(event):
        raise ValueError(str(damage))
    if event.zone and event.zone not in available_timezones():
        raise ValueError(f"there is no time zone {event.zone!r}")
    profile_from_plain(event.profile)
    check_breaks(event.pauses, event_at=event.starts_at)
    for entry in event.desk_log.order_by("seq"):
        if entry.kind not in KINDS:
            raise ValueError(f"entry {entry.seq} of the log: there is no kind {entry.kind!r}")
        from_plain(tuple[str, ...], entry.body.get("about", []), f"entry {entry.seq} of the log: about")
        if "clause" in entry.body:
            check_cited(entry.body["clause"])


def _flight(flight: Flight) -> None:
    plan = flight_plan(flight)
    check_flight(plan)
    pools = {pool.key for pool in plan.pools}
    for entrant in flight.entrants.exclude(state=EntrantState.WITHDRAWN):
        if unknown := sorted(set(entrant.pools) - pools):
            raise ValueError(
                f"entrant {entrant.ref} is in side pools that there are not: {', '.join(unknown)}"
            )


def _stage(stage: StageRow) -> None:
    if damage := chain_damage(stage):
        raise ValueError(str(damage))
    if stage.format not in FORMATS:
        raise ValueError(f"there is no format {stage.format!r}")
    _check_lengths(stage, typed_options(stage))
    # The draws that were taken back are those that the log says, and can be drawn again.
    taken_back = stage.log.filter(kind=DRAW_TAKEN_BACK).order_by("seq")
    seqs, seeds = [row.seq for row in taken_back], [row.body.get("seed") for row in taken_back]
    earlier = list(stage.earlier.order_by("number"))
    for old in earlier:
        _draw(drawn_before(stage, old))
    if [old.seed for old in earlier] != seeds:
        raise ValueError("the draws that were taken back are not those of the log")
    if stage.drawn_behind != max(seqs, default=0):
        raise ValueError(f"drawn_behind: {stage.drawn_behind} is not where the log took a draw back")
    field: Sequence[Entrant] = ()
    if stage.drawn_at is not None:
        first, value = read_anew(stage)
        field = value.field
        _draw(first)
        _published(value)
    # The log names entrants by their refs, late ones and those who took over a place among them.
    numbers = stage.numbers.order_by("number").values_list("entrant__ref", flat=True)
    if [each.ref for each in field] != list(numbers):
        raise ValueError("the entrants are not those of the log")
    if stage.entrants != stage.numbers.filter(drawn__isnull=False).count():
        raise ValueError(f"entrants: {stage.entrants} were not drawn")


def _check_lengths(stage: StageRow, options: Any) -> None:
    """Raise ValueError for a length, of all rounds or of one, that no match can have; or for another number
    of the options that is beyond all lengths.
    """
    named = {each.name: getattr(options, each.name) for each in fields(options)}
    for name, value in named.items():
        if isinstance(value, int) and abs(value) > LONGEST_MATCH:
            raise ValueError(f"{name}: {value} is too large a number")
    found = [(name, value) for name, value in named.items() if name.endswith(("length", "lengths"))]
    for name, value in (*found, ("length", stage.length), ("lengths", stage.lengths)):
        for length in value if isinstance(value, list | tuple) else [value]:
            if length is not None and not 1 <= length <= LONGEST_MATCH:
                raise ValueError(f"{name}: there is no match to {length} points")


def _draw(value: Stage) -> None:
    if sorted(number for number in value.order if number) != [*range(1, len(value.field) + 1)]:
        raise ValueError(f"the seats {list(value.order)} do not hold every entrant once")


def _published(value: Stage) -> None:
    """Raise DrawRefused for a published match that the bracket does not have."""
    chosen = FORMATS[value.format]
    if isinstance(chosen, Elimination):
        bracket = chosen.bracket(value)
        for number in value.pairings:
            bracket.require(number)


def _match(match: Match) -> None:
    if match.sheet.kind != SheetKind.MATCH:
        raise ValueError(f"its sheet is of the kind {match.sheet.kind!r}")
    if (damage := damage_of_log(match.sheet)) is not None:
        raise ValueError(str(damage))
    profile_from_plain(match.sheet.profile)
    result = getattr(match, "result", None)
    said = value_in(state_of(match.sheet))
    if match.status == MatchStatus.FINISHED and (result is None or said is None):
        raise ValueError("a finished match without a result")
    if result is not None and said is not None:
        value = value_of(result)
        if (value.winner, value.points, value.ended) != (said.winner, said.points, said.ended):
            raise ValueError("the result is not what the sheet says")
