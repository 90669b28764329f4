"""Two change the same from stale pages: one wins, the other sees the present state."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils.timezone import now

from clubs.models import Role
from tests.factories import member
from tests.races import at_once, in_between
from tests.tournaments.factories import an_event, drawn, flight_of, open_pairings, other_side, win
from tests.tournaments.leagues.test_leagues import a_tie, league
from tournaments.core.prizes.pools import Fees
from tournaments.desk.services.tables import change_table, make_tables
from tournaments.entries.services.fees import record_payment
from tournaments.events.services.events import FlightTerms, OvertakenRefused, set_starts, starts_of
from tournaments.leagues.services import agree_date, propose_date
from tournaments.log.services import StaleRefused
from tournaments.models import (
    EntrantRow,
    EventTable,
    FeePayment,
    Flight,
    PaidHow,
    PairingRow,
    Prize,
    StageRow,
)
from tournaments.money.services.prizes import approve_prizes, make_deal, pay_prize
from tournaments.money.services.shares import set_shares
from tournaments.stages.services.rounds import let_rounds_wait
from tournaments.stages.services.ties import line_up_of, set_line_up

pytestmark = pytest.mark.django_db
JSON = "application/json"
MAIN_ALONE, SHARED = (("main", 100),), (("main", 70), ("consolation", 30))


def with_a_consolation():
    """An event of four with a main table and a consolation, and its director."""
    event = an_event(4, format_key="consolation", terms=FlightTerms(Fees(entry=1000)))
    return event, member(event.club, Role.DIRECTOR)


def paid_out(flight):
    """The prizes of a knockout of four, 60 and 40 percent, the larger first."""
    EntrantRow.objects.update(payment=FeePayment.CASH)
    director = member(flight.event.club, Role.DIRECTOR)
    stage = drawn(flight.event)
    while rows := open_pairings(stage):
        for row in rows:
            win(row, director)
    return director


def with_prizes():
    event = an_event(4, terms=FlightTerms(Fees(0, 1000, 100), percentages=(60, 40)))
    return flight_of(event), paid_out(flight_of(event))


def amounts(flight):
    """As the pages have them, in their order: equal amounts by age."""
    return dict(Prize.objects.filter(flight=flight).order_by("-amount", "pk").values_list("ref", "amount"))


def test_shares_of_a_stale_page_are_refused_with_those_that_stand():
    event, director = with_a_consolation()
    set_shares(flight=flight_of(event), shares=SHARED, user=director, seen={})
    with pytest.raises(OvertakenRefused) as refused:
        set_shares(flight=flight_of(event), shares=MAIN_ALONE, user=director, seen={})
    assert refused.value.parameters == {"shares": dict(SHARED)}
    assert flight_of(event).shares == dict(SHARED)
    set_shares(flight=flight_of(event), shares=MAIN_ALONE, user=director, seen=dict(SHARED))


def test_the_money_page_and_the_api_say_which_shares_they_showed(client):
    event, director = with_a_consolation()
    flight = flight_of(event)
    client.force_login(director)
    api = f"/api/v1/flights/{flight.ref}/shares/"
    assert client.get(api).json() == {"shares": {}, "tables": ["main", "consolation"]}
    form = reverse("tournaments:shares", args=[flight.ref])
    client.post(form, {"share-main": "70", "share-consolation": "30", "seen": "{}"})
    page = client.get(reverse("tournaments:money", args=[event.ref])).content.decode()
    assert 'name="seen" value="{&quot;main&quot;: 70, &quot;consolation&quot;: 30}"' in page
    for stale in ("{}", "[]", "nonsense", "[" * 100_000):
        answer = client.post(form, {"share-main": "100", "seen": stale})
        assert (answer.status_code, "Someone else changed this" in answer.content.decode()) == (
            409,
            True,
        )
    answer = client.put(api, {"shares": {"main": 100}, "seen": {}}, JSON)
    assert answer.status_code == 409
    assert (answer.json()["code"], answer.json()["parameters"]["shares"]) == ("overtaken", dict(SHARED))
    assert Flight.objects.get().shares == dict(SHARED)
    fresh = client.put(api, {"shares": {"main": 100}, "seen": dict(SHARED)}, JSON)
    assert fresh.json()["shares"] == {"main": 100}


@pytest.mark.django_db(transaction=True)
def test_two_directors_split_the_pool_at_once():
    event, director = with_a_consolation()
    flight = flight_of(event)

    def split(shares):
        return lambda: set_shares(flight=flight, shares=shares, user=director, seen={})

    first, second = in_between(split(SHARED), split(MAIN_ALONE))
    assert (first.shares, type(second)) == (dict(SHARED), OvertakenRefused)
    assert Flight.objects.get().shares == dict(SHARED)


def test_starts_of_a_stale_page_are_refused_with_those_that_stand():
    stage, first, second = drawn(an_event(2)), now(), now() + timedelta(hours=1)
    set_starts(stage=stage, starts=[first], user=None, seen=[])
    with pytest.raises(OvertakenRefused) as refused:
        set_starts(stage=stage, starts=[second], user=None, seen=[])
    assert refused.value.parameters == {"starts": [first]}
    set_starts(stage=stage, starts=[second], user=None, seen=[first])
    assert starts_of(StageRow.objects.get()) == [second]


def test_an_outdated_start_times_form_shows_the_current_ones(client):
    event = an_event(2)
    stage = drawn(event)
    client.force_login(member(event.club, Role.DIRECTOR))
    address = reverse("tournaments:starts", args=[stage.ref])
    seen = client.get(address).context["form"]["seen"].value()
    assert client.post(address, {"starts": "2026-12-02 19:30", "seen": seen}).status_code == 302
    answer = client.post(address, {"starts": "2026-12-02 21:00", "seen": seen})
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "Someone else changed this" in page
    assert "2026-12-02 19:30" in page
    # What was typed is not lost: it is sent again, once its writer has seen how they stand.
    assert answer.context["form"]["starts"].value() == "2026-12-02 21:00"
    seen = answer.context["form"]["seen"].value()
    assert client.post(address, {"starts": "2026-12-02 21:00", "seen": seen}).status_code == 302
    assert client.post(address, {"starts": "", "seen": "noon"}).status_code == 200
    api = f"/api/v1/stages/{stage.ref}/starts/"
    assert client.post(api, {"starts": [], "seen": []}, JSON).status_code == 409
    known = list(client.get(f"/api/v1/stages/{stage.ref}/").json()["starts"].values())
    assert client.post(api, {"starts": [], "seen": known}, JSON).json()["starts"] == {}


def test_rounds_wait_or_not_at_the_log_that_was_seen(client):
    event = an_event(4, format_key="swiss_3")
    director = member(event.club, Role.DIRECTOR)
    stage = drawn(event)
    seen = StageRow.objects.get().head_seq
    let_rounds_wait(stage=stage, wait=True, user=director, seen=seen)
    win(open_pairings(stage)[0], director)
    with pytest.raises(StaleRefused):
        let_rounds_wait(stage=stage, wait=False, user=director, seen=seen)
    client.force_login(director)
    page = reverse("tournaments:round", args=[stage.ref])
    assert client.post(page, {"wait": "no", "seen": str(seen)}).status_code == 409
    api = f"/api/v1/stages/{stage.ref}/round/"
    assert client.put(api, {"manual": False, "seen": seen}, JSON).status_code == 409
    assert StageRow.objects.get().rounds_wait
    seen = client.get(api).json()["seen"]
    assert client.put(api, {"manual": False, "seen": seen}, JSON).json()["manual"] is False


def test_fees_of_a_stale_page_are_refused_with_those_that_stand(client):
    event = an_event(1, terms=FlightTerms(Fees(entry=1000)))
    director, entrant = member(event.club, Role.DIRECTOR), EntrantRow.objects.get()
    unpaid = {"payment": "open", "refunded": False}
    record_payment(entrant=entrant, user=director, payment=FeePayment.CASH, seen=unpaid)
    with pytest.raises(OvertakenRefused) as refused:
        record_payment(entrant=entrant, user=director, payment=FeePayment.TRANSFER, seen=unpaid)
    assert refused.value.parameters == {"payment": "cash", "refunded": False}
    client.force_login(director)
    form = reverse("tournaments:payment", args=[entrant.ref])
    page = client.get(reverse("tournaments:edit_entry", args=[entrant.ref])).content.decode()
    assert 'name="seen_payment" value="cash"' in page
    client.post(form, {"payment": "free", "seen_payment": "open", "seen_refunded": "no"})
    api = f"/api/v1/entrants/{entrant.ref}/payment/"
    assert client.post(api, {"payment": "free", "seen": unpaid}, JSON).status_code == 409
    assert EntrantRow.objects.get().payment == FeePayment.CASH
    client.post(form, {"refunded": "yes", "seen_payment": "cash", "seen_refunded": "no"})
    assert EntrantRow.objects.get().refunded_at is not None


def test_an_outdated_change_of_a_renamed_table_is_refused(client):
    event = an_event()
    director = member(event.club, Role.DIRECTOR)
    make_tables(event=event, last=1, user=director)
    change_table(event=event, number=1, user=director, name="Bar", seen={"name": ""})
    with pytest.raises(OvertakenRefused) as refused:
        change_table(event=event, number=1, user=director, name="Hall", seen={"name": ""})
    assert refused.value.parameters == {"name": "Bar", "featured": False, "closed": False}
    client.force_login(director)
    api = f"/api/v1/events/{event.ref}/tables/1/"
    assert client.post(api, {"name": "Hall", "seen": {"name": ""}}, JSON).status_code == 409
    assert EventTable.objects.get().name == "Bar"
    assert client.post(api, {"name": "Hall", "seen": {"name": "Bar"}}, JSON).json()["name"] == "Hall"


def test_a_line_up_of_a_stale_page_is_refused_with_the_one_that_stands(client):
    row, director = a_tie(boards=2, size=3)
    team = EntrantRow.objects.with_players().get(pk=row.a_id)
    first, second, third = team.players
    seen = line_up_of(row, team)
    assert seen == [first.ref, second.ref]
    set_line_up(pairing=row, entrant=team, players=[third, first], user=director, seen=seen)
    with pytest.raises(OvertakenRefused) as refused:
        set_line_up(pairing=row, entrant=team, players=[second, first], user=director, seen=seen)
    assert refused.value.parameters == {"players": [third.ref, first.ref]}
    client.force_login(director)
    page = client.get(reverse("tournaments:arrange", args=[row.ref])).content.decode()
    assert f'name="seen" value="{third.ref} {first.ref}"' in page
    sent = {"entrant": team.ref, "board_1": second.ref, "board_2": first.ref, "seen": " ".join(seen)}
    client.post(reverse("tournaments:line_up", args=[row.ref]), sent)
    body = {"entrant": team.ref, "players": [second.ref, first.ref], "seen": seen}
    assert client.post(f"/api/v1/pairings/{row.ref}/line-up/", body, JSON).status_code == 409
    assert line_up_of(row, team) == [third.ref, first.ref]


def test_only_a_time_that_was_shown_can_be_accepted(client):
    row = open_pairings(league("Ana", "Ben"))[0]
    shown, later = now() + timedelta(days=2), now() + timedelta(days=3)
    nothing = {"proposed_at": None, "agreed_at": None}
    propose_date(pairing=row, entrant=row.a, at=shown, seen=nothing)
    with pytest.raises(OvertakenRefused) as refused:
        propose_date(pairing=row, entrant=other_side(row), at=later, seen=nothing)
    assert refused.value.parameters == {"proposed_at": shown, "agreed_at": None}
    propose_date(pairing=row, entrant=row.a, at=later)
    with pytest.raises(OvertakenRefused):
        agree_date(pairing=row, entrant=other_side(row), seen={"proposed_at": shown})
    client.force_login(other_side(row).members.get().player.user)
    page = client.get(reverse("tournaments:arrange", args=[row.ref]))
    assert f'name="proposed_at" value="{later.isoformat()[:10]}' in page.content.decode()
    form = reverse("tournaments:meeting_time", args=[row.ref])
    client.post(form, {"answer": "yes", "proposed_at": shown.isoformat(), "agreed_at": ""})
    api = f"/api/v1/pairings/{row.ref}/time/"
    assert client.post(api, {"seen": {"proposed_at": shown.isoformat()}}, JSON).status_code == 409
    assert PairingRow.objects.get(pk=row.pk).agreed_at is None
    body = client.post(api, {"seen": {"proposed_at": later.isoformat()}}, JSON).json()
    assert body["agreed_at"] is not None
    assert body["agreed_at"] == body["proposed_at"]


def test_outdated_approval_does_not_replace_prizes_or_deals(client):
    flight, director = with_prizes()
    approve_prizes(flight=flight, user=director, seen={})
    with pytest.raises(OvertakenRefused) as refused:
        approve_prizes(flight=flight, user=director, seen={})
    assert refused.value.parameters == {"prizes": amounts(flight)}
    seen = amounts(flight)
    first, second = Prize.objects.order_by("-amount")
    half = {first.entrant.ref: 2000, second.entrant.ref: 2000}
    had = {first.entrant.ref: 2400, second.entrant.ref: 1600}
    make_deal(flight=flight, amounts=half, user=director, seen=had)
    with pytest.raises(OvertakenRefused):
        make_deal(flight=flight, amounts=had, user=director, seen=had)
    with pytest.raises(OvertakenRefused):
        approve_prizes(flight=flight, user=director, seen=seen)
    with pytest.raises(OvertakenRefused) as refused:
        pay_prize(prize=first, how=PaidHow.CASH, user=director, seen=2400)
    assert refused.value.parameters == {"amount": 2000}
    client.force_login(director)
    money = client.get(reverse("tournaments:money", args=[flight.event.ref])).content.decode()
    told = re.search(r'name="seen" value="([^"]*:[^"]*)"', money)
    assert told is not None
    assert set(told[1].split()) == {f"{ref}:2000" for ref in amounts(flight)}
    assert f'name="seen-{first.entrant.ref}" value="2000"' in money
    stale = " ".join(f"{ref}:{amount}" for ref, amount in seen.items())
    client.post(reverse("tournaments:approve", args=[flight.ref]), {"seen": stale})
    client.post(reverse("tournaments:prizes", args=[flight.event.ref]), {"seen": stale})
    client.post(reverse("tournaments:paid", args=[first.ref]), {"how": "cash", "seen": "2400"})
    client.post(reverse("tournaments:paid", args=[first.ref]), {"how": "cash", "seen": "²"})
    typed = {f"amount-{ref}": f"{cents // 100}" for ref, cents in had.items()}
    shown = {f"seen-{ref}": str(cents) for ref, cents in had.items()}
    stale_deal = client.post(reverse("tournaments:deal", args=[flight.ref]), typed | shown)
    # What was typed stays, beside what the prizes are by now.
    for ref, cents in had.items():
        assert f'name="amount-{ref}" value="{cents // 100}"' in stale_deal.content.decode()
        assert f'name="seen-{ref}" value="2000"' in stale_deal.content.decode()
    api = f"/api/v1/prizes/{first.ref}/payment/"
    assert client.put(api, {"how": "cash", "seen": 2400}, JSON).status_code == 409
    api = f"/api/v1/events/{flight.event.ref}/prizes/"
    assert client.post(api, {"seen": seen}, JSON).status_code == 409
    deal = [{"entrant": ref, "amount": cents, "seen": cents} for ref, cents in had.items()]
    assert client.post(f"/api/v1/flights/{flight.ref}/deal/", {"amounts": deal}, JSON).status_code == 409
    assert set(amounts(flight).values()) == {2000}
    assert not Prize.objects.exclude(paid_at=None).exists()
    client.post(reverse("tournaments:paid", args=[first.ref]), {"how": "cash", "seen": "2000"})
    assert Prize.objects.get(pk=first.pk).paid_how == PaidHow.CASH


@pytest.mark.django_db(transaction=True)
def test_two_directors_approve_the_prizes_at_once():
    flight, director = with_prizes()

    def approve():
        return approve_prizes(flight=flight, user=director, seen={})

    results = at_once(approve, approve)
    assert sorted(type(each).__name__ for each in results) == ["OvertakenRefused", "list"]
    assert sum(amounts(flight).values()) == 4000
