"""The entries as a table: totals, order, one entry changed, several at once."""

import pytest
from django.urls import reverse

from clubs.models import Role, User
from tests.factories import member
from tests.tournaments.factories import a_player, an_event, drawn, open_pairings, win
from tournaments.core.prizes.money import PrizeRefused
from tournaments.core.prizes.pools import Fees, SidePool
from tournaments.core.stages.entrants import Entrant
from tournaments.core.stages.seating_checks import seating_faults
from tournaments.core.stages.seeding import SeatingOptions
from tournaments.desk.services.undo import undo
from tournaments.entries.queries.table import entry_table
from tournaments.entries.services.chosen_entries import (
    check_in_chosen,
    join_pool,
    mark_paid,
    withdraw_chosen,
)
from tournaments.entries.services.entries import enter
from tournaments.entries.services.entry_changes import change_entry
from tournaments.events.plans import single_flight
from tournaments.events.services.events import FlightTerms, OvertakenRefused, add_flight
from tournaments.log.refusals import DeskRefused
from tournaments.models import (
    DeskEvent,
    EntrantRow,
    EntrantState,
    Event,
    FeePayment,
    Flight,
    ForbiddenKind,
    ForbiddenPairs,
)
from tournaments.money.queries import balance_of
from tournaments.stages.services.forbidden import forbid
from tournaments.stages.services.stages import load

pytestmark = pytest.mark.django_db

EUROS = 100


def an_open(players: int) -> Event:
    """An event for 45.00 with a side pool for 20.00 and one for low ratings."""
    event = an_event(players, terms=FlightTerms(Fees(0, 45 * EUROS, 100)))
    pools = [SidePool("jackpot", 20 * EUROS), SidePool("novices", 5 * EUROS, rating_below=1500)]
    plain = [{"key": pool.key, "fee": pool.fee, "rating_below": pool.rating_below} for pool in pools]
    Flight.objects.update(pools=plain)
    return event


def entries(event: Event) -> list[EntrantRow]:
    return list(EntrantRow.objects.filter(flight__event=event).order_by("pk"))


@pytest.fixture
def event() -> Event:
    return an_open(4)


@pytest.fixture
def director(event) -> User:
    return member(event.club, Role.DIRECTOR)


def test_the_totals_say_what_is_due_paid_and_outstanding(event, director):
    first, second, third, fourth = entries(event)
    change_entry(entrant=first, values={"payment": FeePayment.CASH, "pools": ["jackpot"]}, user=director)
    change_entry(entrant=second, values={"payment": FeePayment.TRANSFER, "paid": 2000}, user=director)
    change_entry(entrant=third, values={"payment": FeePayment.FREE}, user=director)
    table = entry_table(event)
    assert (table.totals.due, table.totals.paid, table.totals.outstanding) == (15500, 8500, 7000)
    assert (table.totals.cash, table.totals.transferred) == (6500, 2000)
    assert dict(table.pools) == {"jackpot": 1}
    assert [row.entrant for row in entry_table(event, only="unpaid").lines] == [second, fourth]
    assert entry_table(event, sort="-paid").lines[0].entrant == fourth
    assert [row.entrant.title for row in entry_table(event, text="p3").lines] == ["P3"]


def test_the_page_takes_the_same_queries_for_one_and_many(client, event, django_assert_num_queries):
    client.force_login(member(event.club, Role.DIRECTOR))
    page = reverse("tournaments:entries", args=[event.ref])
    client.get(page)
    with django_assert_num_queries(5) as few:
        assert client.get(page).status_code == 200
    for number in range(5, 9):
        enter(flight=event.flights.get(), players=[a_player(event.club, f"P{number}")])
    with django_assert_num_queries(len(few)):
        assert "P8" in client.get(page + "?sort=-rating").content.decode()


def test_a_side_pool_joined_later_is_outstanding_and_its_fee_comes_back(event, director):
    entrant = entries(event)[0]
    change_entry(entrant=entrant, values={"payment": FeePayment.CASH}, user=director)
    changed = change_entry(entrant=entrant, values={"pools": ["jackpot"]}, user=director)
    assert (changed.entrant.payment, changed.entrant.outstanding) == ("cash", 2000)
    paid = change_entry(entrant=entrant, values={"paid": 6500}, user=director).entrant
    assert paid.outstanding == 0
    left = change_entry(entrant=entrant, values={"pools": []}, user=director)
    assert (left.refund, left.entrant.outstanding, left.entrant.pools) == (2000, 0, [])
    with pytest.raises(DeskRefused, match=r"are 45\.00 EUR, not 50\.00 EUR"):
        change_entry(entrant=entrant, values={"paid": 5000}, user=director)
    with pytest.raises(PrizeRefused):
        change_entry(entrant=entrant, values={"pools": ["novices"], "rating": 1600.0}, user=director)
    entrant.refresh_from_db()
    assert (entrant.rating, entrant.pools) == (None, [])


def test_the_draw_closes_what_it_has_used(event, director):
    first, second, *_others = entries(event)
    change_entry(entrant=second, values={"seed": 1, "from_club": "Porto"}, user=director)
    stage = drawn(event)
    assert [(each.seed, each.club) for each in load(stage).field if each.ref == second.ref] == [(1, "porto")]
    with pytest.raises(DeskRefused, match="The draw has used the seed"):
        change_entry(entrant=first, values={"seed": 2}, user=director)
    change_entry(entrant=first, values={"pools": ["jackpot"], "payment": FeePayment.CASH}, user=director)
    with pytest.raises(DeskRefused, match="P1 has been drawn"):
        withdraw_chosen(event=event, refs=[first.ref], user=director)
    win(open_pairings(stage)[0], director)
    with pytest.raises(DeskRefused, match="closed with the first match"):
        change_entry(entrant=first, values={"pools": []}, user=director)
    with pytest.raises(DeskRefused, match="closed with the first match"):
        join_pool(event=event, refs=[second.ref], pool="jackpot", user=director)
    change_entry(entrant=first, values={"paid": 4500, "email": "p1@example.org"}, user=director)
    balance = balance_of(event.flights.get())
    assert balance.fees == {"cash": 4500, "open": 3 * 4500 + 2000}
    assert balance.difference == 0


def test_seeds_come_before_ratings_and_are_checked():
    field = [Entrant("a", 1900.0), Entrant("b", 1800.0), Entrant("c", 1500.0, seed=1), Entrant("d", seed=2)]
    ranked = [each.ref for each in sorted(field, key=lambda each: each.strength)]
    assert ranked == ["c", "d", "a", "b"]
    together = list(seating_faults(field, (3, 4, 1, 2), SeatingOptions()))
    assert [fault.code for fault in together] == ["seeds"]
    assert not list(seating_faults(field, (3, 2, 1, 4), SeatingOptions()))


def test_an_entry_moves_to_another_division_until_one_is_drawn(client, event, director):
    first, second, *others = entries(event)
    client.force_login(director)
    new = {"name": "Novices", "format": "swiss", "length": 5, "capacity": 2}
    made = client.post(f"/api/v1/events/{event.ref}/flights/", new, "application/json")
    assert made.status_code == 201, made.content
    novices = Flight.objects.get(ref=made.json()["ref"])
    for named in ([first, second], [first, *others]):
        refs = [each.ref for each in named]
        forbid(flight=first.flight, kind=ForbiddenKind.NAMES, never=True, entrants=refs, user=director)
    address = f"/api/v1/entrants/{first.ref}/"
    moved = client.patch(address, {"flight": novices.ref, "seed": 1}, "application/json")
    assert moved.json()["flight"] == novices.ref
    assert [{each.entrant for each in line.entrants.all()} for line in ForbiddenPairs.objects.all()] == [
        set(others)
    ]
    assert DeskEvent.objects.get(event=event, kind="pair_allowed").body["apart"] == [first.ref, second.ref]
    with pytest.raises(DeskRefused, match="has no side pool jackpot"):
        change_entry(entrant=second, values={"flight": novices, "pools": ["jackpot"]}, user=director)
    players = EntrantRow.objects.with_players().get(pk=first.pk).players
    enter(flight=event.flights.get(position=0), players=players)
    first.refresh_from_db()
    with pytest.raises(DeskRefused, match="P1 is already in this division"):
        change_entry(entrant=first, values={"flight": event.flights.get(position=0)}, user=director)
    drawn_flight = event.flights.get(position=0)
    drawn_flight.stages.update(status="running")
    with pytest.raises(DeskRefused, match="The draw has been made"):
        change_entry(entrant=second, values={"flight": novices}, user=director)
    log = client.get(reverse("tournaments:log", args=[event.ref])).content.decode()
    assert "moved to Novices · Seed: – → 1" in log


def test_chosen_entries_change_together_or_not_at_all(client, event, director):
    refs = [each.ref for each in entries(event)]
    assert mark_paid(event=event, refs=refs[:2], payment=FeePayment.CASH, user=director) == 2
    assert mark_paid(event=event, refs=refs[:2], payment=FeePayment.TRANSFER, user=director) == 0
    assert join_pool(event=event, refs=refs[:3], pool="jackpot", user=director) == 3
    assert entry_table(event).totals.outstanding == 4500 + 2000 * 2 + 6500
    entry = DeskEvent.objects.get(kind="pool_joined")
    undo(event=event, seq=entry.seq, user=director)
    assert entry_table(event).totals.outstanding == 9000
    paid = DeskEvent.objects.get(kind="fees_paid")
    undo(event=event, seq=paid.seq, user=director)
    assert entry_table(event).totals.paid == 0
    change_entry(entrant=entries(event)[0], values={"payment": FeePayment.CASH, "paid": 2000}, user=director)
    assert mark_paid(event=event, refs=refs[:1], payment=FeePayment.TRANSFER, user=director) == 1
    assert (entry_table(event).totals.cash, entry_table(event).totals.transferred) == (2000, 2500)
    assert balance_of(event.flights.get()).counts == {"waiting cash": 2000, "waiting transfer": 2500}
    undo(event=event, seq=DeskEvent.objects.filter(kind="fees_paid").latest("seq").seq, user=director)
    assert entry_table(event).totals.paid == 2000
    with pytest.raises(DeskRefused, match=r"30\.00 EUR cannot be a part of 20\.00 EUR"):
        change_entry(entrant=entries(event)[0], values={"paid": 2000, "other_way": 3000}, user=director)
    change_entry(entrant=entries(event)[0], values={"payment": FeePayment.OPEN}, user=director)
    page = reverse("tournaments:entries", args=[event.ref])
    client.force_login(director)
    wrong = client.post(page, {"action": "cheque", "chosen": refs[:1]})
    assert (wrong.status_code, "There is no action “cheque”." in wrong.text) == (409, True)
    assert check_in_chosen(event=event, refs=refs[:2], user=director) == 2
    assert withdraw_chosen(event=event, refs=[refs[3]], user=director) == 1
    with pytest.raises(DeskRefused, match="P4 has no place in this event"):
        check_in_chosen(event=event, refs=refs, user=director)
    assert entries(event)[2].state == EntrantState.REGISTERED
    with pytest.raises(DeskRefused, match="There is no side pool gold"):
        join_pool(event=event, refs=refs[:1], pool="gold", user=director)
    with pytest.raises(DeskRefused, match="There is no entry nobody in this event"):
        mark_paid(event=event, refs=[refs[0], "nobody"], payment=FeePayment.CASH, user=director)
    client.force_login(director)
    address = f"/api/v1/events/{event.ref}/entries/"
    body = {"action": "mark_paid", "entrants": refs[:3]}
    assert client.post(address, body, "application/json").json() == {"changed": 3}
    totals = client.get(address).json()
    assert {name: totals[name] for name in ("due", "paid", "entered", "checked_in")} == {
        "due": 13500,
        "paid": 13500,
        "entered": 3,
        "checked_in": 2,
    }


def test_the_form_of_an_entry_keeps_what_was_typed_and_refuses_old_values(client, event, director):
    entrant = entries(event)[0]
    client.force_login(director)
    page = reverse("tournaments:edit_entry", args=[entrant.ref])
    form = client.get(page).context["form"]
    seen = client.get(page).context["seen"]
    assert list(form.fields) == ["cash", "transfer", "free", "pools", "seed", "rating", "from_club", "email"]
    sent = {"cash": "20,00", "pools": "jackpot", "seed": "3", "rating": "1612.5"}
    sent |= {"from_club": "Porto", "email": "p1@example.org"}
    wrong = client.post(page, sent | {"cash": "a lot", "seen": seen})
    assert "“a lot” is not an amount. Enter a number such as 20.00." in wrong.content.decode()
    assert 'value="p1@example.org"' in wrong.content.decode()
    assert client.post(page, sent | {"seen": seen}).status_code == 302
    entrant.refresh_from_db()
    assert (entrant.outstanding, entrant.seed, entrant.rating) == (4500, 3, 1612.5)
    assert (entrant.email, entrant.from_club, entrant.pools) == ("p1@example.org", "Porto", ["jackpot"])
    again = client.post(page, sent | {"seen": seen})
    assert again.status_code == 409
    assert "Someone else changed this" in again.content.decode()
    with pytest.raises(OvertakenRefused):
        change_entry(entrant=entrant, values={"seed": 4}, user=director, seen={"seed": 2})
    public = client.get(f"/api/v1/entrants/{entrant.ref}/").json()
    assert (public["email"], public["club"], public["outstanding"]) == ("p1@example.org", "Porto", 4500)
    client.logout()
    assert client.get(f"/api/v1/entrants/{entrant.ref}/").json()["email"] is None
    client.force_login(director)
    both = {**sent, "cash": "20", "transfer": "45", "seen": client.get(page).context["seen"]}
    assert "A free entry pays no fees" in client.post(page, both | {"free": "on"}).content.decode()
    assert "Enter at most the fees" in client.post(page, both | {"transfer": "45.01"}).content.decode()
    assert client.post(page, both).status_code == 302
    entrant.refresh_from_db()
    assert (entrant.payment, entrant.outstanding, entrant.other_way) == ("cash", 0, 4500)
    log = client.get(reverse("tournaments:log", args=[event.ref])).content.decode()
    assert "Outstanding: 45.00 EUR → 0.00 EUR" in log
    assert "Paid the other way: 0.00 EUR → 45.00 EUR" in log
    assert "cash and transfer" in client.get(reverse("tournaments:entries", args=[event.ref])).text
    refund = {"refunded": "maybe", "next": reverse("tournaments:entries", args=[event.ref])}
    paying = reverse("tournaments:payment", args=[entrant.ref])
    assert "There is no action “maybe”." in client.post(paying, refund).text
    assert client.post(paying, refund | {"refunded": "yes"}).status_code == 302
    assert "Undo refund" in client.get(page).text
    bulk = DeskEvent.objects.filter(kind="entry_changed").latest("seq")
    assert "p1@example.org" not in str(bulk.body)


def test_an_entry_that_is_moved_into_the_last_place_of_a_jackpot_draws_it(event, director):
    jackpot = add_flight(
        event=event,
        plan=single_flight("knockout_lot", 3, name="Jackpot", capacity=2, starts_when_full=True),
        position=1,
    )
    for entrant in entries(event)[:2]:
        change_entry(entrant=entrant, values={"flight": jackpot}, user=director, override=True)
    assert jackpot.stages.get().status == "running"
    assert [flight.name for flight in event.flights.order_by("position")][1:] == ["Jackpot", "Jackpot 2"]
    assert DeskEvent.objects.filter(event=event, kind="entry_changed").count() == 2
