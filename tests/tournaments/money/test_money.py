"""Money of an event: the balance adds up to the cent, prizes are paid out once, deals keep the sum."""

from datetime import UTC, datetime

import pytest
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from clubs.models import Role
from tests.factories import member
from tests.races import at_once, in_between
from tests.tournaments.factories import an_event, drawn, flight_of, open_pairings, win
from tournaments.core.prizes.balance import Paid, balance
from tournaments.core.prizes.money import PrizeRefused
from tournaments.core.prizes.pools import Fees, SidePool
from tournaments.events.services.events import FlightTerms, OvertakenRefused
from tournaments.log.refusals import DeskRefused
from tournaments.models import DeskEvent, EntrantRow, FeePayment, Flight, PaidHow, PairingRow, Prize
from tournaments.money.amounts import typed_amount
from tournaments.money.queries import balance_of
from tournaments.money.services.prizes import approve_prizes, make_deal, pay_prize, unpay_prize

ENTRIES = st.lists(
    st.builds(
        Paid,
        st.sampled_from(["cash", "transfer", "open", "free"]),
        st.booleans(),
        st.booleans(),
        st.sampled_from([(), ("a",), ("b",), ("a", "b")]),
    ),
    max_size=40,
)


@given(ENTRIES, st.integers(0, 99_99), st.integers(0, 99_99), st.integers(0, 100), st.integers(0, 999_99))
def test_in_and_out_make_the_same_to_the_cent(entries, registration, entry, returned, added):
    pools = [SidePool("a", 1_33, 80), SidePool("b", 7, 100)]
    found = balance(Fees(registration, entry, returned), entries, added=added, side_pools=pools)
    assert found.difference == 0
    assert found.taken + found.added == found.pools + found.kept


def finished(**terms):
    event = an_event(8, terms=FlightTerms(Fees(500, 1333, 90), 1001, **terms))
    flight = flight_of(event)
    EntrantRow.objects.filter(flight=flight).update(payment=FeePayment.CASH)
    stage = drawn(event)
    director = member(event.club, Role.DIRECTOR)
    while rows := open_pairings(stage):
        for row in rows:
            win(row, director)
    return flight, director


@pytest.mark.django_db
def test_an_event_is_balanced_from_the_first_fee_to_the_last_prize():
    flight, director = finished()
    somebody = EntrantRow.objects.filter(flight=flight)[0]
    before = balance_of(flight)
    assert (before.taken, before.added, before.difference) == (8 * 1833, 1001, 0)
    somebody.refunded_at = datetime.now(UTC)
    somebody.save()
    found = balance_of(flight)
    assert (found.taken, found.refunded, found.difference) == (7 * 1833, {"cash": 1833}, 0)
    prizes = list(approve_prizes(flight=flight))
    assert balance_of(flight).approved == found.pools
    for prize in prizes:
        pay_prize(prize=prize, how=PaidHow.CASH, user=director)
    done = balance_of(flight)
    assert (done.unpaid, done.paid_out) == (0, found.pools)
    assert done.expected_cash == done.kept - done.added


@pytest.mark.django_db
def test_a_prize_is_paid_once_and_can_be_undone():
    flight, director = finished()
    prize = approve_prizes(flight=flight)[0]
    for _twice in range(2):
        pay_prize(prize=prize, how=PaidHow.TRANSFER, user=director)
    with pytest.raises(DeskRefused, match="already been paid"):
        pay_prize(prize=prize, how=PaidHow.CASH, user=director)
    for _twice in range(2):
        unpay_prize(prize=prize, user=director)
    prize.refresh_from_db()
    assert (prize.paid_at, prize.paid_how, prize.paid_by) == (None, "", None)
    kinds = list(
        DeskEvent.objects.filter(kind__startswith="prize_").order_by("seq").values_list("kind", flat=True)
    )
    assert kinds == ["prize_paid", "prize_unpaid"]


@pytest.mark.django_db
def test_a_deal_keeps_the_sum_and_refuses_everything_else():
    flight, director = finished(percentages=(50, 30, 20))
    first, second, third, *_rest = sorted(approve_prizes(flight=flight), key=lambda prize: -prize.amount)
    total = sum(Prize.objects.values_list("amount", flat=True))
    half = (first.amount + second.amount) // 2
    deal = {first.entrant.ref: half, second.entrant.ref: first.amount + second.amount - half}
    make_deal(flight=flight, amounts=deal, user=director)
    first.refresh_from_db()
    assert (first.amount, first.agreed) == (half, True)
    assert sum(Prize.objects.values_list("amount", flat=True)) == total
    with pytest.raises(PrizeRefused, match=r"The deal adds up to .* EUR, but these prizes add up to .* EUR"):
        make_deal(flight=flight, amounts={ref: amount + 1 for ref, amount in deal.items()}, user=director)
    with pytest.raises(PrizeRefused, match="cannot have negative amounts"):
        make_deal(
            flight=flight, amounts={first.entrant.ref: -1, second.entrant.ref: 2 * half + 1}, user=director
        )
    with pytest.raises(DeskRefused, match="at least two"):
        make_deal(flight=flight, amounts={first.entrant.ref: half}, user=director)
    with pytest.raises(DeskRefused, match="has no prize"):
        make_deal(flight=flight, amounts={"nobody": 1, first.entrant.ref: half}, user=director)
    pay_prize(prize=third, how=PaidHow.CASH, user=director)
    with pytest.raises(DeskRefused, match="already been paid"):
        make_deal(flight=flight, amounts={third.entrant.ref: 0, first.entrant.ref: half}, user=director)


@pytest.mark.django_db
def test_a_side_pool_goes_to_its_highest_finisher():
    flight, _director = finished()
    flight.pools = [{"key": "intermediate", "fee": 1000, "returned": 80}]
    flight.save()
    members = list(EntrantRow.objects.filter(flight=flight).order_by("pk")[:3])
    for entrant in members:
        entrant.pools = ["intermediate"]
        entrant.save()
    prizes = approve_prizes(flight=flight)
    side = [prize for prize in prizes if prize.source == "intermediate"]
    assert sum(prize.amount for prize in side) == 2400
    assert {prize.entrant_id for prize in side} <= {entrant.pk for entrant in members}
    found = balance_of(flight)
    assert (found.approved, found.difference) == (found.pools, 0)


@pytest.mark.django_db
def test_the_money_page_from_approval_to_the_last_prize(client):
    flight, director = finished()
    address = reverse("tournaments:money", args=[flight.event.ref])
    client.force_login(director)
    page = client.get(address).content.decode()
    assert "Approve prizes" in page
    client.post(reverse("tournaments:approve", args=[flight.ref]))
    prize = Prize.objects.order_by("-amount")[0]
    client.post(reverse("tournaments:paid", args=[prize.ref]), {"how": "cash"})
    assert "paid, cash" in client.get(address).content.decode()
    client.post(reverse("tournaments:paid", args=[prize.ref]), {"how": "magic"})
    client.post(reverse("tournaments:paid", args=[prize.ref]), {"stop": "1"})
    prize.refresh_from_db()
    assert prize.paid_at is None
    shares = {f"amount-{each.entrant.ref}": "1,005" for each in Prize.objects.order_by("-amount")[:2]}
    said = client.post(reverse("tournaments:deal", args=[flight.ref]), shares, follow=True)
    assert "is not an amount" in said.content.decode()


@pytest.mark.django_db
def test_the_report_names_results_and_is_safe_in_a_spreadsheet(client):
    flight, _director = finished()
    person = EntrantRow.objects.filter(flight=flight)[0].players[0].person
    person.name = "=cmd()"
    person.save()
    page = client.get(reverse("tournaments:report", args=[flight.event.ref])).content.decode()
    assert "Final standing" in page
    assert "Statistics" in page
    table = client.get(reverse("tournaments:report_csv", args=[flight.event.ref])).content.decode()
    assert len(table.splitlines()) == 8
    assert "'=cmd()" in table
    body = client.get(reverse("tournaments:report_json", args=[flight.event.ref])).json()
    assert len(body["stages"][0]["results"]) == 7
    assert "=cmd()" not in str(body)


@pytest.mark.django_db
def test_the_api_tells_the_balance_to_directors(client):
    flight, director = finished()
    client.force_login(director)
    body = client.get(f"/api/v1/flights/{flight.ref}/balance/").json()
    assert body["taken"] + body["added"] == body["pools"] + body["kept"]


@pytest.mark.parametrize(
    ("text", "digits", "amount"),
    [
        ("12,50", 2, 1250),
        ("-1", 2, None),
        ("nan", 2, None),
        ("1e30", 2, None),
        ("1e999999", 2, None),
        ("1,000", 2, None),
        ("9" * 5000, 2, None),
        ("", 2, None),
        ("3.5", 0, None),
    ],
)
def test_amounts_as_people_type_them(text, digits, amount):
    assert typed_amount(text, digits) == amount


@pytest.mark.django_db(transaction=True)
def test_a_prize_being_paid_is_not_recalculated():
    flight, director = finished()
    prize = approve_prizes(flight=flight)[0]
    paid, refused = in_between(
        lambda: pay_prize(prize=prize, how=PaidHow.CASH, user=director),
        lambda: approve_prizes(flight=flight, user=director),
    )
    assert (paid, refused.code) == (prize, "paid")
    assert Prize.objects.get(pk=prize.pk).paid_by == director


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("again", ["approved", "corrected"])
def test_a_prize_being_recalculated_is_not_paid(again):
    flight, director = finished()
    stage = flight.stages.get()
    final = PairingRow.objects.filter(stage=stage).latest("number")
    prize = Prize.objects.get(
        pk__in=[each.pk for each in approve_prizes(flight=flight)], entrant=final.winner
    )

    def compute_anew():
        if again == "approved":
            return approve_prizes(flight=flight, user=director)
        return win(final, director, a=final.winner_id != final.a_id, reason="typo")

    done, refused = in_between(compute_anew, lambda: pay_prize(prize=prize, how=PaidHow.CASH, user=director))
    assert not isinstance(done, Exception)
    assert isinstance(refused, OvertakenRefused)
    assert refused.parameters == {"prize": prize.ref}
    assert not Prize.objects.exclude(paid_at=None).exists()


@pytest.mark.django_db(transaction=True)
def test_changes_of_prizes_do_not_deadlock():
    flight, director = finished()
    stage = flight.stages.get()
    final = PairingRow.objects.filter(stage=stage).latest("number")
    prizes = approve_prizes(flight=flight)
    outcomes = at_once(
        *(lambda each=each: pay_prize(prize=each, how=PaidHow.CASH, user=director) for each in prizes),
        lambda: approve_prizes(flight=flight, user=director),
        lambda: win(final, director, a=final.winner_id != final.a_id, reason="typo"),
    )
    unknown = [each for each in outcomes if isinstance(each, Exception) and not isinstance(each, DeskRefused)]
    assert unknown == []


@pytest.mark.django_db
def test_the_api_approves_the_prizes_of_the_flight_that_is_named(client):
    flight, director = finished()
    other = Flight.objects.create(event=flight.event, name="Novices", position=1)
    client.force_login(director)
    address = f"/api/v1/events/{flight.event.ref}/prizes/"
    refused = client.post(address, {"flight": other.ref}, "application/json")
    assert (refused.status_code, Prize.objects.count()) == (409, 0)
    assert client.post(address, {"flight": "nobody"}, "application/json").status_code == 400
    Flight.objects.filter(pk=flight.pk).update(position=2)
    prizes = client.post(address, {"flight": flight.ref}, "application/json").json()["prizes"]
    assert {prize["flight"] for prize in prizes} == {flight.ref}
    assert len(prizes) == Prize.objects.count() > 0
