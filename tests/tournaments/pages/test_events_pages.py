"""The pages of events: what they show, how many queries they need, what they refuse."""

import re
from datetime import UTC, datetime

import pytest
from django.urls import reverse

from clubs.models import Role
from scoring.models import Match
from tests.factories import ClubFactory, member
from tests.tournaments.factories import (
    a_player,
    an_event,
    drawn,
    flight_of,
    open_pairings,
    other_side,
    pairing,
    win,
)
from tournaments.core.prizes.pools import Fees
from tournaments.core.proof.check import check_text
from tournaments.desk.services.results import reopen_result
from tournaments.entries.services.entries import enter
from tournaments.events.event_templates import TEMPLATES, template
from tournaments.events.plans import EventPlan, single_flight
from tournaments.events.queries.events import stages_of
from tournaments.events.services.events import FlightTerms, announce, join_flight
from tournaments.models import EntrantRow, Event, PairingRow, StageRow
from tournaments.stages.services.draws import draw_stage
from tournaments.stages.services.stages import forget_folded

pytestmark = pytest.mark.django_db


def words(response):
    return " ".join(response.content.decode().split())


def test_the_chooser_compares_formats(client):
    page = words(client.get(reverse("tournaments:formats"), {"entrants": "6", "length": "3"}))
    assert "6 entrants, matches to 3" in page
    assert page.index("Swiss, three rounds") < page.index("Round robin</strong>")
    assert "Suits 6" in page
    assert "Possible: Consolation: only 2 entrants" in page
    assert "Not sensible for 6: too few entrants for: Last chance" in page


def test_the_chooser_and_the_api_say_which_formats_suit_and_how_they_are_drawn(client):
    asked = {"entrants": "24", "length": "5", "tables": "4", "clocks": "on", "consolation_rounds": "4"}
    page = words(client.get(reverse("tournaments:formats"), asked))
    answer = client.get("/api/v1/formats/", asked)
    assert answer.status_code == 200
    found = {each["format"]: each for each in answer.json()["formats"]}
    for each in found.values():
        assert each["verdict"] in page
    templates = {each["template"]: each for each in answer.json()["templates"]}
    assert templates.keys() == TEMPLATES.keys()
    assert templates["jackpot_8"]["verdict"] == "Possible: 3 draws of 8, one after the other"
    assert found["round_robin"]["suitability"] == "not_sensible"
    assert found["round_robin"]["verdict"].startswith("Not sensible for 24: 23 matches per player")
    assert {"code": "matches_each", "count": 23}.items() <= found["round_robin"]["reasons"][0].items()
    assert found["knockout"]["reasons"][0]["text"] == "8 matches at once, but only 4 tables"
    shape = {each["section"]: each for each in found["last_chance"]["sections"]}
    assert shape["consolation"]["matches"] == [8, 4, 4, 2, 2, 1]
    assert shape["last chance"]["fed_by"] == [{"section": "consolation", "round": 1}]
    assert "Main 24, Consolation 22, Last chance 8" in page
    for wrong in ({"entrants": "1"}, {"entrants": "257"}, {}, {"entrants": "8", "colour": "red"}):
        assert client.get("/api/v1/formats/", wrong).status_code == 400


@pytest.mark.parametrize("entrants", ["1", "257", "many", ""])
def test_the_chooser_names_what_it_cannot_read(client, entrants):
    asked = {"entrants": entrants, "length": "3"}
    headers = {"HX-Request": "true", "HX-Target": "compared"}
    page = words(client.get(reverse("tournaments:formats"), asked))
    part = words(client.get(reverse("tournaments:formats"), asked, headers=headers))
    assert 'class="errorlist" id="id_entrants_error"' in page
    assert 'class="errorlist" id="id_entrants_error"' in part
    assert "<table" not in page


def test_a_director_announces_an_event_in_the_clubs_time(client):
    club = ClubFactory.create(tz="Europe/Berlin", currency="JPY")
    client.force_login(member(club, Role.DIRECTOR))
    form = {
        "name": "Winter Cup",
        "starts_at": "2026-12-02T19:30",
        "format_key": "swiss_3",
        "length": "5",
        "returned": "90",
        "entry_fee": "1500",
    }
    response = client.post(reverse("tournaments:new_event", args=[club.slug]), form, follow=True)
    event = Event.objects.get()
    assert event.starts_at.isoformat() == "2026-12-02T18:30:00+00:00"
    assert flight_of(event).entry_fee == 1500
    assert StageRow.objects.get().options == {"rounds": 3, "seeding": "lot"}
    page = words(response)
    assert "Winter Cup is announced" in page
    proof = words(client.get(event.get_absolute_url(), {"tab": "info"}))
    assert StageRow.objects.get().seed_hash in proof
    assert StageRow.objects.get().seed not in page + proof


def test_a_member_enters_and_takes_it_back(client):
    event = an_event(1)
    user = member(event.club)
    client.force_login(user)
    page = words(client.post(reverse("tournaments:enter", args=[event.ref]), follow=True))
    assert "You have entered." in page
    entrant = EntrantRow.objects.get(members__player__user=user)
    client.post(reverse("tournaments:enter", args=[event.ref]))
    assert EntrantRow.objects.filter(members__player__user=user).count() == 1
    client.post(reverse("tournaments:leave", args=[entrant.ref]))
    entrant.refresh_from_db()
    assert entrant.state == "withdrawn"


def test_nobody_takes_another_entry_back(client):
    event = an_event(2)
    client.force_login(member(event.club))
    entrant = EntrantRow.objects.all()[0]
    assert client.post(reverse("tournaments:leave", args=[entrant.ref])).status_code == 403


def test_an_evening_at_the_desk(client):
    event = an_event(4, terms=FlightTerms(Fees(entry=1000)))
    director = member(event.club, Role.DIRECTOR)
    client.force_login(director)
    stage = StageRow.objects.get()
    page = words(client.post(reverse("tournaments:draw_one", args=[stage.ref]), follow=True))
    assert "Semi-finals" in page
    stage.refresh_from_db()
    assert stage.seed in words(client.get(event.get_absolute_url(), {"tab": "info"}))
    row = pairing(stage, 1)
    address = reverse("tournaments:result", args=[row.ref])
    form = {"ended": "played", "a_points": "3", "b_points": "1"}
    shown = client.post(address, form)
    assert "What this changes" in words(shown)
    assert PairingRow.objects.filter(state="decided").count() == 0
    client.post(address, form | {"commit": "", "seen": str(stage.head_seq)})
    assert pairing(stage, 1).winner == row.a
    stale = client.post(address, form | {"commit": "", "seen": "1", "reason": "again"})
    assert stale.status_code == 409
    assert "Someone else changed this draw" in words(stale)
    win(pairing(stage, 2), director)
    win(open_pairings(stage)[0], director)
    page = words(client.post(reverse("tournaments:prizes", args=[event.ref]), follow=True))
    assert "40.00 EUR" in page[page.index('class="podium"') : page.index('class="tree')], "who won what"
    champion = pairing(stage, 3).winner
    assert champion
    won = f'<span class="place">1.</span> <bdi>{champion.title}</bdi> <span class="amount">40.00 EUR'
    for tab, said in (("standings", "Final standing"), ("prizes", won)):
        assert said in words(client.get(event.get_absolute_url(), {"tab": tab}))


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"ended": "played", "a_points": "2", "b_points": "1"}, "2–1 is not a valid score"),
        ({"ended": "played", "a_points": "3", "b_points": "3"}, "3–3 is not a valid score"),
        ({"ended": "played", "a_points": "3"}, "Enter the points of both sides"),
        ({"ended": "retired"}, "Choose a player"),
        ({"ended": "asleep"}, "asleep"),
    ],
)
def test_a_result_that_cannot_be_is_named(client, form, said):
    event = an_event(4)
    client.force_login(member(event.club, Role.DIRECTOR))
    row = open_pairings(drawn(event))[0]
    assert said in words(
        client.post(reverse("tournaments:result", args=[row.ref]), form | {"commit": "", "seen": "1"})
    )
    assert not Match.objects.filter(status="finished").exists()


def test_a_locked_correction_shows_what_hangs_on_it(client):
    event = an_event(4)
    director = member(event.club, Role.DIRECTOR)
    client.force_login(director)
    stage = drawn(event)
    for row in open_pairings(stage):
        win(row, director)
    win(open_pairings(stage)[0], director)
    address = reverse("tournaments:result", args=[pairing(stage, 1).ref])
    form = {"ended": "played", "a_points": "0", "b_points": "3", "reason": "protest", "commit": ""}
    form["seen"] = str(StageRow.objects.get().head_seq)
    refused = client.post(address, form)
    assert refused.status_code == 409
    assert "already paired or played" in words(refused)
    client.post(address, form | {"decided": "on"})
    assert pairing(stage, 1).winner == pairing(stage, 1).b


def test_anybody_can_check_the_draw(client):
    stage = drawn(an_event(4))
    response = client.get(reverse("tournaments:archive", args=[stage.ref]))
    assert check_text(response.content.decode()).accepted
    assert "P1" not in response.content.decode()


def test_a_planned_stage_has_no_archive(client):
    event = an_event(4)
    address = reverse("tournaments:archive", args=[StageRow.objects.get(flight__event=event).ref])
    assert client.get(address).status_code == 409


@pytest.mark.parametrize("players", [4, 16])
@pytest.mark.parametrize(("tab", "queries"), [("", 6), ("matches", 5), ("standings", 5), ("players", 4)])
def test_queries_of_the_event_page(client, django_assert_num_queries, players, tab, queries):
    event = an_event(players)
    director = member(event.club, Role.DIRECTOR)
    for row in open_pairings(drawn(event)):
        win(row, director)
    with django_assert_num_queries(queries):
        client.get(event.get_absolute_url(), {"tab": tab} if tab else {})


@pytest.mark.parametrize("players", [4, 16])
def test_queries_of_an_event_that_is_over(client, django_assert_num_queries, players):
    event = an_event(players)
    stage, director = drawn(event), member(event.club, Role.DIRECTOR)
    while rows := open_pairings(stage):
        win(rows[0], director)
    with django_assert_num_queries(6):
        page = words(client.get(event.get_absolute_url()))
    stage.refresh_from_db()
    winner = open_final(stage).winner.title
    assert page.index(winner) < page.index('class="tree'), "the winner stands above the bracket"


def open_final(stage):
    return stage.pairings.current().order_by("-number")[0]


@pytest.mark.parametrize("events", [1, 4])
def test_queries_of_the_list(client, django_assert_num_queries, events):
    for _ in range(events):
        an_event(2, terms=FlightTerms(Fees(entry=1000)))
    with django_assert_num_queries(5):
        page = words(client.get(reverse("tournaments:events")))
    assert page.count("Knockout, to 3 · 10.00 EUR") == events


def test_a_listed_event_of_several_stages_names_their_formats_once(client):
    plan = EventPlan(
        "Cup", datetime(2027, 5, 5, 17, tzinfo=UTC), (template("groups_then_knockout").flight(3),)
    )
    announce(club=ClubFactory.create(), plan=plan)
    assert "Round robin + Knockout, to 3" in words(client.get(reverse("tournaments:events")))


@pytest.mark.parametrize("events", [1, 3])
@pytest.mark.parametrize("format_key", ["knockout", "swiss_3"])
def test_a_past_event_names_its_winner_for_constant_queries(
    client, django_assert_num_queries, events, format_key
):
    club = ClubFactory.create()
    for _ in range(events):
        stage = drawn(an_event(2, club=club, format_key=format_key))
        while rows := open_pairings(stage):
            win(rows[0], member(club, Role.DIRECTOR), a=rows[0].a.title == "P2")
    forget_folded()
    with django_assert_num_queries(9):
        page = words(client.get(reverse("tournaments:events")))
    assert page.count("2 entrants · Won by <bdi>P2</bdi>") == events
    with django_assert_num_queries(8):
        again = words(client.get(reverse("tournaments:events")))
    assert again.count("Won by") == events


@pytest.mark.long
def test_a_past_events_winner_follows_the_standings(client):
    event = an_event(2)
    row, director = open_pairings(drawn(event))[0], member(event.club, Role.DIRECTOR)
    lists = [reverse("tournaments:club_events", args=[event.club.slug]), event.club.get_absolute_url()]
    for a in (True, False):
        win(row, director, a=a, reason="the slip said so")
        won = (row.a if a else other_side(row)).title
        assert [f"Won by <bdi>{won}</bdi>" in words(client.get(address)) for address in lists] == [True, True]
        row = pairing(row.stage, row.number)
    reopen_result(
        pairing=row, seen=StageRow.objects.get(pk=row.stage_id).head_seq, user=director, reason="the slip"
    )
    assert not any("Won by" in words(client.get(address)) for address in lists)


def test_a_director_opens_the_desk_of_a_running_event_from_the_list(client):
    event = drawn(an_event(4)).flight.event
    desk = reverse("tournaments:desk", args=[event.ref])
    for address in (
        reverse("tournaments:events"),
        reverse("tournaments:club_events", args=[event.club.slug]),
    ):
        client.force_login(member(event.club))
        assert desk not in words(client.get(address))
        client.force_login(member(event.club, Role.DIRECTOR))
        assert f'href="{desk}"' in words(client.get(address))


def test_every_draw_is_reached_from_the_page_of_its_event(client):
    event = an_event(4)
    flight = join_flight(event=event, plan=single_flight("swiss_3", 3, name="Novices"), user=None)
    for number in range(4):
        enter(flight=flight, players=[a_player(event.club, f"Q{number}")])
    stages = [draw_stage(stage=stage, user=None) for stage in stages_of(event)]
    page = client.get(event.get_absolute_url()).content.decode()
    for stage in stages:
        assert f"?tab=draw&amp;stage={stage.ref}" in page
        for tab in ("draw", "matches"):
            shown = words(client.get(event.get_absolute_url(), {"tab": tab, "stage": stage.ref}))
            own = stage.numbers.get(number=1).entrant.title
            assert own in shown, "the draw that was asked for"
            here = f'hx-get="{event.get_absolute_url()}?tab={tab}&amp;stage={stage.ref}"'
            assert here in shown, "what is fetched again is the same draw"


@pytest.mark.parametrize("key", ["double", "round_robin", "swiss_3"])
def test_the_draw_itself_is_on_the_page_of_its_event(client, key):
    stage = drawn(an_event(6, format_key=key))
    event = stage.flight.event
    page = words(client.get(event.get_absolute_url()))
    first = {"double": 'class="tree tree-matches"', "round_robin": 'class="against"', "swiss_3": "Round 1"}[
        key
    ]
    assert page.index('<nav class="tabs') < page.index(first)
    row = open_pairings(stage)[0]
    link = f'href="{reverse("tournaments:pairing", args=[row.ref])}"'
    assert link in page
    assert link in words(client.get(event.get_absolute_url(), {"tab": "matches"}))


def test_each_tab_is_an_address_and_what_is_none_is_refused(client):
    event = an_event(4, terms=FlightTerms(Fees(entry=1000)))
    assert "The seed of the draw is already fixed" in words(
        client.get(event.get_absolute_url(), {"tab": "info"})
    )
    drawn(event)
    page = words(client.get(event.get_absolute_url()))
    for tab in ("matches", "standings", "players", "prizes", "info"):
        assert f'href="{event.get_absolute_url()}?tab={tab}"' in page
        shown = words(client.get(event.get_absolute_url(), {"tab": tab}))
        assert f'href="{event.get_absolute_url()}?tab={tab}" aria-current="page"' in shown
    assert client.get(event.get_absolute_url(), {"tab": "everything"}).status_code == 404


def test_a_tab_that_the_event_has_not_yet_is_its_first_one(client):
    event = an_event(4)
    client.force_login(member(event.club, Role.DIRECTOR))
    assert "aria-current" in words(client.get(event.get_absolute_url(), {"tab": "prizes"}))
    page = words(client.get(event.get_absolute_url(), {"tab": "draw"}))
    assert f'href="{event.get_absolute_url()}" aria-current="page">Players' in page


def test_a_form_of_a_tab_leads_back_to_it(client):
    event = an_event(4)
    client.force_login(member(event.club, Role.DIRECTOR))
    drawn(event)
    entrant = EntrantRow.objects.order_by("pk")[0]
    tab = f"{event.get_absolute_url()}?tab=players"
    sent = {"Referer": f"http://testserver{tab}"}
    address = reverse("tournaments:leave", args=[entrant.ref])
    assert client.post(address, headers=sent).headers["Location"] == tab
    for elsewhere in ("http://testserver/?tab=players", f"http://testserver{event.get_absolute_url()}?tab=x"):
        back = client.post(reverse("tournaments:back", args=[entrant.ref]), headers={"Referer": elsewhere})
        assert back.headers["Location"] == event.get_absolute_url()
        client.post(address)


def test_the_head_and_the_draw_are_fetched_by_themselves(client):
    event = an_event(4)
    drawn(event)
    for part in ("event-now", "stage"):
        headers = {"HX-Request": "true", "HX-Target": part}
        shown = words(client.get(event.get_absolute_url(), headers=headers))
        assert shown.startswith(f'<div id="{part}"')


def test_who_won_is_said_of_every_draw_that_is_over(client):
    event = an_event(12, format_key="progressive")
    stage, director = drawn(event), member(event.club, Role.DIRECTOR)
    while rows := open_pairings(stage):
        assert 'class="podium"' not in words(client.get(event.get_absolute_url()))
        win(rows[0], director)
    page = words(client.get(event.get_absolute_url()))
    podiums = re.findall(r'<section class="podium".*?</section>', page)
    assert len(podiums) == 2
    assert all('class="winner"' in podium for podium in podiums)


def test_nobody_wins_a_consolation_that_one_entrant_alone_came_into(client):
    stage = drawn(an_event(3, format_key="consolation"))
    event, director = stage.flight.event, member(stage.flight.event.club, Role.DIRECTOR)
    while rows := open_pairings(stage):
        win(rows[0], director)
    page = words(client.get(event.get_absolute_url()))
    assert len(re.findall(r'<section class="podium".*?</section>', page)) == 1
    assert "Consolation" not in page.partition('<nav class="tabs')[0]


def test_while_rounds_are_played_they_come_before_the_standings_and_the_first_to_play_before_all(client):
    for key in ("swiss_3", "round_robin"):
        stage = drawn(an_event(6, format_key=key))
        event = stage.flight.event
        page = words(client.get(event.get_absolute_url()))
        assert page.index('id="r-round-1"') < page.index('id="standing"')
        assert f'href="{event.get_absolute_url()}?tab=standings"' in page
        assert 'id="standing"' in words(client.get(event.get_absolute_url(), {"tab": "standings"}))
        director = member(event.club, Role.DIRECTOR)
        for row in open_pairings(stage)[:3]:
            win(row, director)
        page = words(client.get(event.get_absolute_url()))
        assert page.index('id="r-round-2"') < page.index('id="r-round-1"')


def test_times_on_a_draw_and_on_the_wall_are_the_venues(client):
    stage = drawn(an_event(4))
    event = stage.flight.event
    Event.objects.filter(pk=event.pk).update(zone="Asia/Tokyo", version=99)
    row = open_pairings(stage)[0]
    row.table, row.called_at = 3, datetime(2026, 12, 2, 19, 30, tzinfo=UTC)
    row.save()
    assert "04:30" in client.get(stage.get_absolute_url()).content.decode()
    wall = client.get(reverse("tournaments:wall", args=[event.ref])).content.decode()
    assert '"zone": "Asia/Tokyo"' in wall
    assert "04:30" in wall
