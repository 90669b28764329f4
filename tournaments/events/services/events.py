"""Announce events with their flights and stages."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from secrets import token_hex
from typing import Any

from django.db import transaction
from django.db.models import Max, Prefetch, prefetch_related_objects
from django.utils.translation import gettext as _

from clubs.live.topics import publish_next
from clubs.models import Club, User
from scoring.codec import from_plain, to_plain
from scoring.rules.profiles import profile_to_plain
from tournaments.core.formats.table import FORMATS
from tournaments.core.prizes.pools import Fees
from tournaments.core.stages.stage import seed_hash
from tournaments.core.timetable.copied_breaks import moved_moment
from tournaments.events.eligibility import eligibility_of, pools_of
from tournaments.events.plans import (
    ABOUT,
    About,
    EventPlan,
    FlightPlan,
    StagePlan,
    check_flight,
    check_plan,
    single_flight,
)
from tournaments.log.refusals import DeskRefused, MovedAwayRefused
from tournaments.log.services import note
from tournaments.models import (
    Event,
    EventTable,
    Feed,
    Flight,
    ForbiddenKind,
    ForbiddenPairs,
    StageRow,
    StageStatus,
)
from tournaments.models.feeds import columns_of
from tournaments.models.stage import StageQuerySet


class OvertakenRefused(DeskRefused):
    """Someone else changed it first: ``parameters`` hold the current values."""

    def __init__(self, message: str, /, **present: Any) -> None:
        super().__init__(message, code="overtaken")
        self.parameters = present


def require_as_seen(seen: Mapping[str, Any] | None, present: Mapping[str, Any]) -> None:
    """Refuse a change based on outdated values.

    Raises OvertakenRefused with the ``present`` values unless they match those ``seen``. Names missing from
    ``seen``, or None, are not compared. The caller holds the rows that ``present`` was read from.
    """
    if seen is not None and any(present[name] != value for name, value in seen.items()):
        raise OvertakenRefused(_("Someone else changed this. Reload the page and try again."), **present)


def require_not_over(event: Event) -> None:
    """Raise DeskRefused for an event that is finished or cancelled."""
    if event.is_over:
        raise DeskRefused(
            _("This event is %(state)s.") % {"state": event.get_status_display()}, code="event_over"
        )


@dataclass(frozen=True, slots=True)
class FlightTerms:
    """Fees in minor units, prizes and places of a flight."""

    fees: Fees = field(default_factory=Fees)
    added: int = 0
    capacity: int | None = None
    percentages: Sequence[int] = ()


def announce_event(
    *,
    club: Club,
    name: str,
    starts_at: datetime,
    format_key: str,
    length: int,
    terms: FlightTerms | None = None,
    user: User | None = None,
) -> Event:
    """Announce an event with one flight and one stage in a named format.

    Raises DrawRefused for an unknown format.
    """
    terms = terms or FlightTerms()
    flight = single_flight(
        format_key,
        length,
        stage_name=_("Main"),
        fees=terms.fees,
        added=terms.added,
        capacity=terms.capacity,
        percentages=tuple(terms.percentages),
    )
    return announce(club=club, plan=EventPlan(name, starts_at, (flight,)), user=user)


def announce(*, club: Club, plan: EventPlan, user: User | None = None, like: Event | None = None) -> Event:
    """Announce a planned event; ``like`` is the event that it copies.

    The seed of each stage is created now; its hash is public before the draw. The event's log begins with the
    announcement. Raises DrawRefused for an invalid plan; nothing is saved then.
    """
    check_plan(plan)
    with transaction.atomic():
        event = Event.objects.create(
            club=club,
            name=plan.name,
            starts_at=plan.starts_at,
            zone=plan.zone,
            profile=profile_to_plain(plan.profile),
            rated=plan.rated,
            hidden=plan.hidden,
            members_only=plan.members_only,
            entries_from=plan.entries_from,
            entries_until=plan.entries_until,
            breaks=to_plain(plan.breaks),
            **asdict(plan.about),
        )
        for position, flight in enumerate(plan.flights):
            add_flight(event=event, plan=flight, position=position)
        if like is not None:
            _copy_rules(like.flights.order_by("position"), event.flights.order_by("position"))
        note(event=event, kind="announced", user=user, like=like.ref if like else None)
        if plan.tables:
            numbers = list(range(1, plan.tables + 1))
            EventTable.objects.bulk_create(EventTable(event=event, number=number) for number in numbers)
            note(event=event, kind="tables_made", user=user, numbers=numbers)
    return event


def add_flight(*, event: Event, plan: FlightPlan, position: int) -> Flight:
    """Add a flight with its stages. The caller has checked the plan."""
    flight = Flight.objects.create(
        event=event,
        name=plan.name,
        position=position,
        capacity=plan.capacity,
        registration_fee=plan.fees.registration,
        entry_fee=plan.fees.entry,
        returned=plan.fees.returned,
        added=plan.added,
        percentages=list(plan.percentages),
        shares=dict(plan.shares),
        team_size=plan.team_size,
        eligibility=to_plain(plan.eligibility),
        pools=to_plain(plan.pools),
        starts_when_full=plan.starts_when_full,
    )
    rows = [_stage(flight, stage, position) for position, stage in enumerate(plan.stages)]
    stages = {stage.name: stage for stage in StageRow.objects.bulk_create(rows)}
    Feed.objects.bulk_create(
        Feed(flight=flight, stage=stages[each.name], number=n, into=stages[rule.into], **columns_of(rule))
        for each in plan.stages
        for n, rule in enumerate(each.feeds, 1)
    )
    return flight


def _copy_rules(flights: Iterable[Flight], into: Iterable[Flight]) -> None:
    """Copy the rules of forbidden pairs, by club or title; those of names hold for other entrants."""
    copies = dict(zip([flight.pk for flight in flights], into, strict=True))
    rules = ForbiddenPairs.objects.filter(flight__in=copies).exclude(kind=ForbiddenKind.NAMES).order_by("pk")
    ForbiddenPairs.objects.bulk_create(
        ForbiddenPairs(flight=copies[rule.flight_id], kind=rule.kind, never=rule.never) for rule in rules
    )


def _stage(flight: Flight, plan: StagePlan, position: int) -> StageRow:
    seed = token_hex(16)
    return StageRow(
        flight=flight,
        name=plan.name,
        position=position,
        format=plan.format,
        options=to_plain(plan.options),
        length=plan.length,
        lengths=list(plan.lengths),
        starts={str(number): at.isoformat() for number, at in enumerate(plan.starts, 1)},
        boards=plan.boards,
        duplicate_dice=plan.duplicate_dice,
        rounds_wait=plan.rounds_wait,
        tie_breaks=list(plan.tie_breaks),
        dice_seed=token_hex(16),
        seed=seed,
        seed_hash=seed_hash(seed),
    )


def join_flight(*, event: Event, plan: FlightPlan, user: User | None) -> Flight:
    """Add a flight to an event that is not over.

    Raises DrawRefused for a plan that cannot be played and DeskRefused for an event that is over.
    """
    check_flight(plan)
    with transaction.atomic():
        locked = Event.objects.select_for_update(of=("self",), no_key=True).select_related("club")
        event = locked.get(pk=event.pk)
        require_not_over(event)
        last = event.flights.aggregate(last=Max("position"))["last"]
        flight = add_flight(event=event, plan=plan, position=0 if last is None else last + 1)
        note(event=event, kind="flight_added", user=user, flight=flight.ref)
    return flight


def set_starts(
    *,
    stage: StageRow,
    starts: Sequence[datetime],
    user: User | None,
    seen: Sequence[datetime] | None = None,
) -> None:
    """Set the earliest start of each round, from round 1.

    Rounds after the last one have none. Raises OvertakenRefused when the starts are not those ``seen``.
    """
    with transaction.atomic():
        locked = StageRow.objects.select_for_update(of=("self",), no_key=True).select_related("flight__event")
        stage = locked.get(pk=stage.pk)
        require_as_seen(None if seen is None else {"starts": list(seen)}, {"starts": starts_of(stage)})
        stage.starts = {str(number): at.isoformat() for number, at in enumerate(starts, 1)}
        stage.save(update_fields=["starts"])
        note(event=stage.flight.event, kind="starts", user=user, stage=stage.ref, starts=stage.starts)


def starts_of(stage: StageRow) -> list[datetime]:
    """The earliest starts of a stage's rounds, from round 1."""
    return [datetime.fromisoformat(at) for _number, at in sorted(stage.starts.items(), key=_round)]


def open_next_flight(flight: Flight) -> Flight:
    """Open another flight like a full one."""
    numbers = Flight.objects.filter(event=flight.event_id)
    plan = flight_plan(flight)
    base = _unnumbered(plan.name)
    position = 1 + max(numbers.values_list("position", flat=True))
    alike = sum(_unnumbered(name) == base for name in numbers.values_list("name", flat=True))
    made = add_flight(
        event=flight.event,
        plan=replace(plan, name=f"{base} {alike + 1}".strip()),
        position=position,
    )
    _copy_rules([flight], [made])
    return made


def opened_after(flight: Flight) -> list[Flight]:
    """The flights that opened one after the other once this one was full (one query, none for others)."""
    if not flight.starts_when_full:
        return []
    after = Flight.objects.filter(event=flight.event_id, position__gt=flight.position, starts_when_full=True)
    rows = after.select_related("event__club").order_by("position")
    return [each for each in rows if _unnumbered(each.name) == _unnumbered(flight.name)]


def open_after(flight: Flight) -> Flight:
    """The first that is not drawn of this flight and those that opened after it; else this one."""
    series = [flight, *opened_after(flight)]
    drawn = StageRow.objects.filter(flight__in=series).exclude(status=StageStatus.PLANNED)
    taken = set(drawn.values_list("flight", flat=True)) if len(series) > 1 else set()
    return next((each for each in series if each.pk not in taken), flight)


def _unnumbered(name: str) -> str:
    """A flight's name without the number of one that opened later: "Jackpot 2", or "2" without a name."""
    return re.sub(r"(?:^| )\d{1,2}$", "", name)


def plan_of(event: Event) -> EventPlan:
    """The plan of an existing event, for a copy (three queries)."""
    flights = event.flights.order_by("position").prefetch_related(stages_along())
    return EventPlan(
        name=event.name,
        starts_at=event.starts_at,
        flights=tuple(flight_plan(flight) for flight in flights),
        zone=event.zone,
        profile=event.rules,
        rated=event.rated,
        hidden=event.hidden,
        members_only=event.members_only,
        entries_from=event.entries_from,
        entries_until=event.entries_until,
        breaks=event.pauses,
        about=About(*(getattr(event, name) for name in ABOUT)),
        tables=event.tables.aggregate(last=Max("number"))["last"],
    )


def stages_along() -> "Prefetch[str, StageQuerySet, str]":
    """Prefetch of a flight's stages with their feeds."""
    return Prefetch("stages", StageRow.objects.with_feeds())


def flight_plan(flight: Flight) -> FlightPlan:
    """The plan of a flight (one query unless its stages are loaded)."""
    prefetch_related_objects([flight], stages_along())
    stages = sorted(flight.stages.all(), key=lambda each: each.position)
    names = {stage.ref: stage.name for stage in stages}
    return FlightPlan(
        stages=tuple(_stage_plan(stage, names) for stage in stages),
        name=flight.name,
        fees=Fees(flight.registration_fee, flight.entry_fee, flight.returned),
        added=flight.added,
        capacity=flight.capacity,
        percentages=tuple(flight.percentages),
        shares=tuple(flight.shares.items()),
        team_size=flight.team_size,
        eligibility=eligibility_of(flight.eligibility),
        pools=pools_of(flight.pools),
        starts_when_full=flight.starts_when_full,
    )


def _stage_plan(stage: StageRow, names: Mapping[str, str]) -> StagePlan:
    return StagePlan(
        name=stage.name,
        format=stage.format,
        options=options_before_the_draw(stage),
        length=stage.length,
        lengths=tuple(stage.lengths),
        starts=tuple(starts_of(stage)),
        feeds=tuple(replace(rule, into=names[rule.into]) for rule in stage.rules),
        boards=stage.boards,
        duplicate_dice=stage.duplicate_dice,
        rounds_wait=stage.rounds_wait,
        tie_breaks=tuple(stage.tie_breaks),
    )


def _round(item: tuple[str, str]) -> int:
    return int(item[0])


def options_before_the_draw(stage: StageRow) -> Any:
    """The options without the match lengths added by the draw."""
    options = from_plain(FORMATS[stage.format].options, stage.options, "options")
    if stage.drawn_at is None:
        return options
    if hasattr(options, "length"):
        return replace(options, length=None)
    own = tuple(stage.lengths) or (stage.length,)
    return replace(options, lengths=()) if options.lengths == own else options


def copy_event(*, event: Event, starts_at: datetime | None = None, user: User | None = None) -> Event:
    """Copy an event to ``starts_at``, by default one week later at the venue.

    Rules of forbidden pairs by club or title are copied, those of names are not.
    """
    if starts_at is None:
        starts_at = moved_moment(event.starts_at, timedelta(days=7), event.tz)
    plan = plan_of(event).moved_to(starts_at, tz=event.tz)
    return announce(club=event.club, plan=plan, user=user, like=event)


def touch(event: Event) -> None:
    """Make every open page of the event reload after the caller's commit.

    Every change of an event ends here or in the event's log; both raise MovedAwayRefused for an event that
    lives on another machine.
    """
    try:
        event.version = publish_next(Event, event.pk, "moved_at")
    except Event.DoesNotExist:
        event.refresh_from_db(fields=["moved_at", "moved_to"])
        raise MovedAwayRefused(event) from None
