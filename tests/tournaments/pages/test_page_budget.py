"""The pages of an event of 64 keep within their queries and bytes; their times are measured by a bench."""

from dataclasses import replace
from gzip import compress

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.timezone import now

from clubs.models import Role
from deploy.benches.event import drawn_event
from deploy.benches.event_pages import all_pages_of, pages_of, playing
from tests.factories import ClubFactory, member
from tests.tiers import sized
from tests.tournaments.factories import enter_new_players, open_pairings, win
from tournaments.core.prizes.pools import Fees, SidePool
from tournaments.desk.services.calls import call
from tournaments.desk.services.rulings import rule_on
from tournaments.events.plans import EventPlan, single_flight
from tournaments.events.services.events import announce
from tournaments.models import StageRow
from tournaments.money.services.prizes import approve_prizes
from tournaments.stages.services.draws import draw_stage
from tournaments.stages.services.stages import forget_folded
from tournaments.stages.views import drawings

pytestmark = pytest.mark.django_db

PLAYERS = 64
MOST_QUERIES = 8
MOST_QUERIES_OF_A_PREVIEW = 21
"""What follows from an undone result: with the draw, the ratings of the club are replayed."""
MOST_BYTES = 100_000


@pytest.mark.parametrize("format_key", sized(["last_chance"], ["last_chance", "swiss"]))
def test_every_page_keeps_its_budget_after_a_result(format_key):
    club = ClubFactory.create()
    stage, director = drawn_event(club, PLAYERS, format_key), member(club, Role.DIRECTOR)
    clients = {"visitor": Client(), "director": Client(), "player": playing(stage)}
    clients["director"].force_login(director)
    call(pairing=open_pairings(stage)[0], user=director)
    pages = pages_of(stage)
    asked = {}
    for name, address in pages.items():
        for viewer, client in clients.items():
            if name == "desk" and viewer != "director":
                continue
            client.get(address)
            win(open_pairings(stage)[-1], director)
            with CaptureQueriesContext(connection) as queries:
                page = client.get(address)
            asked[name, viewer] = len(queries)
            assert page.status_code == 200, name
            assert len(compress(page.content, 6)) <= MOST_BYTES, (name, viewer)
    by_director = queries_of(of_a_director(stage, director), clients["director"])
    assert by_director.pop("reopen") <= MOST_QUERIES_OF_A_PREVIEW
    assert max(by_director.values()) <= MOST_QUERIES, by_director
    over = {key: count for key, count in asked.items() if count > MOST_QUERIES}
    assert over == {}


def of_a_director(stage, director):
    """Pages that a director opens from the desk, by name."""
    pairing = stage.pairings.filter(state="decided").latest("pk")
    ruled = rule_on(event=stage.flight.event, user=director, happened="A", decision="B", pairing=pairing)
    event, match = {"event": stage.flight.event.ref}, {"pairing": pairing.ref}
    named = {"pairing": match, "result": match, "overlay": match, "reopen": match}
    named |= {"log": event, "new_ruling": event, "ruling": event | {"seq": ruled.seq}, "conduct": event}
    named |= {"entries": event, "money": event, "settlement": event}
    named |= {"edit_entry": {"entrant": pairing.a.ref}, "change_flight": {"flight": stage.flight.ref}}
    return {name: reverse(f"tournaments:{name}", kwargs=arguments) for name, arguments in named.items()}


def queries_of(pages, client):
    """How many queries each of these pages takes, with nothing that an earlier page has kept."""
    asked = {}
    for name, address in pages.items():
        forget_folded()
        with CaptureQueriesContext(connection) as queries:
            page = client.get(address)
        asked[name] = len(queries)
        assert page.status_code == 200, name
        assert len(compress(page.content, 6)) <= MOST_BYTES, name
    return asked


@pytest.mark.parametrize("divisions", sized([2], [1, 5]))
def test_no_page_costs_a_query_more_for_several_divisions_in_any_state(divisions):
    club = ClubFactory.create()
    director = member(club, Role.DIRECTOR)
    plan = replace(single_flight("knockout", 3), fees=Fees(entry=1000), pools=(SidePool("jackpot", 500),))
    flights = tuple(replace(plan, name=f"D{number}") for number in range(divisions))
    event = announce(club=club, plan=EventPlan("Open", now(), flights))
    for flight in event.flights.all():
        enter_new_players(flight, [f"{flight.name} {number}" for number in range(2)])
    stages = list(StageRow.objects.filter(flight__event=event))
    clients = Client(), playing(stages[0])
    clients[0].force_login(director)
    asked, texts = dict[str, int](), dict[str, str]()

    def ask(state):
        for name, address in all_pages_of(stages[0]).items():
            for viewer, client in zip(("director", "player"), clients, strict=True):
                forget_folded()
                drawings.forget_drawing(StageRow.objects.select_related("flight__event").get(pk=stages[0].pk))
                with CaptureQueriesContext(connection) as queries:
                    page = client.get(address)
                if page.status_code == 200:
                    asked[f"{state} {name} {viewer}"], texts[f"{state} {name}"] = len(queries), page.text

    if sized(short=False, long=True):
        ask("open")
    rows = [open_pairings(draw_stage(stage=stage, user=director))[0] for stage in stages]
    if sized(short=False, long=True):
        ask("running")
    for row in rows:
        win(row, director)
    ask("waiting")
    if sized(short=False, long=True):
        for flight in event.flights.all():
            approve_prizes(flight=flight, user=director)
        ask("finished")
    assert texts["waiting desk"].count("owes") >= divisions
    assert texts["waiting report"].count("D0 1") >= 1
    asked |= queries_of(of_a_director(stages[-1], director), clients[0])
    assert asked.pop("reopen") <= MOST_QUERIES_OF_A_PREVIEW
    assert {name: count for name, count in asked.items() if count > MOST_QUERIES} == {}
