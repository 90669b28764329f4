"""The accounts of an event, what is unsettled, and its cash box."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.formats.money import money
from clubs.models import Player
from tournaments.calcutta.queries import LotItem, lot_items, lots_of, open_auctions
from tournaments.core.prizes.settlement import (
    Account,
    Item,
    ItemKind,
    cash_in_box,
)
from tournaments.events.queries.event_page import whole_flights
from tournaments.models import (
    AuctionLot,
    CashClosing,
    EntrantRow,
    Event,
    Flight,
)
from tournaments.money.entry_fees import fees_of, standing_of, who_is
from tournaments.money.queries import EventMoney, way_paid
from tournaments.words.settlement import item_words, way_words
from tournaments.words.written import pool_name


@dataclass(frozen=True, slots=True)
class AccountLine:
    """An account with its name and players."""

    account: Account
    title: str
    players: tuple[Player, ...]

    @property
    def ref(self) -> str:
        return self.account.ref

    @property
    def users(self) -> list[int]:
        """Keys of the accounts to which a receipt can be sent."""
        return [player.user_id for player in self.players if player.user_id is not None]


@dataclass(frozen=True, slots=True)
class Settlement:
    """Accounts of an event, the open ones first; ``closing`` is the closed cash box, if it is closed.

    ``reasons`` say in the reader's language what is unsettled; ``earlier`` are the closings of a cash box
    that was reopened, newest first.
    """

    event: Event
    lines: tuple[AccountLine, ...]
    reasons: tuple[str, ...]
    closing: CashClosing | None
    flights: Mapping[str, Flight]
    earlier: tuple[CashClosing, ...] = ()

    @property
    def open(self) -> list[AccountLine]:
        return [line for line in self.lines if not line.account.settled]

    @property
    def done(self) -> list[AccountLine]:
        return [line for line in self.lines if line.account.settled]

    @property
    def payable(self) -> list[AccountLine]:
        """Open accounts that owe nothing net."""
        return [line for line in self.open if line.account.net >= 0]

    @property
    def to_collect(self) -> int:
        return -sum(min(0, line.account.net) for line in self.lines)

    @property
    def to_pay_out(self) -> int:
        return sum(max(0, line.account.net) for line in self.lines)

    @property
    def cash(self) -> int:
        """Cash received less cash paid out."""
        return cash_in_box(line.account for line in self.lines)

    def line(self, ref: str) -> AccountLine | None:
        return next((line for line in self.lines if line.ref == ref), None)


def settlement_of(event: Event) -> Settlement:
    """The settlement of an event; the number of queries is constant."""
    flights = whole_flights(event)
    loaded = EventMoney.of(event, flights)
    items: defaultdict[int, list[Item]] = defaultdict(list)
    for entrant in loaded.entrants:
        flight = loaded.flights[entrant.flight_id]
        items[entrant.pk] += fees_of(entrant, flight, standing_of(entrant, loaded.states[flight.pk]))
    for prize in loaded.prizes:
        how = way_paid(prize.paid_how, prize.paid_at)
        ref = loaded.flights[prize.flight_id].ref
        items[prize.entrant_id].append(Item(ItemKind.PRIZE, prize.amount, how, prize.ref, ref, prize.source))
    lots = lots_of("flight__event", event.pk) if any(hasattr(each, "auction") for each in flights) else []
    lines = sorted(
        _lines(loaded.entrants, items, list(lot_items(lots))),
        key=lambda line: (line.account.settled, line.title.casefold()),
    )
    closings = list(
        CashClosing.objects.filter(event=event)
        .select_related("closed_by__player__person", "reopened_by__player__person")
        .order_by("-closed_at", "-pk")
    )
    reasons = [
        *_of_accounts(lines, event),
        *_of_auctions(lots, event),
        *_of_pools(loaded, event),
    ]
    return Settlement(
        event,
        tuple(lines),
        tuple(reasons),
        next((each for each in closings if each.reopened_at is None), None),
        {flight.ref: flight for flight in flights},
        tuple(each for each in closings if each.reopened_at is not None),
    )


@dataclass(frozen=True, slots=True)
class ReceiptRow:
    """An item of a receipt in the reader's language; ``flight`` is the name of its division."""

    item: Item
    words: str
    how: str
    flight: str

    @property
    def amount(self) -> int:
        return self.item.amount


def receipt_rows(found: Settlement, line: AccountLine) -> list[ReceiptRow]:
    """The items of an account; the division is named if the event has several."""
    several = len(found.flights) > 1
    return [
        ReceiptRow(
            item,
            item_words(item),
            way_words(item.how),
            found.flights[item.flight].name if several and item.flight else "",
        )
        for item in line.account.items
    ]


def _lines(
    entrants: Sequence[EntrantRow], items: Mapping[int, Sequence[Item]], lots: Sequence[LotItem]
) -> Iterator[AccountLine]:
    """One account for the same players in several divisions, with the lots that they own."""
    groups: defaultdict[tuple[int, ...], list[EntrantRow]] = defaultdict(list)
    for entrant in entrants:
        groups[who_is(entrant)].append(entrant)
    who = {entrant.pk: who_is(entrant) for entrant in entrants}
    buyers = {each.lot.buyer.pk: each.lot.buyer for each in lots if each.lot.buyer is not None}
    owned: defaultdict[tuple[int, ...], list[Item]] = defaultdict(list)
    for each in lots:
        key = who[each.entrant] if each.entrant is not None else (each.lot.buyer_id or 0,)
        owned[key].append(each.item)
    for key in {**groups, **owned}:
        rows = groups.get(key, [])
        own = tuple(item for row in rows for item in items.get(row.pk, ())) + tuple(owned.get(key, ()))
        if not own:
            continue
        if rows:
            yield AccountLine(Account(rows[0].ref, own), rows[-1].title, tuple(rows[-1].players))
        else:
            buyer = buyers[key[0]]
            yield AccountLine(Account(buyer.ref, own), buyer.name, (buyer,))


def _of_accounts(lines: Sequence[AccountLine], event: Event) -> Iterator[str]:
    owing = [line.account for line in lines if line.account.net < 0]
    paying = [line.account for line in lines if not line.account.settled and line.account.net >= 0]
    currency = event.club.currency
    if owing:
        words = {"count": len(owing), "amount": money(-sum(each.net for each in owing), currency)}
        yield (
            ngettext("%(count)s account owes %(amount)s.", "%(count)s accounts owe %(amount)s.", len(owing))
            % words
        )
    if paying:
        words = {"count": len(paying), "amount": money(sum(each.net for each in paying), currency)}
        yield (
            ngettext(
                "%(amount)s is still to be paid out to %(count)s account.",
                "%(amount)s is still to be paid out to %(count)s accounts.",
                len(paying),
            )
            % words
        )


def _of_auctions(lots: Sequence[AuctionLot], event: Event) -> Iterator[str]:
    for auction in open_auctions(lots):
        name = auction.flight.name or event.name
        yield _("The auction payouts of %(flight)s are not approved.") % {"flight": name}


def _of_pools(loaded: EventMoney, event: Event) -> Iterator[str]:
    """Pools whose approved prizes do not add up to them."""
    currency = event.club.currency
    for key, flight in loaded.flights.items():
        if loaded.states[key].cancelled or not loaded.states[key].drawn:
            continue
        sheet = loaded.balance_of(flight)
        if sheet.pools and not sheet.approved:
            yield _("The prizes of %(flight)s are not approved.") % {"flight": flight.name or event.name}
        for pool in sheet.mismatched:
            words = {"pool": pool_name(pool.key), "approved": money(pool.approved, currency)}
            words["holds"] = money(pool.pool, currency)
            yield _("%(pool)s: prizes of %(approved)s are approved, but the pool holds %(holds)s.") % words
