"""The pool shared out over main, consolation and last chance, or over the stages of a flight."""

import re
from dataclasses import replace
from html import unescape

import pytest
from django.urls import reverse

from clubs.models import Role
from tests.factories import member
from tests.tournaments.factories import a_player, an_event, drawn, flight_of, open_pairings, win
from tests.tournaments.pages.test_several_flights import EVENT, address
from tests.tournaments.stages.test_feeding import SWISS, fill_and_play, planned, play, stage_named
from tournaments.core.brackets.formats import Elimination
from tournaments.core.formats.table import format_of
from tournaments.core.prizes.pools import Fees, SidePool
from tournaments.core.stages.errors import DrawRefused
from tournaments.entries.services.entries import enter
from tournaments.events.plans import check_flight, prize_tables, single_flight
from tournaments.events.services.events import FlightTerms, plan_of
from tournaments.log.refusals import DeskRefused
from tournaments.models import DeskEvent, EntrantRow, Event, Flight, PaidHow, Prize
from tournaments.money.queries import balance_of
from tournaments.money.services.prizes import approve_prizes, pay_prize
from tournaments.money.services.shares import set_shares
from tournaments.stages.services.draws import draw_stage
from tournaments.stages.services.feeds import confirm_field
from tournaments.stages.services.stages import load, numbers_of

pytestmark = pytest.mark.django_db

SHARES = (("main", 70), ("consolation", 20), ("last chance", 10))


def by_source(flight):
    found: dict[str, int] = {}
    for source, amount in Prize.objects.filter(flight=flight).values_list("source", "amount"):
        found[source] = found.get(source, 0) + amount
    return found


def a_weekend():
    """Main, consolation and last chance of eight, played out; 90.09 in the pool."""
    event = an_event(8, format_key="last_chance", terms=FlightTerms(Fees(entry=1001), added=1001))
    director = member(event.club, Role.DIRECTOR)
    stage = drawn(event)
    while rows := open_pairings(stage):
        for row in rows:
            win(row, director)
    return flight_of(event), director, stage


def test_main_consolation_and_last_chance_have_their_shares_to_the_cent():
    flight, director, stage = a_weekend()
    set_shares(flight=flight, shares=SHARES, user=director)
    approve_prizes(flight=flight)
    assert by_source(flight) == {"main": 6306, "consolation": 1802, "last chance": 901}
    fmt = format_of(stage.format)
    assert isinstance(fmt, Elimination)
    first = next(place.entrant for place in fmt.table(load(stage), "consolation") if place.first == 1)
    assert Prize.objects.get(source="consolation", amount=1802).entrant == numbers_of(stage)[first]
    found = balance_of(flight)
    assert (found.approved, found.difference, found.mismatched) == (found.pools, 0, ())


def test_shares_change_until_a_prize_is_paid():
    flight, director, _stage = a_weekend()
    approve_prizes(flight=flight)
    assert by_source(flight) == {"main": 9009}
    set_shares(flight=flight, shares=SHARES, user=director)
    assert not Prize.objects.exists()
    prize = approve_prizes(flight=flight)[0]
    entry = DeskEvent.objects.get(kind="shares")
    assert (entry.user, entry.body["shares"]) == (director, dict(SHARES))
    pay_prize(prize=prize, how=PaidHow.CASH, user=director)
    with pytest.raises(DeskRefused, match="already been paid"):
        set_shares(flight=flight, shares=(), user=director)


@pytest.mark.parametrize(
    ("shares", "words"),
    [
        ((("main", 70), ("losers", 30)), "no prize table “losers”"),
        ((("main", 70), ("consolation", 20)), "add up to 90%"),
        ((("main", 70), ("main", 30)), "one share"),
    ],
)
def test_shares_that_cannot_be_are_refused(shares, words):
    flight, director, _stage = a_weekend()
    with pytest.raises(DeskRefused, match=words):
        set_shares(flight=flight, shares=shares, user=director)
    with pytest.raises(DrawRefused, match=words):
        check_flight(single_flight("last_chance", 5, shares=shares))


def test_a_side_pool_has_no_name_of_the_main_pool():
    with pytest.raises(DrawRefused, match="cannot be named consolation"):
        check_flight(single_flight("knockout", 5, pools=(SidePool("consolation", 100),)))


def test_a_stage_has_a_share_and_is_waited_for():
    plan = replace(SWISS, fees=Fees(entry=1000), shares=(("main", 75), ("Consolation", 25)))
    assert prize_tables(plan.stages) == ("main", "Swiss", "Consolation")
    flight, director = planned(plan, 6)
    play(draw_stage(stage=stage_named(flight, "Swiss"), user=director), director)
    fill_and_play(flight, director, "Cup")
    with pytest.raises(DeskRefused, match="The last match is not finished"):
        approve_prizes(flight=flight)
    confirm_field(user=None, stage=stage_named(flight, "Consolation"))
    rest = draw_stage(stage=stage_named(flight, "Consolation"), user=director)
    play(rest, director)
    approve_prizes(flight=flight)
    assert by_source(flight) == {"main": 4500, "Consolation": 1500}
    assert plan_of(flight.event).flights[0].shares == plan.shares


def test_the_share_of_a_draw_that_is_not_needed_is_the_main_tables():
    plan = replace(SWISS, fees=Fees(entry=1000), shares=(("main", 75), ("Consolation", 25)))
    flight, director = planned(plan, 3)
    play(draw_stage(stage=stage_named(flight, "Swiss"), user=director), director)
    fill_and_play(flight, director, "Cup")
    approve_prizes(flight=flight)
    assert by_source(flight) == {"main": 3000}


def test_the_money_page_and_the_api_share_the_pool_out(client):
    flight, director, _stage = a_weekend()
    client.force_login(director)
    money = reverse("tournaments:money", args=[flight.event.ref])
    shown = client.get(money).content.decode()
    assert re.findall(r'name="share-(\w+)"', shown) == ["main", "consolation", "last_chance"]
    form = reverse("tournaments:shares", args=[flight.ref])
    assert (
        client.post(
            form, {"share-main": "60", "share-consolation": "40", "share-last_chance": ""}
        ).status_code
        == 302
    )
    flight.refresh_from_db()
    assert flight.shares == {"main": 60, "consolation": 40}
    log = client.get(reverse("tournaments:log", args=[flight.event.ref])).content.decode()
    assert "main 60%, consolation 40%" in log
    api = f"/api/v1/flights/{flight.ref}/shares/"
    body = client.put(api, {"shares": dict(SHARES)}, "application/json").json()
    assert body["shares"] == dict(SHARES)
    assert client.put(api, {"shares": {"main": 99}}, "application/json").status_code == 409


def test_shares_that_are_refused_stay_typed(client):
    flight, director, _stage = a_weekend()
    set_shares(flight=flight, shares=SHARES, user=director)
    client.force_login(director)
    form = reverse("tournaments:shares", args=[flight.ref])
    for typed, words in (
        ({"share-main": "60", "share-consolation": "41"}, "The shares add up to 101%, not 100%."),
        ({"share-main": "lots", "share-consolation": "41"}, "A share is a percentage from 0 to 100."),
        ({"share-main": "60", "share-consolation": "40", "seen": "{}"}, "Someone else changed this"),
    ):
        answer = client.post(form, typed)
        text = " ".join(answer.content.decode().split())
        assert (answer.status_code, words in text) == (409, True), text
        assert "Current split: Main pool 70, Consolation 20, Last chance 10" in text
        assert f'name="share-consolation" value="{typed["share-consolation"]}"' in text
        assert "You typed" not in text
    # A page of before, whose form had one field for all, changes nothing.
    assert client.post(form, {"shares": "main 100"}).status_code == 409
    EntrantRow.objects.update(payment="cash")
    pay_prize(prize=approve_prizes(flight=flight)[0], how=PaidHow.CASH, user=director)
    late = client.post(form, {"share-main": "60", "share-consolation": "<40"}).content.decode()
    assert "You typed: Main pool 60, Consolation &lt;40" in late
    flight.refresh_from_db()
    assert flight.shares == dict(SHARES)
    none = {"share-main": "", "share-consolation": "0", "share-last_chance": ""}
    Prize.objects.all().delete()
    assert client.post(form, none).status_code == 302
    flight.refresh_from_db()
    assert flight.shares == {}


@pytest.mark.parametrize(
    "name", ["Cup, plate 20", "a=b", "two\nlines", "main 70", "70", "share-main", "“50%”"]
)
def test_any_name_of_a_stage_has_a_share_on_the_page(client, name):
    first, *others = SWISS.stages
    plan = replace(SWISS, stages=(replace(first, name=name), *others), fees=Fees(entry=1000))
    flight, director = planned(plan, 2)
    client.force_login(director)
    api, body = f"/api/v1/flights/{flight.ref}/shares/", {"main": 80, name: 20}
    assert client.put(api, {"shares": body}, "application/json").json()["shares"] == body
    page = client.get(reverse("tournaments:money", args=[flight.event.ref])).content.decode()
    field = f"share-{stage_named(flight, name).ref}"
    assert re.search(rf'name="{field}" value="20"', page)
    seen = re.search(r'name="seen" value="([^"]*main[^"]*)"', page)
    assert seen is not None
    sent = {"share-main": "70", field: "30", "seen": unescape(seen[1])}
    assert client.post(reverse("tournaments:shares", args=[flight.ref]), sent).status_code == 302
    flight.refresh_from_db()
    assert flight.shares == {"main": 70, name: 30}


def test_the_wizard_takes_shares(client, directed):
    wrong = client.post(address(directed), EVENT | {"shares": "main 70, plate 30"})
    assert "no prize table" in wrong.content.decode()
    assert not Event.objects.exists()
    client.post(address(directed), EVENT | {"shares": "Main 80, last chance 20"})
    assert Flight.objects.get().shares == {"main": 80, "last chance": 20}


def test_a_stage_named_main_is_not_paid_the_main_prizes_once_more():
    first, *others = SWISS.stages
    pools = (SidePool("high", 100),)
    plan = replace(SWISS, stages=(replace(first, name="main"), *others), fees=Fees(entry=1000), pools=pools)
    flight, director = planned(plan, 6)
    play(draw_stage(stage=stage_named(flight, "main"), user=director), director)
    fill_and_play(flight, director, "Cup", "Consolation")
    approve_prizes(flight=flight)
    assert by_source(flight) == {"main": 6000}


def test_a_side_pool_that_is_entered_twice_is_entered_once():
    plan = replace(SWISS, pools=(SidePool("high", 100),))
    flight, _director = planned(plan, 1)
    player = a_player(flight.event.club, "Twice")
    assert enter(flight=flight, players=[player], pools=["high", "high"]).pools == ["high"]


@pytest.mark.long
def test_stages_and_pools_with_long_names_that_begin_alike_are_all_paid():
    alike = "Consolation of those who lost in the very first round"
    names = {"Swiss": f"{alike}, 1", "Consolation": f"{alike}, 2"}
    stages = tuple(
        replace(
            stage,
            name=names.get(stage.name, stage.name),
            feeds=tuple(replace(rule, into=names.get(rule.into, rule.into)) for rule in stage.feeds),
        )
        for stage in SWISS.stages
    )
    first, second = names.values()
    pool = "x" * 60
    plan = replace(
        SWISS,
        stages=stages,
        fees=Fees(entry=1000),
        shares=(("main", 50), (first, 30), (second, 20)),
        pools=(SidePool(pool, 100),),
    )
    flight, director = planned(plan, 6)
    EntrantRow.objects.update(pools=[pool])
    play(draw_stage(stage=stage_named(flight, first), user=director), director)
    fill_and_play(flight, director, "Cup", second)
    approve_prizes(flight=flight)
    assert by_source(flight) == {"main": 3000, first: 1800, second: 1200, pool: 600}
    assert balance_of(flight).difference == 0
