"""The wizard with several flights: added and left out, played on paper together, announced at once."""

from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse

from tests.tournaments.wizard import words
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.timetable.breaks import Break
from tournaments.events.event_templates import template
from tournaments.events.forms.wizard import MOST_FLIGHTS
from tournaments.events.plans import EventPlan, single_flight
from tournaments.events.queries.plan_forecast import event_forecast
from tournaments.events.services.events import announce
from tournaments.models import Event

pytestmark = pytest.mark.django_db

EVENT = {
    "name": "Autumn cup",
    "starts_at": "2026-12-05T10:00",
    "flight_name": "Open",
    "format_key": "double_64",
    "length": "7",
    "lengths": "7, 9, 11",
    "capacity": "64",
    "entry_fee": "40",
    "returned": "100",
    "rated": "on",
    "clocks": "on",
}
NOVICES = {
    "flight": "f2",
    "f2-name": "Novices",
    "f2-format_key": "wednesday_swiss",
    "f2-length": "3",
    "f2-lengths": "3, 5",
    "f2-rating_below": "1600",
    "f2-title_from": "M3",
    "f2-title_below": "G3",
    "f2-entry_fee": "15",
    "f2-returned": "50",
}


def address(club):
    return reverse("tournaments:new_event", args=[club.slug])


def test_an_event_is_announced_with_several_flights_at_once(client, directed):
    assert client.post(address(directed), EVENT | NOVICES).status_code == 302
    event = Event.objects.get()
    first, second = event.flights.order_by("position")
    assert (first.name, second.name) == ("Open", "Novices")
    assert (first.entry_fee, second.entry_fee, second.returned) == (4000, 1500, 50)
    assert (first.eligibility, second.eligibility) == (
        {},
        {"rating_below": 1600.0, "title_from": "M3", "title_below": "G3"},
    )
    assert (first.stages.get().lengths, second.stages.get().lengths) == ([7, 9, 11], [3, 5])
    assert (first.stages.get().format, second.stages.get().format) == ("double", "swiss")


def test_a_flight_is_added_and_left_out_and_nothing_typed_is_lost(client, directed):
    added = {"step": "add", "template": "jackpot_8"}
    page = words(client.post(address(directed), EVENT | NOVICES | added))
    assert 'name="name" value="Autumn cup"' in page
    assert 'name="f2-rating_below" value="1600"' in page
    assert 'name="f3-capacity" value="8"' in page
    page = words(client.post(address(directed), EVENT | NOVICES | {"step": "drop:f2"}))
    assert "Novices" not in page
    assert 'value="7, 9, 11"' in page
    assert not Event.objects.exists()


def test_the_forecast_says_when_each_flight_and_the_whole_event_are_over(client, directed):
    asked = {"step": "forecast", "tables": "12", "entrants": "32", "f2-entrants": "16"}
    page = words(client.post(address(directed), EVENT | NOVICES | asked))
    assert 'id="forecast"' in page
    assert 'datetime="2026-12-0' in page
    assert "share the tables" in page
    assert not Event.objects.exists()


def test_flights_that_share_the_tables_hold_each_other_up():
    swiss = (template("wednesday_swiss").flight(5), 16)
    alone = event_forecast([swiss], tables=8)
    both = event_forecast([swiss, swiss], tables=8)
    assert alone.whole is not None
    assert both.whole is not None
    assert alone.whole.usually is not None
    assert both.whole.usually is not None
    assert both.whole.usually > 1.5 * alone.whole.usually
    assert (both.whole.entrants, both.whole.tables, both.whole.matches_each) == (32, 8, 3)
    assert all(flight is not None and flight.matches_each == 3 for flight in both.flights)


def test_a_forecast_knows_lengths_by_round_and_clocks():
    flight = template("wednesday_swiss").flight(5)
    short = event_forecast([(flight, 16)])
    without = event_forecast([(flight, 16)], clocks=False)
    assert short.whole is not None
    assert without.whole is not None
    assert short.whole.usually is not None
    assert without.whole.usually is not None
    assert without.whole.usually > short.whole.usually


def test_a_flight_that_cannot_be_drawn_is_said_and_the_others_are_not_lost():
    found = event_forecast([(template("weekend").flight(7), 1), (template("wednesday_swiss").flight(5), 16)])
    assert found.flights[0] is None
    assert found.whole == found.flights[1]
    assert event_forecast([(template("weekend").flight(7), 1)]).whole is None


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("flight_name", "", "Name each division when an event has several."),
        ("f2-name", "Open", "Another division has this name."),
        ("f2-lengths", "many", "“many” is not a number from 1 to 25"),
        ("f2-title_below", "M3", "These limits exclude everyone"),
        ("f2-entrants", "1", "Expected entrants must be at least 2."),
        ("tables", "0", "Tables at the venue must be at least 1."),
    ],
)
@pytest.mark.parametrize("step", ["announce", "forecast"])
def test_what_cannot_be_is_named_and_nothing_is_announced(client, directed, step, field, value, said):
    page = words(client.post(address(directed), EVENT | NOVICES | {"step": step, field: value}))
    assert said in page
    assert "The whole event" not in page
    assert not Event.objects.exists()


def test_an_event_has_no_more_flights_than_a_page_shows(client, directed):
    prefixes = [f"f{n}" for n in range(2, 60)]
    page = words(client.post(address(directed), EVENT | {"flight": prefixes, "step": "add"}))
    assert page.count('name="flight" value=') == MOST_FLIGHTS - 1
    assert "Another flight at the same event" not in page


def test_the_api_announces_and_forecasts_the_same(client, directed):
    body = {
        "name": "Cup",
        "starts_at": "2026-12-05T10:00:00Z",
        "flight_name": "Open",
        "format": "double_64",
        "length": 7,
        "entrants": 32,
        "tables": 8,
        "flights": [{"name": "Novices", "format": "swiss_3", "length": 3, "rating_below": 1600}],
    }
    forecast = reverse("api:forecast_event", args=[directed.slug])
    answer = client.post(forecast, body, content_type="application/json")
    assert answer.status_code == 200, answer.content
    assert [each["entrants"] for each in answer.json()["flights"]] == [32, 16]
    assert answer.json()["event"]["tables"] == 8
    assert not Event.objects.exists()
    answer = client.post(
        reverse("api:club_events", args=[directed.slug]), body, content_type="application/json"
    )
    assert answer.status_code == 201, answer.content
    assert list(Event.objects.get().flights.order_by("position").values_list("name", flat=True)) == [
        "Open",
        "Novices",
    ]
    nameless = body | {"flights": [{"name": "", "format": "swiss_3", "length": 3}]}
    answer = client.post(forecast, nameless, content_type="application/json")
    assert answer.status_code == 400
    assert "Division 2 of 2 needs a name." in answer.content.decode()


@pytest.mark.parametrize(
    ("change", "status", "code", "said"),
    [
        (
            {"format": "team_league", "team_size": 2},
            409,
            "boards",
            "A team match on 3 boards needs teams of at least 3 players, not 2.",
        ),
        (
            {"starts_when_full": True},
            409,
            "no_capacity",
            "A division that starts when full needs a number of places.",
        ),
        (
            {"pools": [{"key": "main", "fee": 100}]},
            409,
            "pool_name",
            "A side pool cannot be named main: a prize table already has that name.",
        ),
        (
            {"pools": [{"key": "calcutta", "fee": 100}] * 2},
            409,
            "pool_twice",
            "Two side pools have the same name.",
        ),
        ({"shares": {"main": 90}}, 409, "shares", "The shares add up to 90%, not 100%."),
        (
            {"shares": {"losers": 100}},
            409,
            "share",
            "There is no prize table “losers”. Choose from: main.",
        ),
    ],
)
def test_the_api_says_in_a_sentence_which_plan_cannot_be(client, directed, change, status, code, said):
    body = {"name": "Cup", "starts_at": "2026-12-05T10:00:00Z", "format": "knockout", "length": 7} | change
    answer = client.post(
        reverse("api:club_events", args=[directed.slug]), body, content_type="application/json"
    )
    told = answer.json()
    assert (answer.status_code, told["code"], told["detail"]) == (status, code, said)
    assert not Event.objects.exists()


def test_the_api_says_in_a_sentence_that_two_flights_have_one_name(client, directed):
    body = {"name": "Cup", "starts_at": "2026-12-05T10:00:00Z", "format": "knockout", "length": 7}
    body |= {"flight_name": "Open", "flights": [{"name": "Open", "format": "swiss_3", "length": 3}]}
    answer = client.post(
        reverse("api:club_events", args=[directed.slug]), body, content_type="application/json"
    )
    assert answer.status_code == 400
    said = [(each["field"], each["code"], each["message"]) for each in answer.json()["errors"]]
    assert said == [
        ("flights", "flight_twice", "Two divisions are named “Open”. Give each a different name.")
    ]


def test_an_event_with_two_breaks_at_once_is_refused_in_a_sentence(directed):
    at = datetime(2026, 12, 5, 10, tzinfo=UTC)
    hours = [Break(name, at, at + timedelta(hours=1)) for name in ("Lunch", "Draw")]
    plan = EventPlan("Cup", at, (single_flight("knockout", 5),), breaks=tuple(hours))
    with pytest.raises(DrawRefused, match="“Lunch” and “Draw” overlap") as refused:
        announce(club=directed, plan=plan)
    assert refused.value.code == "break_overlap"
