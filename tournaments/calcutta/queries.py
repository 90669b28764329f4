"""The Calcutta auction of a flight: its lots, its pool and what each lot is paid."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from tournaments.core.prizes.calcutta import Lot, LotParts, calcutta_pool, is_returned
from tournaments.core.prizes.payouts import PERCENTAGES, paid_places
from tournaments.core.prizes.settlement import OPEN, Item, ItemKind
from tournaments.core.standings.places import Place
from tournaments.models import (
    Auction,
    AuctionLot,
    EntrantRow,
    Event,
    EventStatus,
    Flight,
    StageStatus,
)
from tournaments.money.queries import way_paid
from tournaments.money.services.awards import Purse


@dataclass(frozen=True, slots=True)
class LotLine:
    """A lot with the parts of its price, and its payouts together."""

    row: AuctionLot
    parts: LotParts | None
    payout: int
    paid: bool

    @property
    def bought_back(self) -> list[tuple[str, int]]:
        """Names and percentages of the entrants who bought back."""
        return [
            (each.entrant.title, each.bought_back) for each in self.row.entrants.all() if each.bought_back
        ]


@dataclass(frozen=True, slots=True)
class AuctionState:
    """An auction with its lots in order; amounts in minor units."""

    auction: Auction
    lines: tuple[LotLine, ...]
    missing: int
    returned: bool = False
    """No sold entrant has won a match, or the division was cancelled: the payouts give the pool back."""
    cancelled: bool = False
    """The event or the division was cancelled before its last match."""

    @property
    def sold(self) -> list[LotLine]:
        return [line for line in self.lines if line.row.is_sold]

    @property
    def unsold(self) -> list[LotLine]:
        return [line for line in self.lines if not line.row.is_sold]

    @property
    def prices(self) -> int:
        return sum(line.row.price for line in self.lines)

    @property
    def pool(self) -> int:
        """Prices less the rake."""
        return calcutta_pool([lot_of(line.row) for line in self.sold], rake=self.auction.rake)

    @property
    def kept(self) -> int:
        """The rake."""
        return self.prices - self.pool

    @property
    def approved(self) -> int:
        return sum(line.payout for line in self.lines)

    @property
    def any_paid(self) -> bool:
        return any(line.paid for line in self.lines)


def lots_of(event_or_flight: str, pk: int) -> QuerySet[AuctionLot]:
    """Lots with buyers, entrants and payouts; ``event_or_flight`` is the lookup from the auction."""
    rows = AuctionLot.objects.filter(**{f"auction__{event_or_flight}": pk})
    names = ("entrants__entrant__members__player__person", "prizes")
    return rows.select_related("buyer__person", "auction__flight").prefetch_related(*names).order_by("number")


def final_places(flight: Flight) -> Sequence[Place] | None:
    """The places that an auction is paid by (a constant number of queries); None before the last match.

    There are none in a division that was cancelled before its last match.
    """
    return _final_places(Purse.of(flight))


def is_called_off(purse: Purse) -> bool:
    """Whether a division was cancelled before its last match, alone or with its event (no query)."""
    if _is_decided(purse):
        return False
    states = {stage.status for stage in purse.stages}
    return purse.flight.event.status == EventStatus.CANCELLED or states == {StageStatus.SKIPPED}


def _is_decided(purse: Purse) -> bool:
    return purse.last is not None and purse.last.status == StageStatus.FINISHED


def _final_places(purse: Purse) -> Sequence[Place] | None:
    if _is_decided(purse):
        return purse.main_places()
    return () if is_called_off(purse) else None


def auction_of(flight: Flight) -> AuctionState | None:
    """The auction of a flight, or None; the number of queries is constant."""
    auction = Auction.objects.filter(flight=flight).first()
    if auction is None:
        return None
    lines = []
    for row in lots_of("flight", flight.pk):
        prizes = list(row.prizes.all())
        lines.append(
            LotLine(
                row,
                lot_of(row).divided(row.price) if row.is_sold else None,
                sum(prize.amount for prize in prizes),
                any(prize.paid_at for prize in prizes),
            )
        )
    missing = EntrantRow.objects.filter(flight=flight, lot_place=None).entered().count()
    purse = Purse.of(flight) if auction.closed_at is not None else None
    places = None if purse is None else _final_places(purse)
    sold = [lot_of(line.row) for line in lines if line.row.is_sold]
    return AuctionState(
        auction,
        tuple(lines),
        missing,
        returned=bool(sold) and places is not None and is_returned(sold, places),
        cancelled=purse is not None and is_called_off(purse),
    )


def lot_of(row: AuctionLot) -> Lot:
    """A lot as a value; entrants by their keys. Load its entrants along: this must not query."""
    entrants = list(row.entrants.all())
    return Lot(
        row.number,
        tuple(each.entrant_id for each in entrants),
        row.price,
        tuple((each.entrant_id, each.bought_back) for each in entrants if each.bought_back),
    )


def default_percentages(entrants: int) -> Sequence[int]:
    """The usual payout table for a field."""
    return PERCENTAGES[paid_places(entrants)]


@dataclass(frozen=True, slots=True)
class LotItem:
    """An item of a lot: of its buyer, or of an entrant (by key) who bought back."""

    item: Item
    lot: AuctionLot
    entrant: int | None = None


def lot_items(event: Event) -> Iterator[LotItem]:
    """What the auctions of an event owe and are owed (a constant number of queries)."""
    for row in lots_of("flight__event", event.pk):
        if not row.is_sold:
            continue
        flight, number = row.auction.flight.ref, str(row.number)
        parts = lot_of(row).divided(row.price)
        if parts.buyer:
            yield LotItem(Item(ItemKind.LOT, -parts.buyer, _way(row.payment), row.ref, flight, number), row)
        places = {each.entrant_id: each for each in row.entrants.all()}
        for entrant, part in parts.entrants:
            place = places[entrant]
            item = Item(ItemKind.BUY_BACK, -part, _way(place.payment), place.ref, flight, number)
            yield LotItem(item, row, entrant)
        for prize in row.prizes.all():
            how = way_paid(prize.paid_how, prize.paid_at)
            item = Item(ItemKind.PAYOUT, prize.amount, how, prize.ref, flight, number)
            yield LotItem(item, row, prize.entrant_id)


def _way(payment: str) -> str:
    return "" if payment == OPEN else payment
