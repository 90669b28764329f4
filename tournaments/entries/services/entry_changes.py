"""Change an entry: seed, rating, club, email, fees, side pools, division."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from clubs.formats.money import money
from clubs.models import User
from tournaments.core.prizes.dues import Dues
from tournaments.entries.queries.table import dues_of_entrant
from tournaments.entries.services.entries import (
    check_pools,
    fill_up,
    lock_filling,
    move_up,
    place_in,
    require_eligible_players,
    require_undrawn,
    wrong_size,
)
from tournaments.events.eligibility import pools_of
from tournaments.events.queries.events import is_drawn
from tournaments.events.services.events import require_as_seen, require_not_over
from tournaments.log.cash_box import require_open_box
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import lock_event, note
from tournaments.models import (
    PAID_BY,
    EntrantMember,
    EntrantRow,
    EntrantState,
    Event,
    FeePayment,
    Flight,
    LotEntrant,
    PairingRow,
    PairingState,
    Prize,
)
from tournaments.money.entry_fees import FEES_PAID, HAS_PLACE
from tournaments.stages.services.forbidden import follow_club, leave_list


class EntryValues(TypedDict, total=False):
    """What can change of an entry.

    ``paid`` is the amount paid so far, ``other_way`` the part of it that was paid in the other of cash and
    transfer than ``payment`` says; in minor units.
    """

    name: str
    flight: Flight
    rating: float | None
    seed: int | None
    from_club: str
    email: str
    payment: FeePayment
    paid: int | None
    other_way: int
    pools: Sequence[str]


DRAWN = frozenset({"rating", "seed"})
"""Values that a draw has used."""
ALWAYS = frozenset({"payment", "paid", "other_way", "email"})
"""Values that change in every state of an entry and an event."""
PERSONAL = frozenset({"name", "from_club", "email"})
"""Values that the log does not repeat."""
SEEN = ("rating", "seed", "from_club", "email", *FEES_PAID, "pools", "name", "state")


@dataclass(frozen=True, slots=True)
class ChangedEntry:
    """The entry after a change; ``refund`` is what was paid above its new fees, in minor units."""

    entrant: EntrantRow
    refund: int = 0


def present_values(entrant: EntrantRow) -> dict[str, Any]:
    """The values of an entry that a form has shown."""
    return {name: getattr(entrant, name) for name in SEEN} | {"flight": entrant.flight_id}


def change_entry(
    *,
    entrant: EntrantRow,
    values: EntryValues,
    user: User | None,
    override: bool = False,
    seen: Mapping[str, Any] | None = None,
) -> ChangedEntry:
    """Change what ``values`` has of an entry, or nothing.

    A change of side pools or division changes the fees: what was paid stays, and the rest is outstanding.
    Raises DeskRefused for a value that the draw has used, for a division that has been drawn or that the
    player is in, after the event, for another division than that in which the entrant's lot is sold, for an
    amount above the fees or above what was paid, and for fees while the cash box is closed;
    PrizeRefused for a side pool that they cannot enter; OvertakenRefused if the entry is not as ``seen``.
    ``override`` ignores entry restrictions.
    """
    with transaction.atomic():
        target = values.get("flight", entrant.flight)
        flights = lock_flights(entrant.flight.event, [entrant.flight_id, target.pk])
        row = EntrantRow.objects.select_for_update(no_key=True).get(pk=entrant.pk)
        row.flight = flights[row.flight_id]
        require_as_seen(seen, present_values(row))
        before, dues = present_values(row), _dues(row)
        _require_free(row, values)
        moved_up = None
        if target.pk != row.flight_id:
            lock_filling([flights[target.pk]])
            moved_up = _move(row, flights[target.pk], values, user, override=override)
        for name in ("name", "rating", "seed", "from_club", "email"):
            if name in values:
                setattr(row, name, values[name])
        if "pools" in values:
            _set_pools(row, values["pools"])
        refund = _pay(row, values, dues)
        changed = {name: value for name, value in present_values(row).items() if value != before[name]}
        if changed:
            row.save()
            if "from_club" in changed and is_drawn(row):
                follow_club(flight=row.flight, user=user)
            if "flight" in changed:
                fill_up(row.flight)
                _leave_lot(row)
            if changed.keys() & set(FEES_PAID):
                require_open_box(row.flight.event)
            told = sorted(changed.keys() - PERSONAL - {"flight", "state"})
            note(
                event=row.flight.event,
                kind="entry_changed",
                user=user,
                entrant=row.ref,
                before={name: before[name] for name in told},
                after={name: changed[name] for name in told},
                others=sorted(changed.keys() & PERSONAL),
                division=row.flight.ref if "flight" in changed else "",
                moved_up=moved_up,
                currency=row.flight.event.club.currency,
            )
    return ChangedEntry(row, refund)


def lock_flights(event: Event, pks: Sequence[int]) -> dict[int, Flight]:
    """Lock these flights of the event in order. Raises DeskRefused for one of another event."""
    rows = Flight.objects.filter(event=event, pk__in=pks).order_by("pk")
    found = {row.pk: row for row in rows.select_for_update(no_key=True)}
    if found.keys() < set(pks):
        raise DeskRefused(_("This division is in another event."), code="other_event")
    current = Event.objects.select_related("club").get(pk=event.pk)
    for row in found.values():
        row.event = current
    return found


def pools_open(flight: Flight) -> str:
    """Why entrants cannot join or leave side pools now; empty if they can (one query)."""
    rows = PairingRow.objects.filter(stage__flight=OuterRef("pk")).current().exclude(state=PairingState.BYE)
    begun = rows.filter(Q(started_at__isnull=False) | Q(state=PairingState.DECIDED))
    here = Flight.objects.filter(pk=flight.pk)
    asked = here.values_list(Exists(begun), Exists(Prize.objects.filter(flight=OuterRef("pk"))))
    has_begun, has_prizes = asked.get()
    if has_begun:
        return _("Side pools closed with the first match. They can no longer be joined or left.")
    if has_prizes:
        return _("Prizes have been approved. Side pools can no longer be joined or left.")
    return ""


def _require_free(row: EntrantRow, values: EntryValues) -> None:
    """Raise DeskRefused for a change that the state of entry, draw or event excludes."""
    changed = {name for name, value in values.items() if name != "paid" and _differs(row, name, value)}
    if changed - ALWAYS:
        require_not_over(row.flight.event)
        if row.state == EntrantState.WITHDRAWN:
            raise DeskRefused(
                _("This entry is withdrawn. Only its fees and email address can change."), code="withdrawn"
            )
    if changed & DRAWN and is_drawn(row):
        raise DeskRefused(
            _("The draw has used the seed and the rating. Redraw to change them."), code="drawn"
        )
    if "pools" in changed and (reason := pools_open(row.flight)):
        raise DeskRefused(reason, code="pools_closed")


def _leave_lot(row: EntrantRow) -> None:
    """Take an entrant who has moved out of the auction of the division that was left; locks the event.

    Raises DeskRefused if the lot is sold.
    """
    lock_event(row.flight.event)
    place = LotEntrant.objects.filter(entrant=row).select_related("lot").first()
    if place is None:
        return
    if place.lot.is_sold:
        raise DeskRefused(
            _("%(name)s is in lot %(number)s of the auction, which is sold. Undo the sale first.")
            % {"name": row.title, "number": place.lot.number},
            code="lot_sold",
        )
    place.delete()
    if not LotEntrant.objects.filter(lot=place.lot).exists():
        place.lot.delete()


def _differs(row: EntrantRow, name: str, value: Any) -> bool:
    if name == "flight":
        return bool(value.pk != row.flight_id)
    if name == "pools":
        return set(value) != set(row.pools)
    return bool(value != getattr(row, name))


def _move(
    row: EntrantRow, target: Flight, values: EntryValues, user: User | None, *, override: bool
) -> str | None:
    """Move an entry to another division before both draws; returns the entry that moved up."""
    require_undrawn(row.flight)
    require_undrawn(target)
    found = EntrantRow.objects.with_players().get(pk=row.pk)
    members = EntrantMember.objects.filter(flight=target, player__in=found.players, active=True)
    if members.exists():
        raise DeskRefused(
            _("%(name)s is already in this division.") % {"name": found.title},
            code="entered_already",
        )
    if target.team_size is not None and target.team_size != len(found.players):
        raise DeskRefused(wrong_size(target.team_size, len(found.players)), code="team_size")
    if not override:
        require_eligible_players(target, found.players, values.get("rating", row.rating))
    left, had_place = row.flight, row.state in HAS_PLACE
    named = target.name or _("This division")
    lost = sorted(set(values.get("pools", row.pools)) - {pool.key for pool in pools_of(target.pools)})
    if lost:
        raise DeskRefused(
            _("%(division)s has no side pool %(pool)s. Take the entry out of the pool first.")
            % {"division": named, "pool": lost[0]},
            code="no_pool",
        )
    if row.state != EntrantState.INVITED:
        place = place_in(target)
        row.state = place if EntrantState.WAITING in {place, row.state} else row.state
    leave_list(entrant=row, user=user)
    row.flight = target
    EntrantMember.objects.filter(entrant=row).update(flight=target)
    EntrantRow.objects.filter(pk=row.pk).update(flight=target, state=row.state)
    return move_up(left) if had_place else None


def _set_pools(row: EntrantRow, pools: Sequence[str]) -> None:
    chosen = list(dict.fromkeys(pools))
    if set(chosen) != set(row.pools):
        check_pools(row.flight, row.rating, chosen)
        row.pools = chosen


def _dues(row: EntrantRow) -> Dues:
    return dues_of_entrant(row, row.flight)


def _pay(row: EntrantRow, values: EntryValues, before: Dues) -> int:
    """Set payment and what is outstanding; returns what was paid above the new fees."""
    had_paid = before.paid
    row.payment = values.get("payment", FeePayment(row.payment))
    if row.payment not in PAID_BY:
        row.outstanding, row.other_way, row.refunded_at = 0, 0, None
        return 0
    if row.refunded_at is not None:
        return 0
    row.outstanding = 0
    due = _dues(row).due
    paid = values.get("paid")
    if paid is None:
        # Paid from now on: all of it. Paid before: what was paid stays, and new fees are outstanding.
        paid = min(had_paid, due) if before.due and had_paid else due
    elif paid > due and paid != had_paid:
        currency = row.flight.event.club.currency
        raise DeskRefused(
            _("The fees of this entry are %(due)s, not %(paid)s. Enter at most the fees.")
            % {"due": money(due, currency), "paid": money(paid, currency)},
            code="above_the_fees",
        )
    paid = min(paid, due)
    refund = max(0, had_paid - due)
    if not paid and due:
        row.payment, row.other_way = FeePayment.OPEN, 0
        return had_paid
    row.outstanding = due - paid
    # A refund goes back the way that was used last.
    row.other_way = _other_way(row, values, paid, max(0, row.other_way - refund))
    return refund


def _other_way(row: EntrantRow, values: EntryValues, paid: int, kept: int) -> int:
    """What was paid the other way: as in ``values``, else what is ``kept`` of it."""
    wanted = values.get("other_way", kept)
    if wanted > paid and "other_way" in values:
        currency = row.flight.event.club.currency
        raise DeskRefused(
            _("%(part)s cannot be a part of %(paid)s. Enter at most the amount paid.")
            % {"part": money(wanted, currency), "paid": money(paid, currency)},
            code="above_the_payment",
        )
    return min(wanted, paid)
