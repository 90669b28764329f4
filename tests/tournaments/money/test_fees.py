"""Fees of whoever was ever entered: with a place or waiting, withdrawn or drawn; the balance adds up."""

import re

import pytest
from django.urls import reverse

from clubs.models import Role
from tests.factories import member
from tests.tournaments.factories import a_player, an_event, drawn, flight_of
from tournaments.core.prizes.pools import Fees
from tournaments.desk.services.departures import leave
from tournaments.entries.services.check_ins import check_in
from tournaments.entries.services.entries import enter, withdraw
from tournaments.entries.services.fees import record_payment
from tournaments.events.services.events import FlightTerms
from tournaments.models import EntrantRow, EntrantState, FeePayment, Flight, StageRow
from tournaments.money.queries import balance_of

pytestmark = pytest.mark.django_db


def words(response):
    return " ".join(response.content.decode().split())


def full_event():
    """Four with a place and two on the waiting list, all of whom have paid 15.00 in cash."""
    event = an_event(terms=FlightTerms(Fees(500, 1000, 90), capacity=4))
    entrants = [
        enter(flight=flight_of(event), players=[a_player(event.club, f"P{number}")], payment=FeePayment.CASH)
        for number in range(1, 7)
    ]
    return event, entrants


def row_of(page, title):
    """The line of a list on a page in which this entrant stands."""
    return next(line for line in page.split("<li>") if re.search(rf">{title}\b", line))


def fee_form(entrant):
    return reverse("tournaments:payment", args=[entrant.ref])


def entry_of(entrant):
    return reverse("tournaments:edit_entry", args=[entrant.ref])


def test_a_director_removes_a_waiting_entry_and_refunds_its_fees(client):
    event, entrants = full_event()
    last = entrants[-1]
    client.force_login(member(event.club, Role.DIRECTOR))
    assert entry_of(last) in row_of(words(client.get(event.get_absolute_url())), "P6")
    entry = words(client.get(entry_of(last)))
    assert reverse("tournaments:leave", args=[last.ref]) in entry
    assert fee_form(last) in entry
    client.post(reverse("tournaments:leave", args=[last.ref]))
    last.refresh_from_db()
    assert last.state == EntrantState.WITHDRAWN
    page = words(client.get(event.get_absolute_url()))
    assert "Withdrawn before the draw, paid" in page
    assert entry_of(last) in row_of(page, "P6")
    client.post(fee_form(last), {"refunded": "yes"})
    assert "refunded" in row_of(words(client.get(event.get_absolute_url())), "P6")
    # Who waits has paid as well: that money is nobody's yet.
    drawn(event)
    found = balance_of(flight_of(event))
    assert (found.taken, found.waiting, found.refunded) == (4 * 1500, 1500, {"cash": 1500})
    assert (found.expected_cash, found.difference) == (5 * 1500, 0)


def test_fees_of_an_entry_withdrawn_after_the_draw_are_refunded(client):
    event, entrants = full_event()
    drawn(event)
    leave(entrant=entrants[0], user=None)
    withdraw(entrant=entrants[5])
    client.force_login(member(event.club, Role.DIRECTOR))
    page = words(client.get(event.get_absolute_url(), {"tab": "players"}))
    for entrant in (entrants[0], entrants[4], entrants[5]):
        assert entry_of(entrant) in row_of(page, entrant.title)
        assert fee_form(entrant) in words(client.get(entry_of(entrant)))
    client.post(fee_form(entrants[0]), {"refunded": "yes"})
    found = balance_of(flight_of(event))
    assert (found.taken, found.refunded, found.waiting) == (3 * 1500, {"cash": 1500}, 2 * 1500)
    assert (found.expected_cash, found.difference) == (5 * 1500, 0)


def test_only_directors_see_unpaid_and_refunded_fees(client):
    event, entrants = full_event()
    withdraw(entrant=entrants[0])
    client.force_login(member(event.club, Role.MEMBER))
    page = words(client.get(event.get_absolute_url()))
    assert "Withdrawn before the draw" not in page
    assert ">P1<" not in page
    assert "/payment/" not in page
    assert "/leave/" not in page


def test_a_withdrawn_player_with_paid_fees_can_enter_again(client):
    event, entrants = full_event()
    withdraw(entrant=entrants[5])
    user = member(event.club, Role.MEMBER)
    entrants[5].members.update(player=user.player)
    client.force_login(user)
    page = words(client.get(event.get_absolute_url()))
    assert reverse("tournaments:enter", args=[event.ref]) in page
    assert "Withdrawn</p>" not in page


def test_side_pools_alone_are_fees_too(client):
    event = an_event(2)
    Flight.objects.update(pools=[{"key": "jackpot", "fee": 1000, "returned": 100}])
    client.force_login(member(event.club, Role.DIRECTOR))
    assert "not paid" in row_of(words(client.get(event.get_absolute_url())), "P1")
    assert "Paid in cash" in words(client.get(entry_of(EntrantRow.objects.order_by("pk")[0])))


@pytest.mark.parametrize("payment", [FeePayment.OPEN, FeePayment.FREE])
def test_unpaid_fees_are_not_refunded(payment):
    event, entrants = full_event()
    for note_it in (record_by_payment, record_at_the_door):
        record_payment(entrant=entrants[0], user=None, payment=FeePayment.CASH, refunded=True)
        note_it(entrants[0], payment)
        entrants[0].refresh_from_db()
        assert (entrants[0].payment, entrants[0].refunded_at) == (payment, None)
    drawn(event)
    found = balance_of(flight_of(event))
    assert found.refunded == {}
    assert found.fees.get("open", 0) == (1500 if payment == FeePayment.OPEN else 0)
    assert found.difference == 0


def record_by_payment(entrant, payment):
    record_payment(entrant=entrant, user=None, payment=payment)


def record_at_the_door(entrant, payment):
    check_in(entrant=entrant, present=False, payment=payment)


def test_the_api_shows_directors_refunds(client):
    event, entrants = full_event()
    withdraw(entrant=entrants[4])
    director = member(event.club, Role.DIRECTOR)
    client.force_login(director)
    address = f"/api/v1/entrants/{entrants[4].ref}/"
    body = client.post(f"{address}payment/", {"refunded": True}, "application/json").json()
    assert (body["payment"], body["state"]) == ("cash", "withdrawn")
    assert body["refunded_at"] is not None
    client.force_login(member(event.club, Role.MEMBER))
    assert client.get(address).json()["refunded_at"] is None


def test_several_flights_have_one_balance_over_all(client):
    event, _entrants = full_event()
    drawn(event)
    novices = Flight.objects.create(event=event, name="Novices", position=1, added=250)
    StageRow.objects.create(flight=novices, name="Main", format="knockout", length=3)
    client.force_login(member(event.club, Role.DIRECTOR))
    page = words(client.get(reverse("tournaments:money", args=[event.ref])))
    assert "Whole event" in page
    assert "60.00" in page.split("flight-")[0]


def test_fees_that_are_paid_before_the_draw_have_come_in(client):
    event, _entrants = full_event()
    client.force_login(member(event.club, Role.DIRECTOR))
    page = words(client.get(reverse("tournaments:money", args=[event.ref])))
    assert 'Fees paid before the draw</th><td class="number">90.00' in page
    assert page.count('Total</th><td class="number">90.00') == 2
    assert "Paid by entrants not drawn" not in page
    drawn(event)
    page = words(client.get(reverse("tournaments:money", args=[event.ref])))
    assert "before the draw" not in page
    assert 'Paid by entrants not drawn</th><td class="number">30.00' in page
