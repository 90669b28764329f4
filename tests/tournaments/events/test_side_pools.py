"""Side pools with tiers: as lines that a director types, in the API, and on the event's page."""

import pytest
from django.urls import reverse

from clubs.models import Role
from tests.factories import member
from tests.tournaments.factories import a_player, an_event, flight_of
from tournaments.core.prizes.money import PrizeRefused
from tournaments.core.prizes.pools import SidePool
from tournaments.entries.services.entries import enter
from tournaments.events.side_pools import pool_from_line, pool_line, pools_fault
from tournaments.models import FeePayment, Flight

TIERS = (
    SidePool("Jackpot", 20_00),
    SidePool("Second tier", 40_00, 90, needs="Jackpot", within=8),
    SidePool("Novices", 5_00, rating_below=1599.5),
)


@pytest.mark.parametrize("pool", TIERS)
def test_a_side_pool_is_read_as_it_was_written(pool):
    line = pool_line(pool, "EUR")
    assert pool_from_line(line, digits=2, dearest=10**9, longest=60) == pool


@pytest.mark.parametrize(
    "line",
    [
        "Jackpot",
        "; 5",
        "Jackpot; 5; 100; need X",
        "J; 5; 100; needs ",
        "J; 5; top x",
        "J; 5; under nan",
        "J; 5; 101",
    ],
)
def test_other_lines_are_no_side_pools(line):
    assert pool_from_line(line, digits=2, dearest=10**9, longest=60) is None


def test_a_tier_comes_after_the_pool_that_it_needs():
    assert pools_fault(TIERS) is None
    assert (pools_fault(TIERS[::-1]) or ("",))[0] == "pool_needs"
    assert (pools_fault((*TIERS, TIERS[0])) or ("",))[0] == "pool_twice"


@pytest.mark.django_db
def test_pools_are_changed_by_page_and_api_and_shown_with_their_members(client):
    event = an_event(0)
    flight = flight_of(event)
    client.force_login(member(event.club, Role.DIRECTOR))
    api = reverse("api:flight", args=[flight.ref])
    tiers = [
        {"key": "Jackpot", "fee": 2000},
        {"key": "Second", "fee": 4000, "returned": 90, "needs": "Jackpot", "within": 8},
    ]
    assert client.patch(api, {"pools": tiers[::-1]}, "application/json").status_code in {400, 409}
    assert client.patch(api, {"pools": tiers}, "application/json").status_code == 200
    change = reverse("tournaments:change_flight", args=[flight.ref])
    assert "Second; 40.00; 90; needs Jackpot; top 8" in client.get(change).content.decode()
    flight = Flight.objects.select_related("event__club").get(pk=flight.pk)
    with pytest.raises(PrizeRefused, match="requires side pool Jackpot"):
        enter(flight=flight, players=[a_player(event.club, "P0")], pools=["Second"])
    enter(flight=flight, players=[a_player(event.club, "Ana Both")], pools=["Jackpot", "Second"])
    enter(
        flight=flight, players=[a_player(event.club, "Free Jack")], pools=["Jackpot"], payment=FeePayment.FREE
    )
    client.logout()
    page = " ".join(client.get(event.get_absolute_url(), {"tab": "prizes"}).content.decode().split())
    for words in (
        "20.00 EUR each, 2 entrants",
        "40.00 EUR each, 1 entrant",
        "36.00 EUR",
        "needs Jackpot",
        "Ana Both",
    ):
        assert words in page, words
