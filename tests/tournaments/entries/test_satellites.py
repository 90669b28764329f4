"""Satellites: the best win entries, and both events stay balanced."""

import pytest
from django.urls import reverse

from clubs.models import Role
from tests.factories import member
from tests.tournaments.factories import an_event, drawn, flight_of, open_pairings, win
from tournaments.core.prizes.pools import Fees
from tournaments.entries.services.entries import enter
from tournaments.entries.services.satellites import enter_winner
from tournaments.events.services.events import FlightTerms, OvertakenRefused
from tournaments.log.refusals import DeskRefused
from tournaments.models import EntrantRow, FeePayment, Flight, Prize
from tournaments.money.queries import balance_of
from tournaments.money.services.prizes import approve_prizes
from tournaments.money.services.satellites import set_satellite

pytestmark = pytest.mark.django_db


def played():
    """A satellite of four at 30.00 each, for an open that costs 100.00."""
    event = an_event(4, terms=FlightTerms(Fees(0, 30_00, 100)))
    opening = an_event(0, club=event.club, terms=FlightTerms(Fees(20_00, 80_00, 100)))
    director = member(event.club, Role.DIRECTOR)
    stage = drawn(event)
    while rows := open_pairings(stage):
        for row in rows:
            win(row, director)
    return flight_of(event), flight_of(opening), director


def test_the_winner_of_a_satellite_is_entered_and_paid(client):
    flight, target, director = played()
    client.force_login(director)
    address = reverse("tournaments:satellite", args=[flight.ref])
    assert client.post(address, {"target": target.ref, "seen": ""}).status_code == 302
    assert client.post(address, {"target": target.ref, "seen": ""}).status_code == 409
    prizes = approve_prizes(flight=Flight.objects.get(pk=flight.pk), user=director)
    assert sorted((prize.source, prize.amount) for prize in prizes) == [("entry", 100_00), ("main", 20_00)]
    page = client.get(reverse("tournaments:money", args=[flight.event.ref])).content.decode()
    assert "Enter winner" in page
    entry = Prize.objects.get(source="entry")
    for _twice in range(2):
        client.post(reverse("tournaments:prize_entry", args=[entry.ref]))
    winner = EntrantRow.objects.with_players().get(flight=target)
    assert winner.payment == FeePayment.TRANSFER
    assert [each.pk for each in winner.players] == [
        each.pk for each in EntrantRow.objects.with_players().get(pk=entry.entrant_id).players
    ]
    both = balance_of(Flight.objects.get(pk=flight.pk))
    assert (both.paid, both.difference, both.mismatched) == ({"transfer": 100_00}, 0, ())
    cash = Prize.objects.get(source="main")
    assert client.post(reverse("api:prize_entry", args=[cash.ref])).json()["code"] == "no_entry"
    info = client.get(flight.event.get_absolute_url(), {"tab": "info"}).content.decode()
    assert "Satellite: the best win an entry to" in info


def test_an_entry_that_is_there_is_paid_and_one_that_is_paid_is_refused():
    flight, target, director = played()
    flight = set_satellite(flight=flight, target=target, user=director)
    approve_prizes(flight=flight, user=director)
    prize = Prize.objects.select_related("flight__satellite_for", "entrant").get(source="entry")
    players = EntrantRow.objects.with_players().get(pk=prize.entrant_id).players
    known = enter(flight=target, players=players, payment=FeePayment.CASH)
    with pytest.raises(DeskRefused, match="has paid for that event already"):
        enter_winner(prize=prize, user=director)
    EntrantRow.objects.filter(pk=known.pk).update(payment=FeePayment.OPEN)
    Flight.objects.filter(pk=target.pk).update(entry_fee=1)
    prize = Prize.objects.select_related("flight__satellite_for", "entrant").get(source="entry")
    with pytest.raises(DeskRefused, match="fees of that event have changed"):
        enter_winner(prize=prize, user=director)
    Flight.objects.filter(pk=target.pk).update(entry_fee=80_00)
    prize = Prize.objects.select_related("flight__satellite_for", "entrant").get(source="entry")
    assert enter_winner(prize=prize, user=director).paid_how == "transfer"
    known.refresh_from_db()
    assert known.payment == FeePayment.TRANSFER


def test_a_satellite_leads_to_another_event_of_the_club_that_has_fees():
    flight, target, director = played()
    free, elsewhere = flight_of(an_event(0, club=flight.event.club)), played()[1]
    for other, code in (
        (free, "satellite_free"),
        (elsewhere, "satellite_target"),
        (flight, "satellite_target"),
    ):
        with pytest.raises(DeskRefused) as refused:
            set_satellite(flight=flight, target=other, user=director)
        assert refused.value.code == code
    set_satellite(flight=flight, target=target, user=director)
    with pytest.raises(DeskRefused, match="cannot lead to another satellite"):
        set_satellite(flight=target, target=flight, user=director)
    with pytest.raises(OvertakenRefused):
        set_satellite(flight=flight, target=None, user=director, seen="")
    assert set_satellite(flight=flight, target=None, user=director, seen=target.ref).satellite_for is None
