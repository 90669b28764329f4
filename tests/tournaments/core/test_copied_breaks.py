"""Breaks in the hours that a change of clocks leaves out or shows twice: copied, saved unchanged, named."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from random import Random
from zoneinfo import ZoneInfo

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import translation

from clubs.models import Role, Scope
from tests.clubs.api.clients import with_token
from tests.factories import ClubFactory, member
from tests.tournaments.factories import an_event, drawn, open_pairings, win
from tournaments.core.timetable.breaks import FARTHEST, MOST_BREAKS, Break, check_breaks, in_order
from tournaments.core.timetable.copied_breaks import copied_breaks, first_moment
from tournaments.events.break_lines import shown_breaks, typed_breaks
from tournaments.events.plans import EventPlan, single_flight
from tournaments.events.services.breaks import set_breaks
from tournaments.events.services.events import announce
from tournaments.models import DeskEvent, Event

BERLIN = ZoneInfo("Europe/Berlin")
BEFORE = datetime(2026, 3, 21, 20, tzinfo=BERLIN)
FORWARD = datetime(2026, 3, 28, 20, tzinfo=BERLIN)
"""The night after this evening has no hour from 02:00 to 03:00."""


def at(day, hour, minute=0, *, month=3, fold=0):
    return datetime(2026, month, day, hour, minute, tzinfo=BERLIN, fold=fold).astimezone(UTC)


def in_utc(breaks):
    return [(each.name, each.starts_at.isoformat(), each.ends_at.isoformat()) for each in breaks]


def copies(*breaks, begun=BEFORE, begins=FORWARD):
    check_breaks(breaks, event_at=begun)
    found = copied_breaks(breaks, begun=begun, begins=begins, zone=BERLIN)
    return [
        each.after and (f"{each.after.starts_at:%H:%M}", f"{each.after.ends_at:%H:%M}", each.same_hours)
        for each in found
    ]


@pytest.mark.parametrize("minute", [0, 1, 30, 59])
def test_a_time_that_the_clock_leaves_out_is_when_it_goes_forward(minute):
    assert first_moment(datetime(2026, 3, 29, 2, minute), BERLIN) == at(29, 3)
    lord_howe = ZoneInfo("Australia/Lord_Howe")
    half_an_hour = first_moment(datetime(2026, 10, 4, 2, minute // 2), lord_howe)
    assert half_an_hour.astimezone(lord_howe).isoformat() == "2026-10-04T02:30:00+11:00"


def test_a_break_in_the_hour_that_is_left_out_is_left_out_and_others_keep_their_rest():
    tea = Break("Tea", at(22, 1, 30), at(22, 1, 45))
    nap = Break("Nap", at(22, 2, 15), at(22, 2, 45))
    talk = Break("Talk", at(22, 2, 50), at(22, 3, 10))
    soup = Break("Soup", at(22, 3, 10), at(22, 3, 30))
    assert copies(tea, nap, talk, soup) == [
        ("00:30", "00:45", True),
        None,
        ("01:00", "01:10", False),
        ("01:10", "01:30", True),
    ]
    assert copies(Break("Night", at(21, 23), at(22, 2, 30))) == [("22:00", "01:00", False)]


def test_breaks_of_the_hour_that_is_there_twice_are_one_hour_on_another_day():
    begun, begins = datetime(2026, 10, 24, 20, tzinfo=BERLIN), datetime(2026, 10, 31, 20, tzinfo=BERLIN)
    first = Break("Tea", at(25, 2, 10, month=10), at(25, 2, 30, month=10))
    second = Break("Tea", at(25, 2, 10, month=10, fold=1), at(25, 2, 30, month=10, fold=1))
    assert copies(first, second, begun=begun, begins=begins) == [("01:10", "01:30", True), None]
    # 45 minutes, although the clock shows an earlier time at their end.
    across = Break("Nap", at(25, 2, 30, month=10), at(25, 2, 15, month=10, fold=1))
    assert copies(across, begun=begun, begins=begins) == [("01:30", "02:15", False)]


def test_no_copy_has_breaks_that_are_refused():
    random = Random(8)
    days = [BEFORE, FORWARD, *(datetime(2026, 10, day, 20, tzinfo=BERLIN) for day in (17, 24, 31))]
    for _each in range(300):
        begun, begins = random.sample(days, 2)
        begins += timedelta(minutes=random.choice([0, 0, 30, 400, 405]))
        # Between the evening and the morning after, in steps of 7 minutes.
        marks = sorted(random.sample(range(1, 100), 8))
        times = [begun.astimezone(UTC) + timedelta(minutes=7 * mark) for mark in marks]
        breaks = [Break(f"{start}", start, end) for start, end in zip(times[::2], times[1::2], strict=True)]
        made = copied_breaks(breaks, begun=begun, begins=begins, zone=BERLIN)
        left = [each.after for each in made if each.after is not None]
        check_breaks(left, event_at=begins)
        assert len(made) == 4
        assert all(one.ends_at <= other.starts_at for one, other in pairwise(left))


def test_a_break_that_a_copy_would_have_a_year_later_is_left_out():
    last = FORWARD.astimezone(UTC) + FARTHEST
    night = Break("Night", last, last + timedelta(hours=1))
    # The clocks went forward once more until then than until the year after the copy.
    assert copies(night, begun=FORWARD, begins=datetime(2026, 4, 4, 20, tzinfo=BERLIN)) == [None]


def test_one_click_copies_an_event_into_the_night_without_that_hour_and_says_so(client, db):
    club = ClubFactory.create(tz="Europe/Berlin")
    nap = Break("Nap", at(22, 2, 15), at(22, 2, 45))
    talk = Break("Talk", at(22, 2, 50), at(22, 3, 10))
    plan = EventPlan("Long night", BEFORE, (single_flight("knockout", 5),), breaks=(nap, talk))
    event = announce(club=club, plan=plan)
    director = member(club, Role.DIRECTOR)
    client.force_login(director)
    shown = client.post(reverse("tournaments:copy", args=[event.ref]), follow=True)
    assert shown.status_code == 200
    text = " ".join(shown.content.decode().split())
    assert "“Nap” was left out: the clocks go forward at that time." in text
    assert "“Talk” is now Sun 29 Mar, 03:00–03:10 because the clocks change" in text
    (copy,) = Event.objects.exclude(pk=event.pk)
    assert in_utc(copy.pauses) == in_utc([Break("Talk", at(29, 3), at(29, 3, 10))])
    api = with_token(director, Scope.READ, Scope.DIRECT)
    made = api.post(f"/api/v1/events/{event.ref}/copy/", {}, format="json")
    assert (made.status_code, [each["name"] for each in made.json()["breaks"]]) == (201, ["Talk"])


def test_an_event_that_begins_in_that_hour_is_copied_to_when_the_clock_goes_forward(client, db):
    club = ClubFactory.create(tz="Europe/Berlin")
    event = announce(club=club, plan=EventPlan("Night owls", at(22, 2, 30), (single_flight("knockout", 5),)))
    client.force_login(member(club, Role.DIRECTOR))
    client.post(reverse("tournaments:copy", args=[event.ref]))
    (copy,) = Event.objects.exclude(pk=event.pk)
    assert copy.starts_at == at(29, 3)


def test_the_next_season_is_announced_although_a_break_has_no_hour_there(client, db):
    event = an_event(2, club=ClubFactory.create(tz="Europe/Berlin"), format_key="round_robin")
    director = member(event.club, Role.DIRECTOR)
    win(open_pairings(drawn(event))[0], director)
    nap = Break("Nap", at(22, 2, 15), at(22, 2, 45))
    Event.objects.filter(pk=event.pk).update(
        starts_at=BEFORE,
        breaks=[{"name": "Nap", "starts_at": nap.starts_at.isoformat(), "ends_at": nap.ends_at.isoformat()}],
    )
    client.force_login(director)
    form = {"at": "2027-03-27T20:00", "moves": "0"}
    shown = client.post(reverse("tournaments:season", args=[event.ref]), form, follow=True)
    assert shown.status_code == 200
    assert "“Nap” was left out" in " ".join(shown.content.decode().split())
    assert Event.objects.exclude(pk=event.pk).get().pauses == ()


def night_event(breaks):
    club = ClubFactory.create(tz="Europe/Berlin")
    plan = EventPlan("Night", datetime(2026, 10, 24, 20, tzinfo=BERLIN), (single_flight("knockout", 5),))
    event = announce(club=club, plan=plan)
    return set_breaks(event=event, breaks=breaks, user=None), member(club, Role.DIRECTOR)


TWICE = (
    Break("Tea", at(25, 2, 10, month=10), at(25, 2, 30, month=10)),
    Break("Nap", at(25, 2, 30, month=10), at(25, 2, 5, month=10, fold=1)),
    Break("Tea", at(25, 2, 10, month=10, fold=1), at(25, 2, 30, month=10, fold=1)),
    Break(
        "Talk",
        at(25, 4, month=10) + timedelta(seconds=7),
        at(25, 5, month=10) + timedelta(microseconds=2),
    ),
    Break("Two \r\n lines", at(25, 6, month=10), at(25, 7, month=10)),
)


def test_saving_the_page_of_breaks_unchanged_changes_and_notes_nothing(client, db):
    event, director = night_event(TWICE)
    before = Event.objects.get(pk=event.pk)
    noted = DeskEvent.objects.filter(event=event).count()
    client.force_login(director)
    page = reverse("tournaments:breaks", args=[event.ref])
    form = client.get(page).context["form"]
    assert len(form["breaks"].value().splitlines()) == len(TWICE)
    # As a browser sends it.
    typed = form["breaks"].value().replace("\n", "\r\n")
    assert client.post(page, {"breaks": typed, "seen": before.breaks_seq}).status_code == 302
    after = Event.objects.get(pk=event.pk)
    assert (in_utc(after.pauses), after.breaks_seq) == (in_utc(before.pauses), before.breaks_seq)
    assert DeskEvent.objects.filter(event=event).count() == noted
    # One line more leaves all others to the second as they are.
    more = f"{typed}\r\n2026-10-25 08:00-08:30 Breakfast"
    assert client.post(page, {"breaks": more, "seen": before.breaks_seq}).status_code == 302
    assert in_utc(Event.objects.get(pk=event.pk).pauses)[:-1] == in_utc(before.pauses)


def test_a_line_twice_is_the_known_break_once():
    (tea,) = known = TWICE[2:3]
    line = shown_breaks(known, zone=BERLIN)
    begins = datetime(2026, 10, 24, 20, tzinfo=BERLIN)
    both = typed_breaks(f"{line}\n{line}", zone=BERLIN, event_at=begins, known=known)
    assert in_utc(both) == in_utc(in_order([TWICE[0], tea]))


def test_the_page_takes_as_many_long_breaks_as_an_event_may_have(client, db):
    event, director = night_event(())
    begin = at(25, 22, month=10)
    long = [
        Break(f"{day:02} {'x' * 37}", begin + timedelta(days=day), begin + timedelta(days=day, hours=12))
        for day in range(MOST_BREAKS)
    ]
    api = with_token(director, Scope.READ, Scope.DIRECT)
    sent = [
        {"name": each.name, "starts_at": each.starts_at.isoformat(), "ends_at": each.ends_at.isoformat()}
        for each in long
    ]
    url = f"/api/v1/events/{event.ref}/breaks/"
    made = api.put(url, {"breaks": sent}, format="json")
    assert made.status_code == 200
    client.force_login(director)
    page = reverse("tournaments:breaks", args=[event.ref])
    shown = client.get(page)
    # A browser would cut what is pasted behind it, and say nothing.
    assert "maxlength" not in str(shown.context["form"]["breaks"])
    typed = shown.context["form"]["breaks"].value()
    assert len(typed) > 4000
    fewer = typed.splitlines()[:-1]
    saved = client.post(page, {"breaks": "\r\n".join(fewer), "seen": made.json()["seen"]})
    assert saved.status_code == 302
    assert in_utc(Event.objects.get(pk=event.pk).pauses) == in_utc(long[:-1])


def test_the_api_puts_the_name_of_a_break_on_one_line(db):
    event, director = night_event(())
    api = with_token(director, Scope.READ, Scope.DIRECT)
    url = f"/api/v1/events/{event.ref}/breaks/"
    begins = at(25, 6, month=10)
    body = {"starts_at": begins.isoformat(), "ends_at": (begins + timedelta(hours=1)).isoformat()}
    made = api.put(url, {"breaks": [body | {"name": "Soup\r\n2026-10-25  \u2028 Nap"}]}, format="json")
    assert [each["name"] for each in made.json()["breaks"]] == ["Soup 2026-10-25 Nap"]
    blank = api.put(url, {"breaks": [body | {"name": "\u2028"}]}, format="json")
    assert blank.status_code == 400


def test_too_many_breaks_are_told_in_the_readers_language():
    lines = "\n".join(
        f"2026-12-{1 + day:02} {hour:02}:00-{hour:02}:05 Tea" for day in range(7) for hour in range(9)
    )
    with pytest.raises(ValidationError, match="at most 60 breaks, not 63"), translation.override("en"):
        typed_breaks(lines, zone=BERLIN, event_at=datetime(2026, 11, 30, tzinfo=BERLIN))
