"""The pages on which a director changes what was announced, and the same over the API."""

import re
from datetime import UTC, datetime
from html import unescape

import pytest
from django.urls import reverse

from clubs.models import Role
from tests.factories import ClubFactory, member
from tests.tournaments.factories import a_player, drawn, flight_of
from tournaments.core.brackets.elimination import KnockoutOptions
from tournaments.core.prizes.pools import Fees, SidePool
from tournaments.entries.services.entries import enter
from tournaments.events.eligibility import Eligibility
from tournaments.events.plans import EventPlan, FlightPlan, StagePlan
from tournaments.events.services.changes import change_event, change_flight
from tournaments.events.services.events import announce
from tournaments.models import DeskEvent, EntrantRow, Event, Flight, StageRow

pytestmark = pytest.mark.django_db

STARTS = datetime(2026, 12, 2, 18, 30, 12, tzinfo=UTC)


@pytest.fixture
def event(client):
    """An announced event in Berlin with all terms set, whose director is signed in."""
    club = ClubFactory.create(tz="Europe/Berlin", currency="EUR")
    client.force_login(member(club, Role.DIRECTOR))
    flight = FlightPlan(
        (StagePlan("Main", "knockout", KnockoutOptions(), 5, lengths=(5, 7)),),
        fees=Fees(200, 1050, 90),
        added=2500,
        capacity=4,
        percentages=(60, 40),
        eligibility=Eligibility(rating_below=1800.0, unrated=False, title_below="G3"),
        pools=(SidePool("High", 1000, 80),),
    )
    plan = EventPlan("Cup", STARTS, (flight,), entries_until=datetime(2026, 12, 2, 17, 0, tzinfo=UTC))
    return announce(club=club, plan=plan)


def fields_of(page):
    """What a form would send as it is: its inputs by name, the ticked boxes and the chosen options."""
    text = page.content.decode().partition('<form method="post"')[2].partition("</form>")[0]
    found = {}
    for tag in re.findall(r"<input[^>]*>", text):
        kept = dict(re.findall(r'(\w+)="([^"]*)"', tag))
        if kept["type"] == "checkbox" and " checked" not in tag:
            continue
        found[kept["name"]] = unescape(kept.get("value", "on" if kept["type"] == "checkbox" else ""))
    for name, inside in re.findall(r'<select name="(\w+)".*?>(.*?)</select>', text, re.DOTALL):
        found[name] = next(iter(re.findall(r'value="([^"]*)" selected', inside)), "")
    for name, inside in re.findall(r'<textarea name="(\w+)"[^>]*>\s*(.*?)</textarea>', text, re.DOTALL):
        found[name] = unescape(inside)
    return found


def changed(event):
    return DeskEvent.objects.filter(event=event, kind__in=["changed", "flight_changed"]).count()


@pytest.mark.parametrize("which", ["event", "flight"])
def test_a_page_that_is_sent_as_it_is_changes_nothing(client, event, which):
    address = _address(event, which)
    assert f'href="{address}"' in "".join(
        client.get(event.get_absolute_url(), {"tab": tab}).content.decode() for tab in ("info", "players")
    )
    sent = fields_of(client.get(address))
    assert len(sent) > 5
    assert client.post(address, sent).status_code == 302
    assert changed(event) == 0
    assert Event.objects.get().starts_at == STARTS


def _address(event, which):
    if which == "event":
        return reverse("tournaments:change", args=[event.ref])
    return reverse("tournaments:change_flight", args=[flight_of(event).ref])


def test_the_event_is_changed_on_the_venues_clock(client, event):
    address = _address(event, "event")
    sent = fields_of(client.get(address))
    assert sent["starts_at"] == "2026-12-02T19:30"
    sent |= {"starts_at": "2026-12-03T20:00", "name": "Cup & Plate", "entries_until": ""}
    sent.pop("rated")
    page = client.post(address, sent, follow=True).content.decode()
    assert "Changes saved." in page
    assert "Cup &amp; Plate" in page
    event.refresh_from_db()
    assert event.starts_at == datetime(2026, 12, 3, 19, 0, tzinfo=UTC)
    assert (event.rated, event.entries_until) == (False, None)
    log = client.get(reverse("tournaments:log", args=[event.ref])).content.decode()
    assert "Starts: 2 Dec 2026, 19:30 → 3 Dec 2026, 20:00" in log


def test_a_hidden_event_is_shown_to_everybody(client, event):
    change_event(event=event, changes={"hidden": True}, user=None)
    address = _address(event, "event")
    sent = fields_of(client.get(address))
    sent.pop("hidden")
    assert client.post(address, sent).status_code == 302
    client.logout()
    assert client.get(event.get_absolute_url()).status_code == 200


def test_the_flight_is_changed_in_the_clubs_money(client, event):
    address = _address(event, "flight")
    sent = fields_of(client.get(address))
    assert (sent["entry_fee"], sent["pools"], sent["lengths"]) == ("10.50", "High; 10.00; 80", "5, 7")
    for number in range(5):
        enter(flight=flight_of(event), players=[a_player(event.club, f"P{number}")], override=True)
    sent |= {"entry_fee": "12", "capacity": "", "length": "9", "lengths": "", "title_below": ""}
    sent |= {"pools": "High; 10.00; 80\nLow; 5", "percentages": "50, 30, 20", "rating_below": "1700"}
    assert client.post(address, sent).status_code == 302
    flight = flight_of(event)
    assert (flight.entry_fee, flight.capacity, flight.percentages) == (1200, None, [50, 30, 20])
    assert flight.eligibility == {"rating_below": 1700.0, "unrated": False}
    assert [pool["key"] for pool in flight.pools] == ["High", "Low"]
    assert (StageRow.objects.get().length, StageRow.objects.get().lengths) == (9, [])
    assert EntrantRow.objects.entered().count() == 5
    log = client.get(reverse("tournaments:log", args=[event.ref])).content.decode()
    assert "titles below Grandmaster G3 → ratings under 1700" in unescape(log)


def test_what_is_refused_stays_typed(client, event):
    address = _address(event, "flight")
    for number in range(3):
        enter(flight=flight_of(event), players=[a_player(event.club, f"P{number}")], override=True)
    sent = fields_of(client.get(address))
    for typed, status, said in (
        ({"capacity": "2"}, 409, "3 places are taken. Enter at least that many."),
        ({"capacity": "two"}, 200, "Enter a whole number."),
        ({"rating_from": "2000"}, 200, "These limits exclude everyone"),
        ({"percentages": "60, 50"}, 200, "The prizes add up to 110%, not 100%."),
        ({"seen": "[" * 100_000}, 409, "This form is out of date"),
        ({"seen": "[]", "capacity": "12"}, 409, "This form is out of date"),
        ({"seen": '{"places": 4}', "capacity": "12"}, 409, "Someone else changed this"),
    ):
        answer = client.post(address, sent | typed)
        assert (answer.status_code, said in answer.content.decode()) == (status, True), (
            answer.content.decode()
        )
        kept = {name: value for name, value in typed.items() if name != "seen"}
        assert kept.items() <= fields_of(answer).items()
    assert changed(event) == 0


@pytest.mark.parametrize("which", ["event", "flight"])
def test_whoever_was_overtaken_sees_how_it_stands_and_can_send_it_again(client, event, which):
    address = _address(event, which)
    sent = fields_of(client.get(address)) | {"name": "Mine"}
    if which == "event":
        change_event(event=event, changes={"name": "Theirs"}, user=None)
    else:
        change_flight(flight=flight_of(event), changes={"name": "Theirs"}, user=None)
    answer = client.post(address, sent)
    assert answer.status_code == 409
    assert "Someone else changed this" in answer.content.decode()
    assert "<dt>Name</dt><dd>Theirs</dd>" in answer.content.decode()
    again = fields_of(answer)
    assert again["name"] == "Mine"
    assert client.post(address, again).status_code == 302
    assert (Event.objects.get().name if which == "event" else Flight.objects.get().name) == "Mine"


def test_mistyping_does_not_overwrite_what_somebody_else_has_set(client, event):
    address = _address(event, "event")
    sent = fields_of(client.get(address)) | {"name": "Mine", "starts_at": "soon"}
    change_event(event=event, changes={"name": "Theirs"}, user=None)
    mistyped = client.post(address, sent)
    assert mistyped.status_code == 200
    assert client.post(address, fields_of(mistyped) | {"starts_at": "2026-12-03T20:00"}).status_code == 409
    assert Event.objects.get().name == "Theirs"


def test_after_the_draw_the_page_asks_for_what_is_left(client, event):
    for number in range(4):
        enter(flight=flight_of(event), players=[a_player(event.club, f"P{number}")], override=True)
    address = _address(event, "flight")
    before = fields_of(client.get(address)) | {"capacity": "12", "rating_below": "1500.0"}
    drawn(event)
    after = fields_of(client.get(address))
    assert set(after) == {"csrfmiddlewaretoken", "seen", "name", "added", "percentages"}
    # A page of before is overtaken by the draw.
    answer = client.post(address, before)
    assert answer.status_code == 409
    text = " ".join(answer.content.decode().split())
    assert "Someone else changed this" in text
    assert "You typed: " in text
    assert "Places 12" in text
    assert "Rating below 1500.0" in text
    assert client.post(address, after | {"added": "50"}).status_code == 302
    assert (flight_of(event).added, flight_of(event).capacity) == (5000, 4)


def test_programs_change_the_same(client, event):
    flight = flight_of(event)
    one, other = f"/api/v1/events/{event.ref}/", f"/api/v1/flights/{flight.ref}/"

    def patch(address, body):
        answer = client.patch(address, body, "application/json")
        return answer.status_code, answer.json()

    status, body = patch(one, {"name": "Plate", "entries_until": None, "seen": {"name": "Cup"}})
    assert (status, body["name"], body["entries_until"]) == (200, "Plate", None)
    status, body = patch(one, {"name": "Cup", "seen": {"name": "Cup"}})
    assert (status, body["code"]) == (409, "overtaken")
    status, body = patch(one, {})
    assert (status, "Name at least one field to change." in str(body)) == (400, True)
    assert patch(one, {"starts": "now"})[0] == 400
    terms = {"capacity": 8, "entry_fee": 1200, "eligibility": {"rating_from": 1500}, "length": 7}
    status, body = patch(other, terms | {"pools": [{"key": "Low", "fee": 500}], "seen": {"capacity": 4}})
    assert (status, body["capacity"], body["entry_fee"]) == (200, 8, 1200)
    assert body["eligibility"] == {"rating_from": 1500.0}
    assert [pool["key"] for pool in body["pools"]] == ["Low"]
    assert StageRow.objects.get().length == 7
    assert client.get(other).json()["capacity"] == 8
    assert patch(other, {"percentages": [10, 90]})[0] == 400
    status, body = patch(other, {"eligibility": {"title_from": "G3", "title_below": "M3"}})
    assert (status, "These limits exclude everyone" in str(body)) == (400, True)
    assert patch(one, {"name": "Plate\r\nBcc: everybody"})[1]["name"] == "Plate Bcc: everybody"
    assert patch(one, {"name": "Plate"})[0] == 200
    client.force_login(member(event.club))
    assert patch(one, {"name": "Mine"})[0] == 403
    assert patch(other, {"capacity": 16})[0] == 403
    assert (Event.objects.get().name, Flight.objects.get().capacity) == ("Plate", 8)


@pytest.mark.parametrize(
    "line", ["High; Infinity", "High; 1e99999999", "; 1", "High; 1000001", "High; 0.001", "High; -1"]
)
def test_what_no_side_pool_can_cost_is_mistyped(client, event, line):
    address = _address(event, "flight")
    sent = fields_of(client.get(address)) | {"pools": line}
    page = client.post(address, sent)
    assert page.context["form"].errors["pools"] == [
        f"“{line}” is not a side pool. Enter name; fee; % paid out."
    ]
    assert changed(event) == 0
