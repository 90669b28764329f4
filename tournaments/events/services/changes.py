"""Change the terms of an event or a flight.

An event's terms can change until it is over, a flight's until its draw. Existing draws, results and payments
keep the old terms. The event's log records every change with its old value.
"""

from collections.abc import Mapping, Set
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import User
from scoring.codec import to_plain
from tournaments.core.timetable.breaks import BreakRefused, check_breaks
from tournaments.events.eligibility import pools_of
from tournaments.events.plans import ABOUT, check_flight
from tournaments.events.queries.terms import (
    AFTER_THE_DRAW,
    FLIGHT_TERMS,
    UNLOGGED,
    event_terms,
    flight_terms,
    is_drawn,
)
from tournaments.events.services.events import flight_plan, plan_of, require_as_seen, require_not_over
from tournaments.log.cash_box import require_open_box
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import lock_event, note
from tournaments.models import (
    EntrantRow,
    EntrantState,
    Event,
    FeePayment,
    Flight,
    Prize,
    StageRow,
)
from tournaments.words.refusals import break_in_words

Terms = Mapping[str, Any]
WHEN_OVER = frozenset({"members_only", "hidden", *ABOUT})
BEFORE_A_DRAW = frozenset({"starts_at", "rated"})
FEES = frozenset({"registration_fee", "entry_fee", "returned", "pools"})
OF_STAGES = frozenset({"length", "lengths"})


def change_event(*, event: Event, changes: Terms, user: User | None, seen: Terms | None = None) -> Event:
    """Change terms of an event; unchanged terms log nothing.

    The terms are ``tournaments.events.queries.terms.EVENT_TERMS``. Where it is moved to another day, its
    breaks, earliest starts and deadlines move along by as many days. ``seen`` are terms as a page knew them.
    Raises DeskRefused for an event that is over (who sees it and its texts can still change), for a start
    or a rating after a draw, and for a window of registration or a start that cannot be; OvertakenRefused
    where a term is not as it was ``seen``.
    """
    with transaction.atomic():
        flights = Flight.objects.select_for_update(no_key=True).filter(event=event).order_by("pk")
        stages = StageRow.objects.select_for_update(of=("self",), no_key=True).filter(flight__event=event)
        # A draw waits for the flight; what is noted on a stage, for the stage: by position, as results take
        # them, whatever their keys.
        ordered = stages.order_by("flight__position", "position")
        drawn = bool(flights) and any(stage.drawn_at is not None for stage in ordered)
        locked = lock_event(event)
        before, breaks = _different(event_terms(locked), changes, seen), locked.breaks
        if not before:
            return locked
        if before.keys() - WHEN_OVER:
            require_not_over(locked)
        if drawn and before.keys() & BEFORE_A_DRAW:
            raise DeskRefused(
                _("The start time and rating status cannot change after a draw."),
                code="drawn",
            )
        if "starts_at" in before:
            _move(locked, changes["starts_at"])
        for name in before:
            setattr(locked, name, changes[name])
        _require_window(locked)
        locked.save(update_fields=[*before, "breaks"])
        after = {name: changes[name] for name in before}
        told = (
            {name: None if name in UNLOGGED else value for name, value in each.items()}
            for each in (before, after)
        )
        was, became = map(to_plain, told)
        entry = note(event=locked, kind="changed", user=user, before=was, after=became)
        if locked.breaks != breaks:
            # An open page of the breaks is overtaken.
            locked.breaks_seq = entry.seq
            locked.save(update_fields=["breaks_seq"])
    return locked


def change_flight(*, flight: Flight, changes: Terms, user: User | None, seen: Terms | None = None) -> Flight:
    """Change terms of a flight, as plain data; unchanged terms log nothing.

    The terms are ``tournaments.events.queries.terms.FLIGHT_TERMS``. With more places the waiting list moves
    up; who entered stays in whatever the rule says now. ``length`` is set in every draw to come. Prizes that
    were written down are taken back where the money for them changes. Raises DeskRefused for an event
    that is over, for what the draw, fees that came in, entries in a side pool or a paid prize hold fast, and
    for fewer places than are taken; DrawRefused for terms that cannot be played; OvertakenRefused where a
    term is not as it was ``seen``.
    """
    with transaction.atomic():
        locked = Flight.objects.select_for_update(of=("self",), no_key=True).select_related("event__club")
        flight = locked.get(pk=flight.pk)
        stages = StageRow.objects.select_for_update(of=("self",), no_key=True).filter(flight=flight)
        to_come = [stage for stage in stages.order_by("position") if stage.drawn_at is None]
        event = lock_event(flight.event)
        before = _different(flight_terms(flight), changes, seen)
        if not before:
            return flight
        require_not_over(event)
        drawn = is_drawn(flight)
        _require_free(flight, before.keys(), changes, drawn=drawn)
        if before.keys() & {"added", "percentages", *FEES}:
            require_open_box(event)
        for name in before.keys() - OF_STAGES:
            setattr(flight, name, changes[name])
        if "name" in before:
            _require_name(flight)
        check_flight(flight_plan(flight))
        flight.save(update_fields=[*(before.keys() - OF_STAGES)])
        _set_lengths(to_come, {name: changes[name] for name in before.keys() & OF_STAGES})
        if before.keys() & {"added", "percentages", *FEES}:
            Prize.objects.filter(flight=flight).delete()
        moved_up = _move_up(flight) if "capacity" in before and not drawn else []
        note(
            event=event,
            kind="flight_changed",
            user=user,
            flight=flight.ref,
            before=to_plain(before),
            after=to_plain({name: changes[name] for name in before}),
            moved_up=moved_up,
            currency=event.club.currency,
        )
    return flight


def _different(present: Terms, changes: Terms, seen: Terms | None) -> dict[str, Any]:
    """The current values of the terms to change. Raises DeskRefused for a fixed term."""
    now = to_plain(present)
    if seen is not None:
        # A term that is gone, as the lengths are with the draw, is not as it was seen.
        require_as_seen(to_plain(seen), dict.fromkeys(seen) | now)
    if gone := changes.keys() - present.keys():
        names = ", ".join(str(FLIGHT_TERMS[name]) for name in FLIGHT_TERMS if name in gone)
        raise DeskRefused(
            _("These cannot change after the draw: %(terms)s.") % {"terms": names}, code="drawn"
        )
    return {name: present[name] for name, value in to_plain(changes).items() if value != now[name]}


def _require_window(event: Event) -> None:
    opens, closes = event.entries_from, event.entries_until
    if opens is not None and closes is not None and closes <= opens:
        raise DeskRefused(_("Registration cannot close before it opens."), code="entries")


def _move(event: Event, starts_at: datetime) -> None:
    """Move the breaks, earliest starts and deadlines of an event without a draw."""
    plan, tz = plan_of(event), event.tz
    day = starts_at.astimezone(tz).date()
    same_hour = plan.starts_at.astimezone(tz).replace(tzinfo=None)
    moved = plan.moved_to(same_hour.replace(day.year, day.month, day.day, tzinfo=tz), tz=tz)
    try:
        check_breaks(moved.breaks, event_at=starts_at)
    except BreakRefused as refused:
        raise DeskRefused(break_in_words(refused), code=f"break_{refused.code}") from refused
    event.breaks = to_plain(moved.breaks)
    flights = event.flights.order_by("position").prefetch_related("stages")
    for flight, planned in zip(flights, moved.flights, strict=True):
        stages = sorted(flight.stages.all(), key=lambda stage: stage.position)
        for stage, each in zip(stages, planned.stages, strict=True):
            stage.options = to_plain(each.options)
            stage.starts = {str(number): at.isoformat() for number, at in enumerate(each.starts, 1)}
            stage.save(update_fields=["options", "starts"])


def _require_free(flight: Flight, names: Set[str], changes: Terms, *, drawn: bool) -> None:
    """Raise DeskRefused for a term that can no longer change."""
    if drawn and (held := names - AFTER_THE_DRAW):
        words = ", ".join(str(FLIGHT_TERMS[name]) for name in FLIGHT_TERMS if name in held)
        raise DeskRefused(
            _("These cannot change after the draw: %(terms)s.") % {"terms": words}, code="drawn"
        )
    entrants = EntrantRow.objects.filter(flight=flight)
    paid = entrants.filter(payment__in=[FeePayment.CASH, FeePayment.TRANSFER], refunded_at=None).count()
    if names & FEES and paid:
        raise DeskRefused(
            ngettext(
                "%(count)s entrant has paid these fees. Refund them first.",
                "%(count)s entrants have paid these fees. Refund them first.",
                paid,
            )
            % {"count": paid},
            code="fees_paid",
        )
    if "pools" in names:
        left = {pool.key for pool in pools_of(changes["pools"])}
        rows = entrants.exclude(state=EntrantState.WITHDRAWN).values_list("pools", flat=True)
        if used := sorted({key for pools in rows for key in pools} - left):
            raise DeskRefused(
                _("The side pool %(pool)s has entrants and cannot be removed.") % {"pool": used[0]},
                code="pool_used",
            )
    if names & {"added", "percentages", *FEES} and Prize.objects.filter(flight=flight).exclude(paid_at=None):
        raise DeskRefused(_("A prize has already been paid. Settle the difference by hand."), code="paid")
    if "capacity" in names:
        _require_places(flight, changes["capacity"], entrants.entered().count())


def _require_places(flight: Flight, capacity: int | None, taken: int) -> None:
    if flight.starts_when_full:
        raise DeskRefused(
            _("A division that starts when full cannot change its number of places."), code="starts_when_full"
        )
    if capacity is not None and capacity < taken:
        raise DeskRefused(
            _("%(taken)s places are taken. Enter at least that many.") % {"taken": taken}, code="places_taken"
        )


def _require_name(flight: Flight) -> None:
    names = list(
        Flight.objects.filter(event=flight.event_id).exclude(pk=flight.pk).values_list("name", flat=True)
    )
    if names and (not flight.name or flight.name in names):
        raise DeskRefused(_("Give each division a different name."), code="flight_name")


def _set_lengths(stages: list[StageRow], lengths: Terms) -> None:
    """Set the match lengths of future draws; by round only for the first stage."""
    for stage in stages:
        stage.length = lengths.get("length", stage.length)
        if stage.position == 0 and "lengths" in lengths:
            stage.lengths = list(lengths["lengths"])
        stage.save(update_fields=["length", "lengths"])


def _move_up(flight: Flight) -> list[str]:
    """Move entrants up from the waiting list into new places; their refs."""
    entrants = EntrantRow.objects.filter(flight=flight)
    free = None if flight.capacity is None else flight.capacity - entrants.entered().count()
    first = list(entrants.waiting()[:free])
    EntrantRow.objects.filter(pk__in=[each.pk for each in first]).update(state=EntrantState.REGISTERED)
    return [each.ref for each in first]
