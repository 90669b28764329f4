"""A Calcutta auction from its opening to its payouts, on its page and through the API."""

from dataclasses import replace

import pytest
from django.urls import reverse

from clubs.models import Player, Role
from tests.factories import member
from tests.races import at_once
from tests.tournaments.factories import a_player, an_event, drawn, flight_of, open_pairings, win
from tournaments.calcutta.queries import auction_of
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
from tournaments.core.prizes.money import PrizeRefused
from tournaments.entries.services.entries import enter
from tournaments.entries.services.entry_changes import change_entry
from tournaments.events.plans import single_flight
from tournaments.events.services.events import OvertakenRefused, join_flight
from tournaments.log.refusals import DeskRefused
from tournaments.models import (
    Auction,
    AuctionLot,
    DeskEvent,
    EntrantRow,
    Event,
    FeePayment,
    Flight,
    LotPrize,
    PaidHow,
)
from tournaments.settlement.queries import settlement_of
from tournaments.settlement.services import close_cash_box, pay_out_all, settle
from tournaments.stages.services.cancellations import cancel_event, cancel_flight
from tournaments.stages.services.draws import draw_stage
from tournaments.stages.services.stages import forget_folded

pytestmark = pytest.mark.django_db


def opened(players=4):
    event = an_event(players)
    auction = open_auction(flight=flight_of(event), rake=10, most_back=50, percentages=(70, 30), user=None)
    return event, auction, list(AuctionLot.objects.filter(auction=auction).order_by("number"))


def refusal(act):
    with pytest.raises((DeskRefused, PrizeRefused)) as refused:
        act()
    return getattr(refused.value, "code", None)


def test_an_auction_is_paid_out_to_buyers_and_entrants_to_the_cent():
    event, auction, lots = opened()
    director = member(event.club, Role.DIRECTOR)
    for lot in lots:
        sell_lot(lot=lot, buyer="Zoë Buyer", price=33_33, user=director, payment=FeePayment.CASH)
    assert Player.objects.filter(person__name="Zoë Buyer").count() == 1
    for lot in lots:
        entrant = lot.entrants.get().entrant
        buy_back(lot=lot, entrant=entrant.ref, percent=50, user=director)
    close_auction(auction=auction, closed=True, user=director)
    assert refusal(lambda: approve_payouts(auction=auction, user=director)) == "open"
    stage = drawn(event)
    while rows := open_pairings(stage):
        for row in rows:
            win(row, director)
    for _twice in range(2):
        prizes = approve_payouts(auction=auction, user=director)
    state = auction_of(flight_of(event))
    assert state is not None
    assert (state.prices, state.pool, state.approved) == (133_32, 119_99, sum(p.amount for p in prizes))
    assert state.pool == state.approved
    found = settlement_of(event)
    assert len(found.open) == 5  # four who bought back, and the buyer, whose price is paid
    for line in found.open:
        settle(event=event, account=line.ref, how=PaidHow.CASH, user=director)
    done = settlement_of(event)
    # The buyer's payouts were paid in cash too: the rake is left in the box.
    buyer = next(line for line in done.lines if line.title == "Zoë Buyer")
    assert buyer.account.settled
    assert (done.open, done.reasons, done.cash) == ([], (), state.kept)
    assert close_cash_box(event=event, counted=state.kept, user=director).difference == 0
    assert refusal(lambda: undo_payout(lot=lots[0], user=director)) == "cash_box_closed"


def test_the_desk_leads_to_the_payouts_of_an_auction_until_they_are_approved(
    client, django_assert_max_num_queries
):
    event, auction, lots = opened()
    director = member(event.club, Role.DIRECTOR)
    client.force_login(director)
    for lot in lots:
        sell_lot(lot=lot, buyer="Zoë Buyer", price=100_00, user=director, payment=FeePayment.CASH)
    close_auction(auction=auction, closed=True, user=director)
    stage = drawn(event)
    while rows := open_pairings(stage):
        for row in rows:
            win(row, director)
    desk = reverse("tournaments:desk", args=[event.ref])
    step = client.get(desk).context["desk"].next_step
    assert (step.kind, step.button) == ("approve_auction", "Approve auction payouts")
    forget_folded()
    with django_assert_max_num_queries(8):
        assert "Approve payouts" in client.get(step.address).content.decode()
    assert client.post(step.api, content_type="application/json").status_code == 200
    assert client.get(desk).context["desk"].next_step.kind == "close_cash_box"


def test_an_auction_none_of_whose_sold_entrants_won_a_match_returns_its_pool_by_price(client):
    event, auction, lots = opened()
    director = member(event.club, Role.DIRECTOR)
    client.force_login(director)
    stage = drawn(event)
    losers = {row.a_id for row in open_pairings(stage)}
    first, second = [lot for lot in lots if lot.entrants.get().entrant_id in losers]
    sell_lot(lot=first, buyer="Zoë Buyer", price=30_00, user=director, payment=FeePayment.CASH)
    sell_lot(lot=second, buyer="Ann Other", price=10_01, user=director, payment=FeePayment.CASH)
    buy_back(lot=first, entrant=first.entrants.get().entrant.ref, percent=50, user=director)
    close_auction(auction=auction, closed=True, user=director)
    while rows := open_pairings(stage):
        for row in rows:
            win(row, director, a=row.a_id not in losers)
    address = reverse("tournaments:calcutta", args=[flight_of(event).ref])
    assert "The pool is returned to the owners of the lots, by price." in client.get(address).text
    desk = reverse("tournaments:desk", args=[event.ref])
    step = client.get(desk).context["desk"].next_step
    assert step.kind == "approve_auction"
    told = client.post(step.api, content_type="application/json").json()
    assert (told["pool"], told["approved"], told["returned"]) == (36_01, 36_01, True)
    paid = {(each.lot_id, each.entrant_id): each.amount for each in LotPrize.objects.all()}
    entrant = first.entrants.get().entrant_id
    assert paid == {(first.pk, None): 13_50, (first.pk, entrant): 13_50, (second.pk, None): 9_01}
    assert client.get(desk).context["desk"].next_step.kind == "close_cash_box"
    assert "by price" in client.get(address).text


@pytest.mark.parametrize("drawn_first", [True, False], ids=["in progress", "before the draw"])
def test_a_cancelled_event_returns_the_prices_of_its_auction_without_a_rake(client, drawn_first):
    event, auction, lots = opened()
    director = member(event.club, Role.DIRECTOR)
    cash, unpaid, part, _unsold = lots
    sell_lot(lot=cash, buyer="Zoë Buyer", price=30_00, user=director, payment=FeePayment.CASH)
    sell_lot(lot=unpaid, buyer="Zoë Buyer", price=20_00, user=director)
    sell_lot(lot=part, buyer="Ann Other", price=10_01, user=director, payment=FeePayment.TRANSFER)
    buy_back(lot=part, entrant=part.entrants.get().entrant.ref, percent=50, user=director)
    if drawn_first:
        close_auction(auction=auction, closed=True, user=director)
        win(open_pairings(drawn(event))[0], director)
    for _twice in range(2):
        cancel_event(event=Event.objects.get(pk=event.pk), user=director)
    found = settlement_of(Event.objects.get(pk=event.pk))
    nets = sorted((line.title, line.account.net) for line in found.open)
    entrant = part.entrants.get().entrant.title
    assert nets == sorted([("Zoë Buyer", 30_00), ("Ann Other", 5_01), (entrant, 0)])
    assert not any("auction" in reason for reason in found.reasons)
    client.force_login(director)
    page = client.get(reverse("tournaments:calcutta", args=[flight_of(event).ref])).text
    assert "every lot gets its price back" in page
    assert "Approve payouts" not in page
    pay_out_all(event=event, how=PaidHow.CASH, user=director)
    done = settlement_of(Event.objects.get(pk=event.pk))
    assert (done.open, done.reasons) == ([], ())


def test_a_cancelled_division_returns_the_prices_of_its_auction_and_a_decided_one_keeps_its_own():
    event, auction, lots = opened()
    director = member(event.club, Role.DIRECTOR)
    join_flight(event=event, plan=replace(single_flight("knockout", 5), name="Other"), user=director)
    sell_lot(lot=lots[0], buyer="Zoë Buyer", price=30_00, user=director, payment=FeePayment.CASH)
    cancel_flight(flight=Flight.objects.get(pk=auction.flight_id), user=director)
    assert [each.amount for each in LotPrize.objects.all()] == [30_00]
    assert Auction.objects.get().closed_at is not None

    event, auction, lots = opened()
    director = member(event.club, Role.DIRECTOR)
    join_flight(event=event, plan=replace(single_flight("knockout", 5), name="Other"), user=director)
    sell_lot(lot=lots[0], buyer="Zoë Buyer", price=30_00, user=director, payment=FeePayment.CASH)
    stage = auction.flight.stages.get()
    draw_stage(stage=stage, user=director)
    while rows := open_pairings(stage):
        for row in rows:
            win(row, director)
    cancel_event(event=Event.objects.get(pk=event.pk), user=director)
    decided = Auction.objects.get(pk=auction.pk)
    assert (decided.rake, decided.closed_at) == (10, None)


def test_who_moves_to_another_division_leaves_an_unsold_lot_and_stays_for_a_sold_one():
    event, auction, lots = opened()
    director = member(event.club, Role.DIRECTOR)
    join_flight(event=event, plan=replace(single_flight("knockout", 5), name="Other"), user=director)
    other = event.flights.get(name="Other")
    sell_lot(lot=lots[0], buyer="Zoë Buyer", price=30_00, user=director, payment=FeePayment.CASH)
    sold, alone, first, second = (lot.entrants.get().entrant for lot in lots)
    assert refusal(lambda: change_entry(entrant=sold, values={"flight": other}, user=director)) == "lot_sold"
    assert EntrantRow.objects.get(pk=sold.pk).flight_id == auction.flight_id
    make_field_lot(auction=auction, lots=[lots[2].ref, lots[3].ref], user=director)
    for moved in (alone, first):
        change_entry(entrant=moved, values={"flight": other}, user=director)
    left = AuctionLot.objects.filter(auction=auction).order_by("number")
    assert [[each.entrant_id for each in lot.entrants.all()] for lot in left] == [[sold.pk], [second.pk]]
    opened_there = open_auction(flight=other, rake=0, most_back=0, percentages=(100,), user=director)
    assert opened_there.lots.count() == 2


def test_a_lot_shows_its_entrant_who_has_moved_to_another_division(client):
    event, auction, lots = opened()
    director = member(event.club, Role.DIRECTOR)
    join_flight(event=event, plan=replace(single_flight("knockout", 5), name="Other"), user=director)
    sell_lot(lot=lots[0], buyer="Zoë Buyer", price=30_00, user=director, payment=FeePayment.CASH)
    moved = lots[0].entrants.get().entrant
    # As an entry could move before lots were asked about.
    EntrantRow.objects.filter(pk=moved.pk).update(flight=event.flights.get(name="Other"))
    client.force_login(director)
    page = client.get(reverse("tournaments:calcutta", args=[auction.flight.ref]))
    state = page.context["state"]
    assert (page.status_code, len(state.lines), state.missing) == (200, 4, 0)
    assert [each.entrant.title for each in state.lines[0].row.entrants.all()] == [moved.title]


def test_an_auction_whose_rake_takes_everything_leaves_nothing_to_approve(client):
    event, auction, lots = opened(2)
    Auction.objects.update(rake=100)
    director = member(event.club, Role.DIRECTOR)
    client.force_login(director)
    sell_lot(lot=lots[0], buyer="Zoë Buyer", price=30_00, user=director, payment=FeePayment.CASH)
    close_auction(auction=Auction.objects.get(pk=auction.pk), closed=True, user=director)
    win(open_pairings(drawn(event))[0], director)
    assert refusal(lambda: approve_payouts(auction=auction, user=director)) == "no_pool"
    page = client.get(reverse("tournaments:calcutta", args=[flight_of(event).ref])).text
    assert "The rake is the whole pool: nothing is paid out." in page
    assert "Approve payouts" not in page
    desk = client.get(reverse("tournaments:desk", args=[event.ref])).context["desk"]
    assert desk.next_step.kind == "close_cash_box"


def test_sales_are_corrected_and_undone():
    event, auction, lots = opened()
    buyer = a_player(event.club, "Buyer")
    first, second, third, fourth = lots
    sell_lot(lot=first, buyer=buyer, price=10_00, user=None, seen={"price": 0})
    with pytest.raises(OvertakenRefused):
        sell_lot(lot=first, buyer=buyer, price=20_00, user=None, seen={"price": 0})
    assert sell_lot(lot=first, buyer=buyer, price=12_00, user=None, seen={"price": 10_00}).price == 12_00
    entrant = first.entrants.get().entrant.ref
    assert refusal(lambda: buy_back(lot=first, entrant=entrant, percent=51, user=None)) == "buy_back"
    assert refusal(lambda: buy_back(lot=second, entrant=entrant, percent=5, user=None)) == "not_in_lot"
    assert refusal(lambda: sell_lot(lot=second, buyer=buyer, price=0, user=None)) == "lot_price"
    assert (
        refusal(lambda: sell_lot(lot=second, buyer=buyer, price=1, payment=FeePayment.FREE, user=None))
        == "how"
    )
    assert refusal(lambda: remove_auction(auction=auction, user=None)) == "lot_sold"
    for _twice in range(2):
        assert not undo_sale(lot=first, user=None).is_sold
    joined = make_field_lot(auction=auction, lots=[second.ref, third.ref, fourth.ref], user=None)
    assert (joined.entrants.count(), auction.lots.count()) == (3, 2)
    assert refusal(lambda: make_field_lot(auction=auction, lots=[joined.ref, "x"], user=None)) == "lots"
    with pytest.raises(OvertakenRefused):
        sell_lot(lot=third, buyer=buyer, price=1, user=None)
    split_lot(lot=joined, user=None)
    assert auction.lots.count() == 4
    enter(flight=auction.flight, players=[buyer])
    assert (add_lots(auction=auction, user=None), add_lots(auction=auction, user=None)) == (1, 0)
    close_auction(auction=auction, closed=True, user=None)
    assert refusal(lambda: sell_lot(lot=first, buyer=buyer, price=1, user=None)) == "auction_closed"
    close_auction(auction=auction, closed=False, user=None)
    remove_auction(auction=auction, user=None)
    assert not Auction.objects.exists()

    def opening(flight, *percentages):
        return lambda: open_auction(flight=flight, rake=0, most_back=0, percentages=percentages, user=None)

    assert refusal(opening(auction.flight, 30, 70)) == "percentages"
    assert refusal(opening(flight_of(an_event(0)), 100)) == "nobody"


@pytest.mark.django_db(transaction=True)
def test_a_lot_is_sold_to_one_of_two_buyers_at_once():
    event, _auction, lots = opened(2)
    buyers = [a_player(event.club, name) for name in ("A", "B")]
    answers = at_once(
        *(
            lambda buyer=buyer: sell_lot(lot=lots[0], buyer=buyer, price=5, user=None, seen={"price": 0})
            for buyer in buyers
        )
    )
    assert sorted(type(each).__name__ for each in answers) == ["AuctionLot", "OvertakenRefused"]
    assert DeskEvent.objects.filter(kind="lot_sold").count() == 1


def test_a_director_holds_the_auction_on_its_page(client, django_assert_max_num_queries):
    event = an_event(3)
    director = member(event.club, Role.DIRECTOR)
    client.force_login(director)
    address = reverse("tournaments:calcutta", args=[flight_of(event).ref])
    assert "Open auction" in client.get(address).content.decode()
    terms = {"action": "open", "rake": "10", "most_back": "50", "percentages": "60 40"}
    assert "not a list" in client.post(address, terms | {"percentages": "x"}).content.decode()
    assert "There is no auction." in client.post(address, terms | {"action": "close"}).text
    assert client.post(address, terms).status_code == 302
    assert client.post(address, terms).status_code == 409
    assert "There is no action “burn”." in client.post(address, {"action": "burn"}).text
    info = client.get(event.get_absolute_url(), {"tab": "info"}).content.decode()
    assert address in info
    lot = AuctionLot.objects.order_by("number")[0]
    selling = reverse("tournaments:lot", args=[lot.ref])
    sale = {"buyer_name": "New Guest", "buyer": "guest", "price": "12,50", "payment": "cash", "seen": "0"}
    assert "is not an amount" in client.post(selling, sale | {"price": "x"}).content.decode()
    assert "There is no action “give”." in client.post(selling, sale | {"action": "give"}).text
    assert client.post(selling, sale).status_code == 302
    assert client.post(selling, sale).status_code == 409
    entrant = lot.entrants.get().entrant
    back = {"action": "back", "back-entrant": entrant.ref, "back-percent": "25", "back-payment": "open"}
    assert client.post(selling, back).status_code == 302
    with django_assert_max_num_queries(8):
        page = client.get(address, {"lot": lot.ref}).content.decode()
    accounts = reverse("tournaments:settlement", args=[event.ref])
    guest = Player.objects.get(person__name="New Guest")
    receipt = reverse("tournaments:receipt", args=[event.ref, guest.ref])
    for each in (accounts, receipt):
        with django_assert_max_num_queries(8):
            assert "New Guest" in client.get(each).text
    for words in ("New Guest", "12.50 EUR", "bought back 25%", "11.25"):
        assert words in page, words
    client.post(address, {"action": "close"})
    assert "Approve payouts" in client.get(address).content.decode()
    assert client.post(address, {"action": "approve"}).status_code == 409
    log = client.get(reverse("tournaments:log", args=[event.ref])).content.decode()
    for words in ("Auction opened", "Lot sold", "lot 1", "Auction closed"):
        assert words in log, words
    client.logout()
    page = client.get(address).content.decode()
    assert "12.50 EUR" in page
    assert "New Guest" not in page


def test_programs_hold_an_auction(client):
    event = an_event(2)
    flight = flight_of(event)
    client.force_login(member(event.club, Role.DIRECTOR))
    address = reverse("api:auction", args=[flight.ref])
    assert client.get(address).status_code == 404
    found = client.post(address, {"rake": 10, "percentages": [100]}, "application/json").json()
    first, second = (each["ref"] for each in found["lots"])
    buyer = a_player(event.club, "Buyer")
    sale = {"buyer": buyer.ref, "price": 1000, "payment": "cash"}
    sold = client.put(reverse("api:lot_sale", args=[first]), sale, "application/json").json()
    assert (sold["prices"], sold["pool"], sold["rake_kept"], sold["lots"][0]["buyer"]) == (
        1000,
        900,
        100,
        buyer.ref,
    )
    entrant = sold["lots"][0]["entrants"][0]["entrant"]
    to = reverse("api:lot_buy_back", args=[first])
    assert client.put(to, {"entrant": entrant, "percent": 50}, "application/json").status_code == 200
    undone = client.delete(reverse("api:lot_sale", args=[first])).json()
    assert undone["prices"] == 0
    joined = client.post(
        reverse("api:field_lots", args=[flight.ref]), {"lots": [first, second]}, "application/json"
    )
    assert len(joined.json()["lots"]) == 1
    assert len(client.delete(reverse("api:lot_entrants", args=[first])).json()["lots"]) == 2
    assert client.delete(address).status_code == 204
    assert not LotPrize.objects.exists()
