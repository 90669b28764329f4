"""Breaks: typed, kept, copied, carried and shown."""

import re
from datetime import datetime, timedelta
from itertools import pairwise

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils.timezone import now
from icalendar import Calendar

from clubs.models import Role, Scope
from tests.clubs.api.clients import with_token
from tests.factories import ClubFactory, member
from tests.races import at_once
from tests.tournaments.breaks import BERLIN, LUNCH, NOON, minutes
from tests.tournaments.factories import an_event, drawn, open_pairings
from tests.tournaments.transfer.machines import away, elsewhere
from tournaments.core.timetable.breaks import Break, closed_minutes
from tournaments.desk.queries.desk import desk_page
from tournaments.desk.services.calls import call, call_ready, start
from tournaments.desk.services.tables import make_tables
from tournaments.events.break_lines import shown_breaks, typed_breaks
from tournaments.events.event_templates import template
from tournaments.events.plans import EventPlan, single_flight
from tournaments.events.queries.plan_forecast import event_forecast
from tournaments.events.services.breaks import set_breaks
from tournaments.events.services.events import OvertakenRefused, announce, copy_event, plan_of
from tournaments.log.refusals import DeskRefused
from tournaments.models import DeskEvent, Event, EventStatus, PairingRow, StageRow
from tournaments.stages.services.stages import load
from tournaments.transfer.services.moves import bring_here


def test_breaks_are_entered_one_per_line_in_any_order():
    text = "2026-12-05 21:00 - 2026-12-06 9:30 Night\n\n12:30–13:30 Lunch\n2026-12-06 13:00-14:00 Lunch"
    found = typed_breaks(text, zone=BERLIN, event_at=NOON)
    night = Break(
        "Night",
        datetime(2026, 12, 5, 21, tzinfo=BERLIN),
        datetime(2026, 12, 6, 9, 30, tzinfo=BERLIN),
    )
    assert found[:2] == (LUNCH, night)
    shown = shown_breaks(found, zone=BERLIN)
    assert shown.splitlines() == [
        "2026-12-05 12:30-13:30 Lunch",
        "2026-12-05 21:00 - 2026-12-06 09:30 Night",
        "2026-12-06 13:00-14:00 Lunch",
    ]
    assert typed_breaks(shown, zone=BERLIN, event_at=NOON) == found


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("noon", "“noon” is not a break"),
        ("12:30-13:30", "is not a break"),
        ("2026-12-05 12:30 -", "“5 Dec 2026, 12:30” is not a break. Enter a start, an end and a name"),
        ("2026-12-05 12:30-13:30", "“5 Dec 2026, 12:30-13:30” is not a break"),
        ("25:00-26:00 Lunch", "is not a break"),
        ("2026-13-05 12:30-13:30 Lunch", "is not a break"),
        ("0001-01-01 00:00-00:30 Lunch", "is not a break"),
        ("13:30-12:30 Lunch", "“Lunch” ends before it starts"),
        ("12:30-13:30 Lunch\n13:00-14:00 Talk", "“Lunch” and “Talk” overlap"),
        ("2026-12-04 12:30-13:30 Lunch", "is before the event"),
        ("2027-03-28 02:15-03:30 Night", "28 Mar 2027, 02:15 does not exist at the venue"),
        (f"12:30-13:30 {'x' * 41}", "at most 40 characters"),
    ],
)
def test_a_break_that_is_mistyped_is_told(line, words):
    with pytest.raises(ValidationError) as refused:
        typed_breaks(line, zone=BERLIN, event_at=NOON)
    assert words in " ".join(refused.value.messages)


def test_the_wizard_counts_breaks_into_the_hour_at_which_it_is_over():
    flight = template("wednesday_swiss").flight(5)
    without = event_forecast([(flight, 16)]).whole
    with_lunch = event_forecast([(flight, 16)], closed=[(30.0, 300.0)]).whole
    assert without is not None
    assert with_lunch is not None
    assert without.usually is not None
    assert with_lunch.usually is not None
    assert with_lunch.usually > 300
    assert with_lunch.usually - without.usually > 200
    assert closed_minutes([LUNCH], NOON) == ((30.0, 90.0),)
    assert closed_minutes([LUNCH], LUNCH.ends_at) == ()


@pytest.fixture
def running(db):
    """An event of eight that has begun, in a lunch of which half an hour is over."""
    event = an_event(8, club=ClubFactory.create(tz="Europe/Berlin"))
    stage = drawn(event)
    make_tables(event=event, last=4, user=None)
    Event.objects.update(starts_at=now() - timedelta(hours=4))
    event.refresh_from_db()
    director = member(event.club, Role.DIRECTOR)
    return event, stage, director


def lunch_now(event, director=None, *, since=30, left=30):
    at = now()
    return set_breaks(
        event=event, breaks=[Break("Lunch", at - minutes(since), at + minutes(left))], user=director
    )


def test_in_a_break_nothing_is_called_by_itself_but_anything_by_hand(running):
    event, stage, director = running
    made = lunch_now(event, director)
    assert call_ready(event=event, user=director) == []
    desk = desk_page(made, read=load)
    assert {line.state for line in desk.lines} == {"early"}
    assert {line.since for line in desk.lines} == {made.pauses[0].ends_at}
    called = call(pairing=open_pairings(stage)[0], user=director)
    assert called.table == 1
    PairingRow.objects.filter(pk=called.pk).update(called_at=now() - minutes(20))
    (line,) = desk_page(made, read=load).called
    assert (line.state, line.minutes, line.penalty) == ("called", 0, 0)
    assert line.next_penalty_at == made.pauses[0].ends_at + minutes(5)
    set_breaks(event=event, breaks=[], user=director)
    assert len(call_ready(event=event, user=director)) == 3


def test_a_match_under_way_plays_on_and_is_not_slow_for_a_break(running):
    event, stage, director = running
    row = start(pairing=open_pairings(stage)[0], user=director)
    PairingRow.objects.filter(pk=row.pk).update(started_at=now() - minutes(60))
    assert [line.state for line in desk_page(event, read=load).playing] == ["slow"]
    made = lunch_now(event, since=40)
    (line,) = desk_page(made, read=load).playing
    assert (line.state, line.minutes) == ("playing", 20)
    assert line.ends_at is not None
    assert line.ends_at < made.pauses[0].ends_at


def test_the_event_is_over_later_for_a_break(running):
    event, _stage, director = running
    before = desk_page(event, read=load).expected_end
    made = lunch_now(event, director)
    after = desk_page(made, read=load).expected_end
    assert before is not None
    assert after is not None
    assert minutes(29) < after - before < minutes(31)


def test_the_pace_does_not_count_a_night(running):
    event, stage, director = running
    row = start(pairing=open_pairings(stage)[0], user=director)
    from_night = now() - minutes(200)
    PairingRow.objects.filter(pk=row.pk).update(started_at=from_night, state="decided")
    slow = desk_page(event, read=load).a_point
    made = set_breaks(
        event=event, breaks=[Break("Night", from_night + minutes(10), now() - minutes(5))], user=director
    )
    assert desk_page(made, read=load).a_point < slow


def test_an_earliest_start_in_a_break_is_its_end(running):
    event, _stage, director = running
    made = lunch_now(event, director, since=-10, left=40)
    StageRow.objects.update(starts={"1": (now() + minutes(20)).isoformat()})
    lines = desk_page(made, read=load).lines
    assert {line.since for line in lines} == {made.pauses[0].ends_at}
    assert call_ready(event=event, user=director) == []


def test_an_outdated_breaks_form_is_refused_with_the_current_breaks(running):
    event, _stage, director = running
    at = now()
    set_breaks(event=event, breaks=[Break("Lunch", at, at + minutes(9))], user=director, seen=0)
    with pytest.raises(OvertakenRefused) as overtaken:
        set_breaks(event=event, breaks=[], user=director, seen=0)
    event.refresh_from_db()
    assert overtaken.value.parameters == {"seen": event.breaks_seq, "breaks": event.breaks}
    assert DeskEvent.objects.get(event=event, kind="breaks").seq == event.breaks_seq
    set_breaks(event=event, breaks=[], user=director, seen=event.breaks_seq)
    event.refresh_from_db()
    assert event.pauses == ()


@pytest.mark.django_db(transaction=True)
def test_of_two_directors_setting_breaks_at_once_one_is_refused():
    event = an_event(2)
    at = event.starts_at
    found = at_once(
        *[
            lambda name=name: set_breaks(
                event=event, breaks=[Break(name, at, at + minutes(9))], user=None, seen=0
            )
            for name in ("Lunch", "Tea")
        ]
    )
    assert sorted(type(each).__name__ for each in found) == ["Event", "OvertakenRefused"]


def test_an_event_that_is_over_has_no_new_breaks(running):
    event, _stage, director = running
    Event.objects.update(status=EventStatus.FINISHED)
    with pytest.raises(DeskRefused, match="This event is finished"):
        set_breaks(event=event, breaks=[], user=director)


@pytest.mark.django_db
def test_a_copy_has_its_breaks_at_the_same_hour_across_the_change_of_clocks():
    club = ClubFactory.create(tz="Europe/Berlin")
    begins = datetime(2026, 10, 24, 10, tzinfo=BERLIN)
    lunch = Break("Lunch", begins + minutes(150), begins + minutes(210))
    night = Break(
        "Night", datetime(2026, 10, 24, 22, tzinfo=BERLIN), datetime(2026, 10, 25, 9, tzinfo=BERLIN)
    )
    event = announce(
        club=club, plan=EventPlan("Open", begins, (single_flight("knockout", 5),), breaks=(lunch, night))
    )
    copy = copy_event(event=event)
    assert plan_of(copy).breaks == copy.pauses
    shown = shown_breaks(copy.pauses, zone=BERLIN).splitlines()
    assert shown == ["2026-10-31 12:30-13:30 Lunch", "2026-10-31 22:00 - 2026-11-01 09:00 Night"]
    assert all(one.ends_at <= other.starts_at for one, other in pairwise(copy.pauses))


@pytest.mark.django_db(transaction=True)
def test_an_event_that_moves_takes_its_breaks_along(running):
    event, _stage, director = running
    made = lunch_now(event, director)
    text = away(event)
    assert bring_here(club=elsewhere(), text=text, user=None).pauses == made.pauses


def words(response):
    return " ".join(response.content.decode().split())


def test_the_page_sets_breaks_and_everybody_sees_them(running, client):
    event, _stage, director = running
    client.force_login(director)
    page = reverse("tournaments:breaks", args=[event.ref])
    assert "is not a break" in words(client.post(page, {"breaks": "noon", "seen": "0"}))
    begins, ends = (now() + minutes(count) for count in (-30, 30))
    zone = event.tz
    typed = f"{begins.astimezone(zone):%Y-%m-%d %H:%M} - {ends.astimezone(zone):%Y-%m-%d %H:%M} Lunch"
    shown = words(client.post(page, {"breaks": typed, "seen": "0"}, follow=True))
    assert "Breaks saved." in shown
    assert "<strong>Lunch</strong>" in shown, "it is on: the page begins with it"
    assert "<dt>Lunch</dt>" in words(client.get(event.get_absolute_url(), {"tab": "info"}))
    stale = client.post(page, {"breaks": "", "seen": "0"})
    assert stale.status_code == 409
    assert "Someone else changed this" in words(stale)
    assert "Current breaks" in words(stale)
    until = f"{ends.astimezone(zone):%H:%M}"
    desk = words(client.get(reverse("tournaments:desk", args=[event.ref])))
    assert f"until {ends.astimezone(zone):%a %H:%M}. No match is called automatically" in desk
    assert f"Lunch until {until}" in words(client.get(reverse("tournaments:wall", args=[event.ref])))
    log = words(client.get(reverse("tournaments:log", args=[event.ref])))
    assert f"Lunch {begins.astimezone(zone):%a %-d %b, %H:%M}" in log
    feed = Calendar.from_ical(client.get(reverse("tournaments:event_calendar", args=[event.ref])).content)
    pause = [each for each in feed.walk("VEVENT") if "break" in str(each["UID"])]
    assert [str(each["SUMMARY"]) for each in pause] == [f"Lunch, {event.name}"]


def test_a_mistyped_break_does_not_refresh_what_the_page_has_seen(running, client):
    event, _stage, director = running
    client.force_login(director)
    page = reverse("tournaments:breaks", args=[event.ref])
    lunch_now(event, director, since=-10, left=40)
    stands = Event.objects.get(pk=event.pk)
    # This page was opened before lunch was set: neither a mistyped line nor another refusal makes it newer.
    for typed in ("noon", "13:30-12:30 Talk"):
        shown = client.post(page, {"breaks": typed, "seen": "0"})
        assert 'name="seen" value="0"' in shown.content.decode()
    stale = client.post(page, {"breaks": "", "seen": "0"})
    assert (stale.status_code, Event.objects.get(pk=event.pk).breaks) == (409, stands.breaks)
    assert f'name="seen" value="{stands.breaks_seq}"' in stale.content.decode()
    assert client.post(page, {"breaks": "", "seen": stands.breaks_seq}).status_code == 302


def test_the_wall_changes_when_a_break_begins_and_when_it_ends(running, client, monkeypatch):
    event, _stage, director = running
    lunch_now(event, director, since=-10, left=40)
    page = reverse("tournaments:wall", args=[event.ref])
    before = client.get(page, {"part": "1"})
    assert "Lunch at " in words(before)
    asked = {"HTTP_IF_NONE_MATCH": before.headers["ETag"]}
    assert client.get(page, {"part": "1"}, **asked).status_code == 304
    later = now() + minutes(15)
    monkeypatch.setattr("tournaments.display.views.wall.now", lambda: later)
    on = client.get(page, {"part": "1"}, **asked)
    assert on.status_code == 200
    assert "Lunch until " in words(on)
    monkeypatch.setattr("tournaments.display.views.wall.now", lambda: later + timedelta(hours=1))
    assert "Lunch" not in words(client.get(page, {"part": "1"}))


def test_the_api_sets_reads_and_refuses_breaks(running):
    event, _stage, director = running
    api = with_token(director, Scope.READ, Scope.DIRECT)
    url = f"/api/v1/events/{event.ref}/breaks/"
    at = now().replace(microsecond=0)
    body = {"name": "Lunch", "starts_at": at.isoformat(), "ends_at": (at + minutes(60)).isoformat()}
    made = api.put(url, {"breaks": [body], "seen": 0}, format="json")
    assert made.status_code == 200
    assert api.get(url).json() == made.json()
    assert api.get(f"/api/v1/events/{event.ref}/").json()["breaks"] == made.json()["breaks"]
    assert api.get(f"/api/v1/events/{event.ref}/desk/").json()["next_break"] == made.json()["breaks"][0]
    stale = api.put(url, {"breaks": [], "seen": 0}, format="json")
    assert (stale.status_code, stale.json()["code"]) == (409, "overtaken")
    wrong = api.put(url, {"breaks": [body | {"ends_at": at.isoformat()}]}, format="json")
    assert (wrong.status_code, wrong.json()["code"]) == (409, "break_end")


def test_an_event_is_announced_with_its_breaks(client, db):
    club = ClubFactory.create(tz="Europe/Berlin")
    director = member(club, Role.DIRECTOR)
    client.force_login(director)
    page = reverse("tournaments:new_event", args=[club.slug])
    form = {
        "name": "Cup",
        "starts_at": "2026-12-05T10:00",
        "format_key": "swiss_3",
        "length": "5",
        "returned": "100",
        "entrants": "8",
        "breaks": "12:30-13:30 Lunch",
    }
    without = client.post(page, form | {"breaks": "", "step": "forecast"}).context["whole"]
    with_lunch = client.post(page, form | {"breaks": "10:10-12:10 Speech", "step": "forecast"})
    assert "Breaks are included." in words(with_lunch)
    assert with_lunch.context["whole"].usually > without.usually
    assert "ends before it starts" in words(client.post(page, form | {"breaks": "13:30-12:30 Lunch"}))
    client.post(page, form)
    (pause,) = Event.objects.get().pauses
    assert pause == LUNCH
    api = with_token(director, Scope.READ, Scope.DIRECT)
    asked = {"name": "Cup", "starts_at": "2026-12-05T10:00+01:00", "format": "swiss_3", "length": 5}
    lunch = {
        "name": "Lunch",
        "starts_at": "2026-12-05T12:30+01:00",
        "ends_at": "2026-12-05T13:30+01:00",
    }
    url = f"/api/v1/clubs/{club.slug}/events/"
    made = api.post(url, asked | {"breaks": [lunch]}, format="json")
    assert made.status_code == 201
    assert [each["name"] for each in made.json()["breaks"]] == ["Lunch"]
    early = lunch | {"starts_at": "2026-12-05T09:30+01:00"}
    assert api.post(url, asked | {"breaks": [early]}, format="json").status_code == 400


def fields(page):
    """The fields of the breaks on a page: what each holds by its name."""
    return dict(re.findall(r'name="(breaks-[^"]+)" value="([^"]*)"', page.content.decode()))


def test_breaks_are_set_row_by_row_and_come_back_as_they_are(running, client):
    event, _stage, director = running
    client.force_login(director)
    page = reverse("tournaments:breaks", args=[event.ref])
    day = event.starts_at.astimezone(event.tz).date() + timedelta(days=1)
    rows = {
        "breaks-0-from": f"{day}T12:30",
        "breaks-0-to": f"{day}T13:30",
        "breaks-0-name": "Lunch - long",
        "breaks-2-from": f"{day}T21:00",
        "breaks-2-to": f"{day + timedelta(days=1)}T09:00",
        "breaks-2-name": "Night",
    }
    assert client.post(page, rows | {"seen": "0"}).status_code == 302
    assert [pause.name for pause in Event.objects.get(pk=event.pk).pauses] == ["Lunch - long", "Night"]
    shown = fields(client.get(page))
    assert [shown[f"breaks-1-{part}"] for part in ("from", "to", "name")] == [
        rows[f"breaks-2-{part}"] for part in ("from", "to", "name")
    ]
    assert shown["breaks-3-name"] == "", "rows for more"
    seen = {"seen": Event.objects.get(pk=event.pk).breaks_seq}
    assert client.post(page, shown | seen).status_code == 302, "what is shown can be sent back"


@pytest.mark.parametrize("missing", ["from", "to", "name"])
def test_a_break_that_is_not_whole_keeps_what_was_typed(running, client, missing):
    event, _stage, director = running
    client.force_login(director)
    day = event.starts_at.astimezone(event.tz).date() + timedelta(days=1)
    rows = {"from": f"{day}T12:30", "to": f"{day}T13:30", "name": "Lunch"} | {missing: ""}
    sent = {f"breaks-0-{part}": typed for part, typed in rows.items()}
    answer = client.post(reverse("tournaments:breaks", args=[event.ref]), sent | {"seen": "0"})
    assert "Enter a start, an end and a name" in words(answer)
    assert {part: fields(answer)[f"breaks-0-{part}"] for part in rows} == rows
    assert not Event.objects.get(pk=event.pk).breaks
