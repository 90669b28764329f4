"""One action on chosen entries, all or nothing: mark paid, check in, withdraw, join a side pool."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import User
from tournaments.core.prizes.dues import price
from tournaments.core.prizes.pools import Fees
from tournaments.entries.services.entries import check_pools, withdraw
from tournaments.entries.services.entry_changes import lock_flights, pools_open
from tournaments.events.eligibility import pools_of
from tournaments.events.queries.events import is_drawn
from tournaments.events.services.events import require_not_over
from tournaments.log.cash_box import require_open_box
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import note
from tournaments.models import PAID_BY, EntrantRow, EntrantState, Event, FeePayment
from tournaments.money.entry_fees import FEES_PAID, HAS_PLACE, pay_rest

MOST_CHOSEN = 1000
"""Entries of one action."""


def mark_paid(*, event: Event, refs: Collection[str], payment: FeePayment, user: User | None) -> int:
    """Record that all fees of these entries were paid; returns how many changed.

    Of entries that were paid in part it is the rest; those that are paid stay as they are. Raises DeskRefused
    for an entry of another event, and for one that is free or refunded.
    """
    with transaction.atomic():
        rows = _locked(event, refs)
        before, after = {}, {}
        for row in rows:
            if row.payment == FeePayment.FREE or row.refunded_at is not None:
                raise DeskRefused(
                    _("%(name)s has no fees to pay. Leave this entry out.") % {"name": row.title},
                    code="no_fees",
                )
            if row.payment in PAID_BY and not row.outstanding:
                continue
            before[row.ref] = {name: getattr(row, name) for name in FEES_PAID}
            pay_rest(row, payment)
            after[row.ref] = {name: getattr(row, name) for name in FEES_PAID}
        return _noted(event, rows, "fees_paid", user, before, after)


def check_in_chosen(*, event: Event, refs: Collection[str], user: User | None) -> int:
    """Check in these entries; returns how many were not. Raises DeskRefused for one without a place."""
    with transaction.atomic():
        rows = _locked(event, refs)
        require_not_over(rows[0].flight.event)
        for row in rows:
            _require_placed(row)
        arrived = [row.ref for row in rows if row.state == EntrantState.REGISTERED]
        if arrived:
            EntrantRow.objects.filter(ref__in=arrived).update(state=EntrantState.PRESENT)
            note(event=event, kind="checked_in_all", user=user, entrants=arrived)
        return len(arrived)


def join_pool(*, event: Event, refs: Collection[str], pool: str, user: User | None) -> int:
    """Enter these entries in a side pool; returns how many were not in it.

    Its fee is outstanding on entries that were paid. Raises DeskRefused once play has begun, for an entry
    without a place, and for a division without this pool; PrizeRefused for an entry that it does not admit.
    """
    with transaction.atomic():
        rows = _locked(event, refs)
        require_not_over(rows[0].flight.event)
        for flight in {row.flight_id: row.flight for row in rows}.values():
            if reason := pools_open(flight):
                raise DeskRefused(reason, code="pools_closed")
        before: dict[str, Any] = {}
        after: dict[str, Any] = {}
        for row in rows:
            _require_placed(row)
            if pool in row.pools:
                continue
            check_pools(row.flight, row.rating, [*row.pools, pool])
            before[row.ref] = {"pools": list(row.pools), "outstanding": row.outstanding}
            row.pools = [*row.pools, pool]
            if row.payment in PAID_BY and row.refunded_at is None:
                row.outstanding += price(Fees(), pools_of(row.flight.pools), [pool])
            after[row.ref] = {"pools": list(row.pools), "outstanding": row.outstanding}
        return _noted(event, rows, "pool_joined", user, before, after, pool=pool)


def withdraw_chosen(*, event: Event, refs: Collection[str], user: User | None) -> int:
    """Withdraw these entries before the draw; returns how many had not withdrawn.

    Raises DeskRefused for one that was drawn: its open matches are forfeited, which a director decides for
    each.
    """
    with transaction.atomic():
        rows = [row for row in _locked(event, refs) if row.state != EntrantState.WITHDRAWN]
        for row in rows:
            if is_drawn(row):
                raise DeskRefused(
                    _("%(name)s has been drawn. Withdraw drawn entries one by one: tap the name.")
                    % {"name": row.title},
                    code="drawn",
                )
        for row in rows:
            withdraw(entrant=row, user=user)
        return len(rows)


def _locked(event: Event, refs: Collection[str]) -> list[EntrantRow]:
    """Lock the flights of these entries and the entries (four queries and one a flight)."""
    wanted = set(refs)
    if not wanted:
        raise DeskRefused(_("No entry is selected. Select entries first."), code="nobody")
    if len(wanted) > MOST_CHOSEN:
        raise DeskRefused(
            _("%(count)s entries are selected. Select at most %(most)s.")
            % {"count": len(wanted), "most": MOST_CHOSEN},
            code="too_many",
        )
    found = EntrantRow.objects.filter(ref__in=wanted, flight__event=event)
    known = dict(found.values_list("ref", "flight_id"))
    if unknown := sorted(wanted - known.keys()):
        raise DeskRefused(
            _("There is no entry %(ref)s in this event.") % {"ref": unknown[0]}, code="unknown_entry"
        )
    flights = lock_flights(event, list(set(known.values())))
    rows = EntrantRow.objects.filter(ref__in=wanted).order_by("pk").select_for_update(no_key=True)
    entrants = list(rows.with_players())
    for row in entrants:
        if row.flight_id not in flights:
            raise DeskRefused(_("Someone else changed this. Reload the page and try again."), code="moved")
        row.flight = flights[row.flight_id]
    return entrants


def _require_placed(row: EntrantRow) -> None:
    if row.state not in HAS_PLACE:
        raise DeskRefused(
            _("%(name)s has no place in this event. The status is: %(state)s.")
            % {"name": row.title, "state": row.get_state_display()},
            code="no_place",
        )


def _noted(
    event: Event,
    rows: Sequence[EntrantRow],
    kind: str,
    user: User | None,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    **body: Any,
) -> int:
    """Store the changed rows with one entry of the log."""
    changed = [row for row in rows if row.ref in after]
    if changed:
        require_open_box(event)
        EntrantRow.objects.bulk_update(changed, [*FEES_PAID, "pools"])
        note(event=event, kind=kind, user=user, before=before, after=after, **body)
    return len(changed)
