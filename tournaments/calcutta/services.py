"""Hold a Calcutta auction: lots, sales, buy-backs and payouts. Every change locks the event."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils.timezone import now
from django.utils.translation import gettext as _

from clubs.models import Player, User
from scoring.files.services.aliases import player_named
from tournaments.calcutta.queries import final_places, is_called_off, lot_of, lots_of
from tournaments.core.prizes.calcutta import is_returned, pay_calcutta, require_lot
from tournaments.core.prizes.payouts import require_percentages
from tournaments.events.services.events import OvertakenRefused, require_as_seen, require_not_over
from tournaments.log.cash_box import box_is_closed, require_open_box
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import note
from tournaments.models import (
    Auction,
    AuctionLot,
    EntrantRow,
    Event,
    FeePayment,
    Flight,
    LotEntrant,
    LotPrize,
)
from tournaments.money.services.awards import Purse
from tournaments.words.prizes import in_prize_words

PAYMENTS = (FeePayment.OPEN, FeePayment.CASH, FeePayment.TRANSFER)
MOST_LOTS = 1000


def open_auction(
    *, flight: Flight, rake: int, most_back: int, percentages: Sequence[int], user: User | None
) -> Auction:
    """Open the auction with a lot for each entrant.

    Percentages are from 0 to 100. Raises DeskRefused if the flight has an auction or no entrants, and when
    the event is over; PrizeRefused for a payout table that increases or does not add up to 100.
    """
    with transaction.atomic():
        event = require_open_box(flight.event)
        require_not_over(event)
        if Auction.objects.filter(flight=flight).exists():
            raise DeskRefused(_("This division already has an auction."), code="auction_exists")
        with in_prize_words(event.club.currency):
            require_percentages(percentages)
        auction = Auction.objects.create(
            flight=flight, rake=rake, most_back=most_back, percentages=list(percentages)
        )
        if not _add_lots(auction):
            raise DeskRefused(_("There are no entrants to sell. Enter players first."), code="nobody")
        _note(auction, "auction_opened", user, rake=rake, most_back=most_back, percentages=list(percentages))
        return auction


def remove_auction(*, auction: Auction, user: User | None) -> None:
    """Remove an auction in which nothing is sold. Raises DeskRefused after a sale."""
    with transaction.atomic():
        auction = _locked(auction)
        if auction.lots.exclude(buyer=None).exists():
            raise DeskRefused(_("A lot has been sold. Undo the sales first."), code="lot_sold")
        _note(auction, "auction_removed", user)
        auction.delete()


def add_lots(*, auction: Auction, user: User | None) -> int:
    """Add a lot for each entrant who has none; returns how many."""
    with transaction.atomic():
        auction = _bidding(auction)
        added = _add_lots(auction)
        if added:
            _note(auction, "lots_changed", user, added=added)
        return added


def make_field_lot(*, auction: Auction, lots: Sequence[str], user: User | None) -> AuctionLot:
    """Put the entrants of several unsold lots into the first of them.

    Raises DeskRefused for fewer than two lots, a sold or an unknown one.
    """
    with transaction.atomic():
        auction = _bidding(auction)
        rows = list(AuctionLot.objects.filter(auction=auction, ref__in=lots, buyer=None).order_by("number"))
        if len(rows) != len(set(lots)) or len(rows) < 2:
            raise DeskRefused(_("Choose at least two unsold lots of this auction."), code="lots")
        first, *others = rows
        LotEntrant.objects.filter(lot__in=others).update(lot=first)
        AuctionLot.objects.filter(pk__in=[row.pk for row in others]).delete()
        _note(auction, "lots_changed", user, lot=first.number)
        return first


def split_lot(*, lot: AuctionLot, user: User | None) -> None:
    """Give each entrant of an unsold field lot a lot of their own. Raises DeskRefused for a sold lot."""
    with transaction.atomic():
        auction = _bidding(lot.auction)
        lot = _lot(lot)
        if lot.is_sold:
            raise DeskRefused(
                _("Lot %(number)s is sold. Undo the sale first.") % {"number": lot.number}, code="lot_sold"
            )
        _first, *others = LotEntrant.objects.filter(lot=lot).order_by("pk")
        for number, each in enumerate(others, _next_number(auction)):
            each.lot = AuctionLot.objects.create(auction=auction, number=number)
            each.save(update_fields=["lot"])
        _note(auction, "lots_changed", user, lot=lot.number)


def sell_lot(
    *,
    lot: AuctionLot,
    buyer: Player | str,
    price: int,
    payment: FeePayment = FeePayment.OPEN,
    user: User | None,
    seen: Mapping[str, Any] | None = None,
) -> AuctionLot:
    """Sell a lot, or correct its sale; a name that is not known becomes a guest.

    Raises PrizeRefused for a price below 1, DeskRefused when the auction is closed; OvertakenRefused if
    ``price`` differs from ``seen``.
    """
    _require_payment(payment)
    with transaction.atomic():
        club = lot.auction.flight.event.club
        player = player_named(club=club, name=buyer) if isinstance(buyer, str) else buyer
        auction = _bidding(lot.auction)
        lot = _lot(lot)
        require_as_seen(seen, {"price": lot.price})
        lot.buyer, lot.price, lot.payment = player, price, payment
        with in_prize_words(club.currency):
            require_lot(lot_of(lot), most_back=auction.most_back)
        lot.save(update_fields=["buyer", "price", "payment"])
        _note(auction, "lot_sold", user, lot=lot.number, buyer=player.ref, price=price, payment=payment)
        return lot


def undo_sale(*, lot: AuctionLot, user: User | None) -> AuctionLot:
    """Undo the sale of a lot with its buy-backs; repeating it changes nothing."""
    with transaction.atomic():
        auction = _bidding(lot.auction)
        lot = _lot(lot)
        if lot.is_sold:
            _undo_sale(auction, lot, user)
        return lot


def buy_back(
    *,
    lot: AuctionLot,
    entrant: str,
    percent: int,
    payment: FeePayment = FeePayment.OPEN,
    user: User | None,
) -> AuctionLot:
    """Set what an entrant (by ref) bought back of a sold lot, in percent; 0 for nothing.

    Raises PrizeRefused above what the auction allows for a lot, DeskRefused for an unsold lot, an entrant of
    another one, and when the auction is closed.
    """
    _require_payment(payment)
    with transaction.atomic():
        auction = _bidding(lot.auction)
        lot = _lot(lot)
        place = LotEntrant.objects.filter(lot=lot, entrant__ref=entrant).first()
        if not lot.is_sold or place is None:
            raise DeskRefused(
                _("%(ref)s is not an entrant of a sold lot.") % {"ref": entrant}, code="not_in_lot"
            )
        place.bought_back, place.payment = percent, payment if percent else FeePayment.OPEN
        place.save(update_fields=["bought_back", "payment"])
        lot = _lot(lot)
        with in_prize_words(auction.flight.event.club.currency):
            require_lot(lot_of(lot), most_back=auction.most_back)
        _note(
            auction,
            "lot_bought_back",
            user,
            lot=lot.number,
            entrant=entrant,
            percent=percent,
            payment=payment,
        )
        return lot


def close_auction(*, auction: Auction, closed: bool, user: User | None) -> Auction:
    """Close the auction, or reopen it and remove its payouts; repeating it changes nothing.

    Raises DeskRefused if a payout has been paid.
    """
    with transaction.atomic():
        auction = _locked(auction)
        if (auction.closed_at is not None) is closed:
            return auction
        if not closed:
            _remove_payouts(auction)
        auction.closed_at = now() if closed else None
        auction.save(update_fields=["closed_at"])
        _note(auction, "auction_closed" if closed else "auction_reopened", user)
        return auction


def return_prices(*, event: Event, flight: str = "", user: User | None) -> None:
    """End the auctions of a cancelled event, or of its cancelled flight (by ref), and return their prices.

    Without a rake: every lot gets back what it cost, to be paid on the settlement page; sales of which
    nothing was paid are undone. An auction whose last match is over, or whose payouts are approved, stands.
    With the cash box closed nothing is approved. The caller holds the event.
    """
    rows = Auction.objects.filter(flight__event=event).select_related("flight__event__club").order_by("pk")
    for auction in rows.filter(flight__ref=flight) if flight else rows:
        is_approved = LotPrize.objects.filter(lot__auction=auction).exists()
        if is_approved or not is_called_off(Purse.of(auction.flight)):
            continue
        for lot in lots_of("flight", auction.flight_id):
            ways = {lot.payment, *(each.payment for each in lot.entrants.all() if each.bought_back)}
            if lot.is_sold and ways == {FeePayment.OPEN}:
                _undo_sale(auction, lot, user)
        auction.rake, auction.closed_at = 0, auction.closed_at or now()
        auction.save(update_fields=["rake", "closed_at"])
        _note(auction, "auction_called_off", user)
        if not box_is_closed(event) and auction.lots.exclude(buyer=None).exists():
            approve_payouts(auction=auction, user=user)


def approve_payouts(*, auction: Auction, user: User | None) -> list[LotPrize]:
    """Approve the payouts of a closed auction by the final places; they add up to the pool.

    Where no sold entrant has won a match, and in a cancelled division, they return the pool to the owners of
    the lots by price. Approving again recalculates them, until one is paid. Raises DeskRefused while the
    auction is open or the last match is not finished, if there is nothing to pay out, and after a payout was
    paid.
    """
    with transaction.atomic():
        auction = _locked(auction)
        if auction.closed_at is None:
            raise DeskRefused(_("Close the auction first."), code="auction_open")
        places = final_places(Purse.of(auction.flight))
        if places is None:
            raise DeskRefused(_("The last match is not finished, so there are no payouts yet."), code="open")
        _remove_payouts(auction)
        lots = {row.number: row for row in lots_of("flight", auction.flight_id) if row.is_sold}
        values = [lot_of(row) for row in lots.values()]
        with in_prize_words(auction.flight.event.club.currency):
            found = pay_calcutta(values, places, auction.percentages, rake=auction.rake)
        if not found:
            raise DeskRefused(_("The pool is empty, so there is nothing to pay out."), code="no_pool")
        prizes = [
            LotPrize(lot=lots[parts.lot], entrant_id=entrant, amount=amount)
            for parts in found
            for entrant, amount in ((None, parts.buyer), *parts.entrants)
            if amount
        ]
        LotPrize.objects.bulk_create(prizes)
        total, returned = sum(prize.amount for prize in prizes), is_returned(values, places)
        _note(auction, "lot_payouts_approved", user, total=total, payouts=len(prizes), returned=returned)
        return prizes


def undo_payout(*, lot: AuctionLot, user: User | None) -> AuctionLot:
    """Undo the payments of a lot's payouts; repeating it changes nothing."""
    with transaction.atomic():
        auction = _locked(lot.auction)
        paid = LotPrize.objects.filter(lot=lot).exclude(paid_at=None)
        if paid.update(paid_at=None, paid_how="", paid_by=None):
            _note(auction, "lot_payout_undone", user, lot=lot.number)
        return lot


def _undo_sale(auction: Auction, lot: AuctionLot, user: User | None) -> None:
    lot.buyer, lot.price, lot.payment = None, 0, FeePayment.OPEN
    lot.save(update_fields=["buyer", "price", "payment"])
    LotEntrant.objects.filter(lot=lot).update(bought_back=0, payment=FeePayment.OPEN)
    _note(auction, "lot_sale_undone", user, lot=lot.number)


def _require_payment(payment: FeePayment) -> None:
    if payment not in PAYMENTS:
        raise DeskRefused(_("A lot is paid in cash or by transfer."), code="how")


def _remove_payouts(auction: Auction) -> None:
    prizes = LotPrize.objects.filter(lot__auction=auction)
    if prizes.exclude(paid_at=None).exists():
        raise DeskRefused(_("A payout has already been paid. Undo the payment first."), code="paid")
    prizes.delete()


def _locked(auction: Auction) -> Auction:
    """The auction as it is now, under the event's lock."""
    require_open_box(auction.flight.event)
    found = Auction.objects.filter(pk=auction.pk).select_related("flight__event__club").first()
    if found is None:
        raise OvertakenRefused(_("The auction was removed. Reload the page and try again."))
    return found


def _bidding(auction: Auction) -> Auction:
    found = _locked(auction)
    if found.closed_at is not None:
        raise DeskRefused(_("The auction is closed. Reopen it first."), code="auction_closed")
    return found


def _lot(lot: AuctionLot) -> AuctionLot:
    found = AuctionLot.objects.filter(pk=lot.pk).prefetch_related("entrants").first()
    if found is None:
        raise OvertakenRefused(_("This lot was joined with another. Reload the page and try again."))
    return found


def _add_lots(auction: Auction) -> int:
    rows = EntrantRow.objects.filter(flight=auction.flight_id, lot_place=None).entered().order_by("pk")
    entrants = list(rows[:MOST_LOTS])
    first = _next_number(auction)
    lots = AuctionLot.objects.bulk_create(
        AuctionLot(auction=auction, number=number) for number, _entrant in enumerate(entrants, first)
    )
    LotEntrant.objects.bulk_create(
        LotEntrant(lot=lot, entrant=entrant) for lot, entrant in zip(lots, entrants, strict=True)
    )
    return len(lots)


def _next_number(auction: Auction) -> int:
    return (auction.lots.aggregate(last=Max("number"))["last"] or 0) + 1


def _note(auction: Auction, kind: str, user: User | None, **body: Any) -> None:
    event = auction.flight.event
    note(event=event, kind=kind, user=user, flight=auction.flight.ref, currency=event.club.currency, **body)
