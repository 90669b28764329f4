"""The Calcutta auction of a flight: its lots, its pool and what each lot is paid."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef
from django.db.models.functions import JSONObject

from clubs.models.columns import cache_many
from tournaments.core.prizes.calcutta import Lot, LotParts, after_rake, calcutta_pool, is_returned
from tournaments.core.prizes.payouts import PERCENTAGES, paid_places
from tournaments.core.prizes.settlement import OPEN, Item, ItemKind
from tournaments.core.standings.places import Place
from tournaments.events.queries.entrant_rows import every_entrant
from tournaments.models import (
    Auction,
    AuctionLot,
    EventStatus,
    Flight,
    LotEntrant,
    LotPrize,
    StageStatus,
)
from tournaments.money.entry_fees import HAS_PLACE
from tournaments.money.queries import way_paid
from tournaments.money.services.awards import Purse, stages_in
from tournaments.stages.services.stages import load_all


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


def lots_of(event_or_flight: str, pk: int) -> list[AuctionLot]:
    """Lots with buyers, entrants and payouts (one query); the entrants without names.

    ``event_or_flight`` is the lookup from the auction.
    """
    places = LotEntrant.objects.filter(lot=OuterRef("pk")).order_by("pk").values_list(_json(_PLACE))
    prizes = LotPrize.objects.filter(lot=OuterRef("pk")).order_by("pk").values_list(_json(_PRIZE))
    rows = AuctionLot.objects.filter(**{f"auction__{event_or_flight}": pk})
    rows = rows.select_related("buyer__person", "auction__flight").order_by("number")
    found: list[AuctionLot] = list(
        rows.annotate(along_places=ArraySubquery(places), along_prizes=ArraySubquery(prizes))
    )
    no_places, no_prizes = LotEntrant.objects.none(), LotPrize.objects.none()
    for row in found:
        loaded: Any = row
        cache_many(row, "entrants", no_places, [LotEntrant(lot=row, **each) for each in loaded.along_places])
        cache_many(row, "prizes", no_prizes, [_prize(row, each) for each in loaded.along_prizes])
    return found


_PLACE = ("id", "ref", "entrant_id", "bought_back", "payment")
_PRIZE = ("id", "ref", "entrant_id", "amount", "paid_at", "paid_how")


def _json(columns: Sequence[str]) -> JSONObject:
    return JSONObject(**{name: name for name in columns})


def _prize(lot: AuctionLot, kept: Mapping[str, Any]) -> LotPrize:
    paid_at = None if kept["paid_at"] is None else datetime.fromisoformat(kept["paid_at"])
    return LotPrize(lot=lot, **{**kept, "paid_at": paid_at})


def final_places(purse: Purse) -> Sequence[Place] | None:
    """The places that an auction is paid by (one query); None before the last match.

    There are none in a division that was cancelled before its last match.
    """
    if _is_decided(purse):
        return purse.main_places(load_all([stage for stage in purse.stages if stage.drawn_at is not None]))
    return () if is_called_off(purse) else None


def is_called_off(purse: Purse) -> bool:
    """Whether a division was cancelled before its last match, alone or with its event (no query)."""
    if _is_decided(purse):
        return False
    states = {stage.status for stage in purse.stages}
    return purse.flight.event.status == EventStatus.CANCELLED or states == {StageStatus.SKIPPED}


def _is_decided(purse: Purse) -> bool:
    return purse.last is not None and purse.last.status == StageStatus.FINISHED


def auction_of(flight: Flight) -> AuctionState | None:
    """The auction of a flight, or None (three queries, of a closed one two more)."""
    auction = Auction.objects.filter(flight=flight).first()
    if auction is None:
        return None
    lots = lots_of("flight", flight.pk)
    everyone = {each.pk: each for each in every_entrant(flight.event)}
    entrants = [each for each in everyone.values() if each.flight_id == flight.pk]
    placed = set[int]()
    lines = []
    for row in lots:
        for place in row.entrants.all():
            place.entrant = everyone[place.entrant_id]  # moved to another division since, maybe
            placed.add(place.entrant_id)
        prizes = list(row.prizes.all())
        lines.append(
            LotLine(
                row,
                lot_of(row).divided(row.price) if row.is_sold else None,
                sum(prize.amount for prize in prizes),
                any(prize.paid_at for prize in prizes),
            )
        )
    missing = sum(each.state in HAS_PLACE for each in entrants if each.pk not in placed)
    sold = [lot_of(row) for row in lots if row.is_sold]
    purse = None
    if auction.closed_at is not None:
        purse = Purse.among(flight, stages_in(flight), entrants)
    places = final_places(purse) if purse is not None and sold else None
    return AuctionState(
        auction,
        tuple(lines),
        missing,
        returned=places is not None and is_returned(sold, places),
        cancelled=purse is not None and is_called_off(purse),
    )


def open_auctions(lots: Sequence[AuctionLot]) -> list[Auction]:
    """The auctions of these lots with something to pay out whose payouts are not approved (no query)."""
    auctions: dict[int, tuple[Auction, list[AuctionLot]]] = {}
    for row in lots:
        auctions.setdefault(row.auction_id, (row.auction, []))[1].append(row)
    return [
        auction
        for auction, rows in auctions.values()
        if after_rake(sum(row.price for row in rows), auction.rake)
        and not any(row.prizes.all() for row in rows)
    ]


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


def lot_items(lots: Iterable[AuctionLot]) -> Iterator[LotItem]:
    """What the auctions of these lots owe and are owed (no query)."""
    for row in lots:
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
