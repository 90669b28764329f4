"""What the services of money, auctions and settlement note: each in an event with fees."""

from clubs.models import Role, User
from tests.factories import member
from tests.tournaments.factories import an_event, drawn, flight_of, open_pairings, win
from tests.tournaments.log.actions import noted
from tournaments.calcutta.services import (
    add_lots,
    approve_payouts,
    buy_back,
    close_auction,
    make_field_lot,
    open_auction,
    remove_auction,
    sell_lot,
    split_lot,
    undo_payout,
    undo_sale,
)
from tournaments.core.prizes.pools import Fees
from tournaments.entries.services.entries import enter
from tournaments.entries.services.satellites import enter_winner
from tournaments.events.services.events import FlightTerms
from tournaments.models import Auction, AuctionLot, Event, FeePayment, Flight, PaidHow, Prize
from tournaments.money.services.prizes import approve_prizes
from tournaments.money.services.satellites import set_satellite
from tournaments.settlement.queries import settlement_of
from tournaments.settlement.services import (
    close_cash_box,
    pay_out_all,
    reopen_cash_box,
    send_receipt,
    settle,
)

FEES = FlightTerms(Fees(0, 1000, 100))


def an_auction(players: int = 4) -> tuple[Event, Auction, list[AuctionLot], User]:
    event = an_event(players)
    director = member(event.club, Role.DIRECTOR)
    auction = open_auction(flight=flight_of(event), rake=10, most_back=50, percentages=(100,), user=director)
    return event, auction, list(auction.lots.order_by("number")), director


def sold() -> tuple[Event, Auction, AuctionLot, User]:
    event, auction, lots, director = an_auction()
    return event, auction, sell_lot(lot=lots[0], buyer="Zoë", price=500, user=director), director


def played(*, terms: FlightTerms = FEES, players: int = 4) -> tuple[Event, User]:
    event = an_event(players, terms=terms)
    stage, director = drawn(event), member(event.club, Role.DIRECTOR)
    while rows := open_pairings(stage):
        for row in rows:
            win(row, director)
    return event, director


@noted("calcutta.open_auction")
def _open_auction():
    event, _auction, _lots, director = an_auction()
    return event, director


@noted("calcutta.remove_auction")
def _remove_auction():
    event, auction, _lots, director = an_auction()
    remove_auction(auction=auction, user=director)
    return event, director


@noted("calcutta.add_lots")
def _add_lots():
    event, auction, _lots, director = an_auction()
    enter(flight=flight_of(event), players=[director.player])
    add_lots(auction=auction, user=director)
    return event, director


@noted("calcutta.make_field_lot")
def _make_field_lot():
    event, auction, lots, director = an_auction()
    make_field_lot(auction=auction, lots=[lot.ref for lot in lots[:2]], user=director)
    return event, director


@noted("calcutta.split_lot")
def _split_lot():
    event, auction, lots, director = an_auction()
    split_lot(
        lot=make_field_lot(auction=auction, lots=[lot.ref for lot in lots[:2]], user=None), user=director
    )
    return event, director


@noted("calcutta.sell_lot")
def _sell_lot():
    event, _auction, _lot, director = sold()
    return event, director


@noted("calcutta.undo_sale")
def _undo_sale():
    event, _auction, lot, director = sold()
    undo_sale(lot=lot, user=director)
    return event, director


@noted("calcutta.buy_back")
def _buy_back():
    event, _auction, lot, director = sold()
    buy_back(lot=lot, entrant=lot.entrants.get().entrant.ref, percent=20, user=director)
    return event, director


@noted("calcutta.close_auction")
def _close_auction():
    event, auction, _lots, director = an_auction()
    close_auction(auction=auction, closed=True, user=director)
    return event, director


def paid_out() -> tuple[Event, AuctionLot, User]:
    event, auction, lots, director = an_auction(2)
    for lot in lots:
        sell_lot(lot=lot, buyer="Zoë", price=500, user=director)
    close_auction(auction=auction, closed=True, user=director)
    win(open_pairings(drawn(event))[0], director)
    [prize] = approve_payouts(auction=auction, user=director)
    return event, prize.lot, director


@noted("calcutta.approve_payouts")
def _approve_payouts():
    event, _lot, director = paid_out()
    return event, director


@noted("calcutta.undo_payout")
def _undo_payout():
    event, lot, director = paid_out()
    for line in settlement_of(event).open:
        settle(event=event, account=line.ref, how=PaidHow.CASH, user=None)
    undo_payout(lot=lot, user=director)
    return event, director


@noted("settlement.settle")
def _settle():
    event, director = played()
    settle(event=event, account=settlement_of(event).open[0].ref, how=PaidHow.CASH, user=director)
    return event, director


@noted("settlement.pay_out_all")
def _pay_out_all():
    event, director = played()
    approve_prizes(flight=flight_of(event), user=director)
    assert pay_out_all(event=event, how=PaidHow.CASH, user=director) > 0
    return event, director


@noted("settlement.send_receipt")
def _send_receipt():
    event, director = played(players=2)
    entrant = enter(
        flight=flight_of(an_event(0, club=event.club, terms=FEES)),
        players=[director.player],
        payment=FeePayment.CASH,
    )
    send_receipt(event=entrant.flight.event, account=entrant.ref, user=director)
    return entrant.flight.event, director


@noted("settlement.close_cash_box")
def _close_cash_box():
    event, director = played()
    close_cash_box(event=event, counted=0, anyway=True, user=director)
    return event, director


@noted("settlement.reopen_cash_box")
def _reopen_cash_box():
    event, director = _close_cash_box()
    reopen_cash_box(event=event, user=director)
    return event, director


@noted("satellites.set_satellite")
def _set_satellite():
    event, director = played(terms=FlightTerms(Fees(0, 30_00, 100)))
    target = an_event(0, club=event.club, terms=FlightTerms(Fees(20_00, 80_00, 100)))
    set_satellite(flight=flight_of(event), target=flight_of(target), user=director)
    return event, director


@noted("satellites.enter_winner")
def _enter_winner():
    event, director = _set_satellite()
    approve_prizes(flight=Flight.objects.get(pk=flight_of(event).pk))
    prize = Prize.objects.select_related("flight__satellite_for", "entrant").get(source="entry")
    enter_winner(prize=prize, user=director)
    return event, director
