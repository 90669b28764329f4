"""Checks of an imported event: log chains, draws, results and rules."""

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
from tournaments.transfer.services.tables import MATCHES, invalid_file
from tournaments.words.clauses import check_cited

# Errors of the readers of logs, rules and draws; the checks here raise ValueError.
REFUSED = (DrawError, ScoringError, PrizeRefused, ValueError)


Reader = Callable[[Event], None]
_readers: list[Reader] = []


def readable_by(reader: Reader) -> None:
    """Register a check of an event's log.

    It raises ValueError for what it cannot read.
    """
    _readers.append(reader)


def prove(event: Event) -> None:
    """Check an imported event.

    Raises DeskRefused for a broken log, draws and rules that cannot be read, and a result that does not
    match its scoresheet.
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
        raise invalid_file(f"{place}: {error}") from error


def _event(event: Event) -> None:
    if damage := chain_damage(event):
        raise ValueError(str(damage))
    if event.zone and event.zone not in available_timezones():
        raise ValueError(f"there is no time zone {event.zone!r}")
    profile_from_plain(event.profile)
    check_breaks(event.pauses, event_at=event.starts_at)
    for entry in event.desk_log.order_by("seq"):
        if entry.kind not in KINDS:
            raise ValueError(f"entry {entry.seq} of the log: unknown kind {entry.kind!r}")
        from_plain(tuple[str, ...], entry.body.get("about", []), f"entry {entry.seq} of the log: about")
        if "clause" in entry.body:
            check_cited(entry.body["clause"])


def _flight(flight: Flight) -> None:
    plan = flight_plan(flight)
    check_flight(plan)
    pools = {pool.key for pool in plan.pools}
    for entrant in flight.entrants.exclude(state=EntrantState.WITHDRAWN):
        if unknown := sorted(set(entrant.pools) - pools):
            raise ValueError(f"entrant {entrant.ref} is in unknown side pools: {', '.join(unknown)}")


def _stage(stage: StageRow) -> None:
    if damage := chain_damage(stage):
        raise ValueError(str(damage))
    if stage.format not in FORMATS:
        raise ValueError(f"there is no format {stage.format!r}")
    _check_lengths(stage, typed_options(stage))
    # The undone draws match the log and can be redrawn.
    taken_back = stage.log.filter(kind=DRAW_TAKEN_BACK).order_by("seq")
    seqs, seeds = [row.seq for row in taken_back], [row.body.get("seed") for row in taken_back]
    earlier = list(stage.earlier.order_by("number"))
    for old in earlier:
        _draw(drawn_before(stage, old))
    if [old.seed for old in earlier] != seeds:
        raise ValueError("the undone draws do not match the log")
    if stage.drawn_behind != max(seqs, default=0):
        raise ValueError(f"drawn_behind: {stage.drawn_behind} is not where the log undid a draw")
    field: Sequence[Entrant] = ()
    if stage.drawn_at is not None:
        first, value = read_anew(stage)
        field = value.field
        _draw(first)
        _published(value)
    # The log names entrants by ref, late ones and substitutes included.
    numbers = stage.numbers.order_by("number").values_list("entrant__ref", flat=True)
    if [each.ref for each in field] != list(numbers):
        raise ValueError("the entrants do not match the log")
    if stage.entrants != stage.numbers.filter(drawn__isnull=False).count():
        raise ValueError(f"entrants: {stage.entrants} were not drawn")


def _check_lengths(stage: StageRow, options: Any) -> None:
    """Raise ValueError for an impossible match length or too large an option."""
    named = {each.name: getattr(options, each.name) for each in fields(options)}
    for name, value in named.items():
        if isinstance(value, int) and abs(value) > LONGEST_MATCH:
            raise ValueError(f"{name}: {value} is too large a number")
    found = [(name, value) for name, value in named.items() if name.endswith(("length", "lengths"))]
    for name, value in (*found, ("length", stage.length), ("lengths", stage.lengths)):
        for length in value if isinstance(value, list | tuple) else [value]:
            if length is not None and not 1 <= length <= LONGEST_MATCH:
                raise ValueError(f"{name}: a match to {length} points is not possible")


def _draw(value: Stage) -> None:
    if sorted(number for number in value.order if number) != [*range(1, len(value.field) + 1)]:
        raise ValueError(f"the seats {list(value.order)} do not hold every entrant once")


def _published(value: Stage) -> None:
    """Raise DrawRefused for a published match that is not in the bracket."""
    chosen = FORMATS[value.format]
    if isinstance(chosen, Elimination):
        bracket = chosen.bracket(value)
        for number in value.pairings:
            bracket.require(number)


def _match(match: Match) -> None:
    if match.sheet.kind != SheetKind.MATCH:
        raise ValueError(f"its scoresheet has the kind {match.sheet.kind!r}")
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
            raise ValueError("the result does not match the scoresheet")
