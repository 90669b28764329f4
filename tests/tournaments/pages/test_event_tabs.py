"""The tabs of an event's page: what each one shows of the draw, and in which words."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.timezone import now

from clubs.models import Player, Role
from clubs.models.club import Openness
from scoring.rules.endings import Ending
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
from tournaments.desk.services.departures import leave
from tournaments.desk.services.tables import make_tables
from tournaments.entries.services.check_ins import check_in
from tournaments.entries.services.entries import enter
from tournaments.events.plans import single_flight
from tournaments.events.services.events import FlightTerms, join_flight
from tournaments.models import EntrantRow, Event, EventStatus, FeePayment, Flight, PairingRow, StageRow
from tournaments.money.queries import planned_prizes
from tournaments.pages.queries.entrant_standings import standings
from tournaments.pages.queries.match_list import match_list
from tournaments.stages.queries.stage_picture import picture_of
from tournaments.stages.services.draws import draw_stage
from tournaments.stages.services.stages import load

pytestmark = pytest.mark.django_db


def words(response):
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def tab(client, event, key):
    return client.get(event.get_absolute_url(), {"tab": key})


def picture(stage):
    stage = StageRow.objects.select_related("flight__event__club").get(pk=stage.pk)
    return picture_of(stage, load(stage))


def test_a_match_on_a_table_stands_in_the_same_words_in_list_and_bracket(client):
    stage = drawn(an_event(4))
    PairingRow.objects.filter(pk=pairing(stage, 1).pk).update(table=5, called_at=now() - timedelta(minutes=7))
    event = stage.flight.event
    shown = words(tab(client, event, "matches"))
    assert "In progress 1" in shown
    assert "Table 5 · 7 min" in shown
    assert "Not started 1" in shown
    assert "to be played" not in shown
    assert "Table 5 ·" in words(client.get(event.get_absolute_url()))


@pytest.mark.parametrize("key", ["knockout", "progressive", "double", "round_robin", "swiss_3", "lives"])
def test_every_match_of_a_draw_is_in_the_list_once_from_the_draw_to_the_end(key):
    event = an_event(7, format_key=key)
    stage, director = drawn(event), member(event.club, Role.DIRECTOR)
    for _ in range(60):
        shown, found = picture(stage), match_list(picture(stage))
        listed = [*found.playing, *found.ready, *(row for each in found.results for row in each.rows)]
        waiting = sum(count for part in found.coming for _title, count in part.rounds)
        real = [cell for cell in shown.cells if cell.state not in {"bye", "waiting"}]
        assert sorted(row.number for row in listed) == sorted(cell.number for cell in real)
        assert waiting == sum(cell.state == "waiting" for cell in shown.cells)
        assert all(row.ref for row in [*found.playing, *found.ready])
        if not (rows := open_pairings(stage)):
            break
        win(rows[0], director)
    assert not open_pairings(stage)


def test_a_row_says_who_won_and_how_a_match_ended_that_was_not_played(client):
    stage, director = drawn(event := an_event(4)), None
    director = member(event.club, Role.DIRECTOR)
    win(pairing(stage, 1), director)
    win(pairing(stage, 2), director, a=False, ended=Ending.NO_SHOW, reason="not here")
    first, second = match_list(picture(stage)).results[0].rows
    assert [(side.points, side.won) for side in (first.a, first.b)] == [("3", True), ("0", False)]
    assert first.note == ""
    assert [(side.points, side.won) for side in (second.a, second.b)] == [("", False), ("", True)]
    assert second.note == "no-show"


def test_a_bye_of_a_round_is_said_at_its_end(client):
    stage = drawn(an_event(5, format_key="swiss_3"))
    shown = words(tab(client, stage.flight.event, "matches"))
    assert re.search(r"Bye: P\d", shown)


def test_the_viewers_own_match_is_marked(client):
    event = an_event(3)
    user = member(event.club)
    enter(flight=flight_of(event), players=[Player.objects.get(user=user)])
    drawn(event)
    assert 'class="own"' not in tab(client, event, "matches").content.decode()
    client.force_login(user)
    assert tab(client, event, "matches").content.decode().count('class="own"') == 1
    assert 'class="own"' in tab(client, event, "players").content.decode()
    assert 'aria-current="true"' in tab(client, event, "standings").content.decode()


def test_those_who_share_a_place_stand_by_wins_then_seed(client):
    event = an_event(8)
    stage, director = drawn(event), member(event.club, Role.DIRECTOR)
    win(pairing(stage, 2), director)
    drawing = picture(stage)
    still = [place.entrant for place in drawing.places if place.first == 1]
    assert len(still) == 7
    winner, *others = still
    assert drawing.names[winner].title == pairing(stage, 2).a.title
    assert others == sorted(others, key=lambda n: (drawing.seeds.get(n, 8), drawing.names[n].title))


def test_standings_say_who_is_still_in_and_what_each_did(client):
    event = an_event(4)
    stage, director = drawn(event), member(event.club, Role.DIRECTOR)
    won = pairing(stage, 1)
    win(won, director)
    groups = standings(picture(stage))
    assert [(group.title, group.out, len(group.rows)) for group in groups] == [
        ("Main", False, 3),
        ("", True, 1),
    ]
    best, out = groups[0].rows[0], groups[1].rows[0]
    assert (best.title, best.place, best.won, best.lost, best.round) == (won.a.title, "", 1, 0, "Final")
    assert (out.title, out.won, out.lost, out.round) == (other_side(won).title, 0, 1, "Semi-finals")
    assert "Still in: Main 3" in words(tab(client, event, "standings"))
    while rows := open_pairings(stage):
        win(rows[0], director)
    (over,) = standings(picture(stage))
    assert [row.place for row in over.rows] == ["1", "2", "3–4", "3–4"]
    assert [(row.won, row.lost) for row in over.rows] == [(2, 0), (1, 1), (0, 1), (0, 1)]
    drawing = picture(stage)
    in_order = [drawing.names[place.entrant].title for place in drawing.places]
    assert [row.title for row in over.rows] == in_order, "as the report has it"
    assert "Final standings 4" in words(tab(client, event, "standings"))


def test_who_loses_into_the_consolation_is_still_in(client):
    event = an_event(8, format_key="progressive")
    stage, director = drawn(event), member(event.club, Role.DIRECTOR)
    win(pairing(stage, 1), director)
    groups = {group.title: group for group in standings(picture(stage))}
    assert [row.title for row in groups["Consolation"].rows] == [other_side(pairing(stage, 1)).title]
    assert len(groups["Main"].rows) == 7


def test_who_withdrew_is_in_no_part_of_the_draw():
    event = an_event(4)
    stage, director = drawn(event), member(event.club, Role.DIRECTOR)
    gone = pairing(stage, 1).a
    leave(entrant=gone, user=director)
    *_still, out = standings(picture(stage))
    assert gone.title in [row.title for row in out.rows if out.out]


def test_entrants_stand_by_name_and_the_check_in_is_said_once(client):
    event = an_event(4)
    for rating, entrant in zip((1500, None, 1700, 1600), EntrantRow.objects.order_by("pk"), strict=True):
        EntrantRow.objects.filter(pk=entrant.pk).update(rating=rating)
    shown = words(client.get(event.get_absolute_url()))
    assert re.search("P1 Rating 1500.0 P2 P3 Rating 1700.0 P4 Rating 1600.0", shown)
    assert "checked in" not in shown
    for entrant in EntrantRow.objects.order_by("pk")[:3]:
        check_in(entrant=entrant, user=None)
    shown = words(client.get(event.get_absolute_url()))
    assert "3 checked in" in shown
    assert shown.count("Not checked in") == 1


def test_the_facts_come_first_and_name_directors_only_to_who_may_see_lists(client):
    club = ClubFactory.create(name="Bar Point", lists_open_to=Openness.MEMBERS)
    event = an_event(2, club=club, terms=FlightTerms(Fees(500, 1000, 90), capacity=8))
    director = member(club, Role.DIRECTOR)
    name = Player.objects.get(user=director).name
    for address in (event.get_absolute_url(), f"{event.get_absolute_url()}?tab=info"):
        shown = words(client.get(address))
        assert "Format Knockout, matches to 3" in shown
        assert "Entry fee 15.00 EUR (9.00 EUR to the prize pool)" in shown
        assert "Rules World Backgammon Federation, rated" in shown
        assert name not in shown
        client.force_login(member(club))
        assert f"Director {name}" in words(client.get(address))
        client.logout()
    assert "6 places left" in words(client.get(event.get_absolute_url()))


def test_before_the_draw_the_facts_say_when_rounds_begin_and_when_the_event_ends(client):
    event = an_event(3, terms=FlightTerms(Fees(500, 1000, 90), capacity=4))
    begins = datetime(2026, 11, 28, 10, tzinfo=UTC)
    Event.objects.filter(pk=event.pk).update(starts_at=begins, zone="UTC")
    assert "Expected end 11:06 with 4 entrants" in words(client.get(event.get_absolute_url())), "two rounds"
    make_tables(event=event, last=1, user=None)
    assert "Expected end 11:39 with 4 entrants" in words(client.get(event.get_absolute_url())), "one table"
    later = (begins + timedelta(hours=23)).isoformat()
    StageRow.objects.filter(flight__event=event).update(starts={"2": later})
    shown = words(client.get(event.get_absolute_url()))
    assert "Round 2 Sun 29 Nov, 09:00 Expected end Sun 29 Nov, 09:33 with 4 entrants" in shown
    told = client.get(reverse("api:event", args=[event.ref])).json()
    assert told["timetable"] == {
        "rounds": [{"stage": "", "number": 2, "starts_at": "2026-11-29T09:00:00Z"}],
        "expected_end": "2026-11-29T09:33:00Z",
        "entrants": 4,
    }


@pytest.mark.parametrize(
    ("players", "format_key"), [(0, "knockout"), (1, "knockout"), (4, "ladder"), (4, "keizer")]
)
def test_an_event_without_a_field_or_an_end_promises_none(client, players, format_key):
    event = an_event(players, format_key=format_key)
    assert "Expected end" not in words(client.get(event.get_absolute_url()))
    told = client.get(reverse("api:event", args=[event.ref])).json()
    assert told["timetable"] == {"rounds": [], "expected_end": None, "entrants": players}


def test_places_without_number_are_not_played_out(client):
    event = an_event(2)
    Flight.objects.filter(event=event).update(capacity=2_000_000_000)
    assert "Expected end" not in words(client.get(event.get_absolute_url()))


def test_an_event_that_is_drawn_or_cancelled_has_no_timetable(client):
    event = an_event(4)
    drawn(event)
    assert "Expected end" not in words(tab(client, event, "info"))
    called_off = an_event(4)
    Event.objects.filter(pk=called_off.pk).update(status=EventStatus.CANCELLED)
    assert "Expected end" not in words(client.get(called_off.get_absolute_url()))
    for each in (event, called_off):
        assert client.get(reverse("api:event", args=[each.ref])).json()["timetable"] is None


def test_the_average_rating_of_the_rated_players_stands_beside_their_number(client):
    event = an_event(3)
    first, second, _unrated = EntrantRow.objects.filter(flight__event=event)
    EntrantRow.objects.filter(pk=first.pk).update(rating=1800.0)
    address = reverse("api:event", args=[event.ref])
    assert "Average rating" not in words(client.get(event.get_absolute_url()))
    assert client.get(address).json()["flights"][0]["average_rating"] is None
    EntrantRow.objects.filter(pk=second.pk).update(rating=1501.0)
    assert "Players 3 Average rating 1650.5" in words(client.get(event.get_absolute_url()))
    flight = Flight.objects.get(event=event)
    assert client.get(address).json()["flights"] == [
        {"ref": flight.ref, "name": "", "capacity": None, "entered": 3, "average_rating": 1650.5}
    ]


def test_an_event_is_told_with_the_same_queries_for_any_number_of_entrants(client):
    counts = []
    for players in (2, 6):
        event = an_event(players)
        with CaptureQueriesContext(connection) as queries:
            assert client.get(reverse("api:event", args=[event.ref])).status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_prizes_stand_by_place_before_they_are_approved(client):
    event = an_event(terms=FlightTerms(Fees(0, 1000, 100)))
    for number in range(16):
        enter(flight=flight_of(event), players=[a_player(event.club, f"P{number}")], payment=FeePayment.CASH)
    drawn(event)
    shown = words(tab(client, event, "prizes"))
    assert "Prizes 160.00 EUR 1. 104.00 EUR 2. 56.00 EUR" in shown
    assert "Prize pool calculation" in shown


@pytest.mark.parametrize("pool", [0, 1, 99, 16_001])
@pytest.mark.parametrize("entrants", [0, 1, 2, 3, 16, 64, 500])
@pytest.mark.parametrize(
    ("percentages", "shares"),
    [([], {}), ([50, 30, 20], {}), ([100], {"main": 70, "consolation": 20, "last chance": 10})],
)
def test_planned_prizes_are_the_pool_to_the_cent(pool, entrants, percentages, shares):
    flight = flight_of(an_event())
    flight.percentages, flight.shares = percentages, shares
    found = planned_prizes(flight, pool, entrants)
    assert sum(each.amount for each in found) == (pool if entrants else 0)
    assert all(sum(each.places) == each.amount for each in found if each.key == "main")
    assert all(len(each.places) <= entrants for each in found)


def test_who_has_entered_withdraws_in_two_steps(client):
    event = an_event(1)
    client.force_login(member(event.club))
    client.post(reverse("tournaments:enter", args=[event.ref]))
    page = " ".join(client.get(event.get_absolute_url()).content.decode().split())
    assert "You have entered." in page
    way_out = re.search(r'<details class="leave">(.*?)</details>', page)
    assert way_out, "folded: a second tap on Enter must not take the entry back"
    assert "/leave/" in way_out[1]
    assert page.count("/leave/") == 1


def test_a_flight_that_takes_entries_is_told_beside_the_draw_of_another(client):
    event = an_event(4)
    novices = join_flight(event=event, plan=single_flight("swiss_3", 3, name="Novices"), user=None)
    assert "Registration for Novices is open" not in words(client.get(event.get_absolute_url()))
    draw_stage(stage=StageRow.objects.get(flight=event.flights.get(position=0)), user=None)
    door = f"?tab=players#flight-{novices.ref}"
    assert door in client.get(event.get_absolute_url()).content.decode()
    user = member(event.club)
    client.force_login(user)
    assert "Registration for Novices is open" in words(client.get(event.get_absolute_url()))
    enter(flight=novices, players=[Player.objects.get(user=user)])
    assert "Registration for Novices is open" not in words(client.get(event.get_absolute_url()))


def test_registration_is_closed_once_the_start_is_past_and_a_full_flight_says_so(client):
    event = an_event(4)
    event.flights.update(capacity=4)
    page = words(client.get(event.get_absolute_url()))
    assert "<strong>Full</strong>" in client.get(event.get_absolute_url()).content.decode()
    assert "Registration closed" not in page
    Event.objects.filter(pk=event.pk).update(starts_at=now() - timedelta(hours=1))
    page = words(client.get(event.get_absolute_url()))
    assert "Registration closed" in page
    assert "Full" not in page
    assert "Sign in to enter" not in page


def test_a_closed_registration_without_entries_says_who_can_still_enter_players(client):
    event = an_event()
    assert "Members can enter themselves" in words(client.get(event.get_absolute_url()))
    Event.objects.filter(pk=event.pk).update(starts_at=now() - timedelta(hours=1))
    page = words(client.get(event.get_absolute_url()))
    assert "Registration is closed. Directors can still enter players." in page
    assert "Members can enter themselves" not in page


def test_a_director_of_a_team_event_has_no_offer_with_nothing_to_press(client):
    event = an_event()
    event.flights.update(team_size=2)
    client.force_login(member(event.club, Role.DIRECTOR))
    assert 'class="entry-box' not in client.get(event.get_absolute_url()).content.decode()


def told(page: str, key: str) -> str:
    """What a page says of itself to readers of links."""
    return page.partition(f'property="{key}" content="')[2].partition('"')[0]


def test_a_link_to_an_event_is_previewed_with_its_winner_unless_search_engines_are_kept_out(client):
    event = an_event(4)
    page = client.get(event.get_absolute_url()).content.decode()
    assert 'property="og:title" content="Wednesday"' in page
    assert "4 entrants" in told(page, "og:description")
    assert 'name="robots"' not in page
    address = told(page, "og:image").removeprefix("http://testserver")
    picture = client.get(address)
    assert picture.content.startswith(b"\x89PNG")
    assert client.get(address, headers={"if-none-match": picture.headers["ETag"]}).status_code == 304
    stage, director = drawn(event), member(event.club, Role.DIRECTOR)
    winner = open_pairings(stage)[0].a.title
    while rows := open_pairings(stage):
        win(rows[0], director)
    event.club.search_engines = False
    event.club.save()
    page = client.get(event.get_absolute_url()).content.decode()
    assert f"Won by {winner}" in told(page, "og:description")
    assert '<meta name="robots" content="noindex">' in page
    assert client.get(address).headers["ETag"] != picture.headers["ETag"]


def test_standings_of_rounds_have_the_opponents_place_and_the_score_of_each_round(client):
    stage = drawn(an_event(5, format_key="swiss_3"))
    director = member(stage.flight.event.club, Role.DIRECTOR)
    for row in open_pairings(stage):
        win(row, director)
    page = client.get(stage.get_absolute_url()).content.decode()
    table = page.partition('id="standing"')[2].partition("</table>")[0]
    cells = [re.findall(r'<td class="rd[^"]*">(.*?)</td>', line) for line in table.split("<tr")[2:]]
    assert [each[0] for each in cells].count("bye") == 1
    for place, own in enumerate(cells, 1):
        if own[0] != "bye":
            letter, against, score = re.sub(r"<[^>]+>", "", own[0]).split()
            back = re.sub(r"<[^>]+>", "", cells[int(against) - 1][0]).split()
            assert (back[0], back[1]) == ({"W": "L", "L": "W"}[letter], str(place))
            assert score == ("3–0" if letter == "W" else "0–3")
    assert len(cells) == 5
