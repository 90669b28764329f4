"""Plans: an event as values before it is announced.

Stages of a flight name each other by ``name``, which is unique in the flight; the rules of their ``feeds``
(``tournaments.core.play.feeding``) go to stages behind them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import date, datetime, tzinfo
from typing import Any

from django.utils.translation import gettext as _

from scoring.rules.profiles import STANDARD_PROFILE, Profile
from tournaments.core.brackets.bracket import CONSOLATION, LAST_CHANCE, MAIN
from tournaments.core.formats.presets import preset
from tournaments.core.formats.table import format_of
from tournaments.core.play.feeding import Rule
from tournaments.core.play.ties import SETTLED, is_complete_round_robin
from tournaments.core.prizes.pools import Fees, SidePool
from tournaments.core.prizes.satellites import ENTRY
from tournaments.core.rounds.format import RoundsFormat
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.standings.choices import SETS, tie_break_faults
from tournaments.core.timetable.breaks import Break, BreakRefused, check_breaks
from tournaments.core.timetable.copied_breaks import copied_breaks, moved_moment
from tournaments.events.eligibility import Eligibility
from tournaments.events.side_pools import pools_fault
from tournaments.words.refusals import break_in_words
from tournaments.words.ties import tie_break_fault

FEWEST = 2


@dataclass(frozen=True, slots=True)
class StagePlan:
    """A planned draw: format, match lengths, round starts and feeds.

    ``lengths`` are points by round; ``starts`` are aware and by round; ``boards`` are per team match;
    ``rounds_wait`` leaves publishing rounds to the director. ``tie_breaks`` order its table, in order; empty
    for the usual ones.
    """

    name: str
    format: str
    options: Any
    length: int = 7
    lengths: tuple[int, ...] = ()
    starts: tuple[datetime, ...] = ()
    feeds: tuple[Rule, ...] = ()
    boards: int = 1
    duplicate_dice: bool = False
    rounds_wait: bool = False
    tie_breaks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FlightPlan:
    """One competition; money in minor units of the club's currency. ``shares`` of the pool are pairs of a
    table's name (``prize_tables``) and percent.
    """

    stages: tuple[StagePlan, ...]
    name: str = ""
    fees: Fees = field(default_factory=Fees)
    added: int = 0
    capacity: int | None = None
    percentages: tuple[int, ...] = ()
    shares: tuple[tuple[str, int], ...] = ()
    team_size: int | None = None
    eligibility: Eligibility = Eligibility()  # noqa: RUF009 - frozen
    pools: tuple[SidePool, ...] = ()
    starts_when_full: bool = False


@dataclass(frozen=True, slots=True)
class About:
    """What an event says of itself: where it is, whom to ask, and a description in Markdown.

    ``stream`` is an address of the web.
    """

    venue: str = ""
    address: str = ""
    description: str = ""
    contact: str = ""
    stream: str = ""


ABOUT = tuple(each.name for each in fields(About))
"""Names of these, as the event's columns and the API call them."""


@dataclass(frozen=True, slots=True)
class EventPlan:
    """A planned event; ``tables`` is the number of its tables, None if the desk adds them."""

    name: str
    starts_at: datetime
    flights: tuple[FlightPlan, ...]
    zone: str = ""
    profile: Profile = STANDARD_PROFILE
    rated: bool = True
    hidden: bool = False
    members_only: bool = False
    entries_from: datetime | None = None
    entries_until: datetime | None = None
    breaks: tuple[Break, ...] = ()
    about: About = About()
    tables: int | None = None

    def moved_to(self, starts_at: datetime, *, tz: tzinfo, name: str = "") -> "EventPlan":
        """Move the event to another start, with everything that has a time.

        Times shift by the difference of the starts in the venue's local time (``tz``), whatever the clocks
        did in between; for times that do not exist see ``tournaments.core.timetable.copied_breaks``.
        """
        begun, begins = (at.astimezone(tz).replace(tzinfo=None) for at in (self.starts_at, starts_at))
        breaks = copied_breaks(self.breaks, begun=self.starts_at, begins=starts_at, zone=tz)
        days = begins.date() - begun.date()

        def shifted(at: datetime) -> datetime:
            return moved_moment(at, begins - begun, tz)

        def moved(at: datetime | None) -> datetime | None:
            return None if at is None else shifted(at)

        def stage(plan: StagePlan) -> StagePlan:
            options = plan.options
            if isinstance(getattr(options, "start", None), date):
                options = replace(options, start=options.start + days)
            return replace(plan, options=options, starts=tuple(shifted(at) for at in plan.starts))

        flights = tuple(
            replace(flight, stages=tuple(stage(each) for each in flight.stages)) for flight in self.flights
        )
        return replace(
            self,
            name=name or self.name,
            starts_at=starts_at,
            flights=flights,
            entries_from=moved(self.entries_from),
            entries_until=moved(self.entries_until),
            breaks=tuple(each.after for each in breaks if each.after is not None),
        )


def single_flight(format_key: str, length: int, *, stage_name: str = "Main", **terms: Any) -> FlightPlan:
    """A flight with one stage in a named format.

    ``format_key`` is one of ``tournaments.core.formats.presets``; ``terms`` are those of FlightPlan. Raises
    DrawRefused for an unknown format.
    """
    chosen = preset(format_key)
    ties = usual_tie_breaks(chosen.format)
    drawn = format_of(chosen.format)
    waits = isinstance(drawn, RoundsFormat) and drawn.absences
    stage = StagePlan(stage_name, chosen.format, chosen.options, length, rounds_wait=waits, tie_breaks=ties)
    return FlightPlan((stage,), **terms)


def usual_tie_breaks(format_key: str) -> tuple[str, ...]:
    """The tie-breaks of a new stage of this format unless its director chooses others; empty: Buchholz."""
    return SETS["group"].tie_breaks if format_key == "round_robin" else ()


def prize_tables(stages: Sequence[StagePlan]) -> tuple[str, ...]:
    """The prize tables of a flight.

    The main table of the deciding stage, its consolation and last chance, and the other stages by name.
    """
    if not stages:
        return (MAIN,)
    last = stages[0]
    for stage in stages[1:]:
        # Feeds lead to stages behind: in their order each that the best go on to becomes the last.
        if last.feeds and last.feeds[0].into == stage.name:
            last = stage
    found = [MAIN]
    if getattr(last.options, "consolation", "none") != "none":
        found.append(CONSOLATION)
    if getattr(last.options, "last_chance", 0):
        found.append(LAST_CHANCE)
    return (*found, *(stage.name for stage in stages if stage is not last))


def share_faults(shares: Sequence[tuple[str, int]], stages: Sequence[StagePlan]) -> Iterator[tuple[str, str]]:
    """Faults in a prize pool split: unknown table, table twice, wrong sum."""
    if not shares:
        return
    known, named = prize_tables(stages), [name for name, _percent in shares]
    for name in named:
        if name not in known:
            message = _("There is no prize table “%(name)s”. Choose from: %(tables)s.")
            yield "share", message % {"name": name, "tables": ", ".join(known)}
    if len(set(named)) < len(named):
        yield "share_twice", _("Each prize table can have only one share.")
    whole = sum(percent for _name, percent in shares)
    if any(percent < 1 for _name, percent in shares) or whole != 100:
        yield "shares", _("The shares add up to %(whole)s%%, not 100%%.") % {"whole": whole}


def check_plan(plan: EventPlan) -> None:
    """Raise DrawRefused for an invalid plan.

    Empty, duplicate names, feeds that lead nowhere or backwards, options of another format, a flight that
    starts when full without a number of places, invalid breaks.
    """
    if not plan.flights:
        raise DrawRefused("no_flights", _("An event needs at least one division."))
    try:
        check_breaks(plan.breaks, event_at=plan.starts_at)
    except BreakRefused as refused:
        message = break_in_words(refused)
        raise DrawRefused(f"break_{refused.code}", message, **refused.parameters) from refused
    for flight in plan.flights:
        check_flight(flight)


def check_names(names: Sequence[str]) -> None:
    """Raise DrawRefused where several flights lack distinct names."""
    if len(names) < 2:
        return
    for place, name in enumerate(names, 1):
        if not name:
            message = _("Division %(place)s of %(count)s needs a name.")
            raise DrawRefused("flight_name", message % {"place": place, "count": len(names)}, place=place)
        if name in names[: place - 1]:
            message = _("Two divisions are named “%(name)s”. Give each a different name.")
            raise DrawRefused("flight_twice", message % {"name": name}, name=name, place=place)


def check_flight(flight: FlightPlan) -> None:
    """Raise DrawRefused for an invalid flight."""
    for code, message in _faults(flight):
        raise DrawRefused(code, message)


def _faults(flight: FlightPlan) -> Iterator[tuple[str, str]]:
    names = [stage.name for stage in flight.stages]
    if not names:
        yield "no_stages", _("A division needs at least one stage.")
    if len(set(names)) < len(names):
        message = _("Give each stage of a division a different name, not %(names)s.")
        yield "stage_twice", message % {"names": ", ".join(names)}
    if flight.starts_when_full and flight.capacity is None:
        yield "no_capacity", _("A division that starts when full needs a number of places.")
    yield from _money_faults(flight)
    for index, stage in enumerate(flight.stages):
        options = format_of(stage.format).options
        if not isinstance(stage.options, options):
            yield "wrong_options", f"{stage.format} takes {options.__name__}"
        for message in tie_break_sentences(stage):
            yield "tie_breaks", message
        if stage.length < 1 or any(length < 1 for length in stage.lengths):
            yield "length", _("A match needs at least 1 point.")
        if not 1 <= stage.boards <= (flight.team_size or 1):
            message = _(
                "A team match on %(boards)s boards needs teams of at least %(boards)s players, not "
                "%(players)s."
            )
            yield "boards", message % {"boards": stage.boards, "players": flight.team_size or 1}
        for rule in stage.feeds:
            if rule.into not in names[index + 1 :]:
                message = _("%(stage)s feeds “%(into)s”, which is not a later stage.")
                yield "feeds", message % {"stage": stage.name, "into": rule.into}


def tie_break_sentences(stage: StagePlan) -> Iterator[str]:
    """Why the tie-breaks of a stage make no sense."""
    if stage.tie_breaks and stage.format not in SETTLED:
        yield _("%(stage)s is ranked without tie-breaks. Leave them out.") % {"stage": stage.name}
        return
    # The number of entrants is not known yet: a schedule cut to some rounds is taken as incomplete.
    cut = getattr(stage.options, "rounds", None) is not None
    complete = not cut and is_complete_round_robin(stage.format, stage.options, FEWEST)
    for code, key in tie_break_faults(stage.tie_breaks, complete_round_robin=complete):
        yield tie_break_fault(code, key, stage.name)


def _money_faults(flight: FlightPlan) -> Iterator[tuple[str, str]]:
    names = [stage.name for stage in flight.stages]
    if fault := pools_fault(flight.pools):
        yield fault
    for pool in flight.pools:
        if pool.key in {MAIN, CONSOLATION, LAST_CHANCE, ENTRY, *names}:
            message = _("A side pool cannot be named %(name)s: a prize table already has that name.")
            yield "pool_name", message % {"name": pool.key}
    if flight.stages:
        yield from share_faults(flight.shares, flight.stages)
