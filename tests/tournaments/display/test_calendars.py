"""Calendar feeds and overlays: what is in them, and who sees them."""

import pytest
from django.urls import reverse
from icalendar import Calendar

from clubs.models import Club, Role
from tests.factories import UserFactory, member
from tests.tournaments.factories import an_event, drawn, flight_of, open_pairings
from tournaments.entries.services.entries import enter, withdraw
from tournaments.following.services import calendar_key, renew_calendar_key
from tournaments.models import EventStatus

pytestmark = pytest.mark.django_db


def entries(response):
    return list(Calendar.from_ical(response.content).walk("VEVENT"))


def test_an_event_is_one_entry_of_its_calendar(client):
    event = an_event(2)
    answer = client.get(reverse("tournaments:event_calendar", args=[event.ref]))
    (entry,) = entries(answer)
    assert entry["SUMMARY"] == f"{event.name}, {event.club.name}"
    assert entry.decoded("DTSTART") == event.starts_at.replace(microsecond=0)
    event.status = EventStatus.CANCELLED
    event.save()
    (entry,) = entries(client.get(reverse("tournaments:event_calendar", args=[event.ref])))
    assert entry["STATUS"] == "CANCELLED"


def test_my_calendar_has_the_events_that_i_have_entered(client):
    event = an_event(2)
    user = member(event.club)
    an_event(2, club=event.club)
    entrant = enter(flight=flight_of(event), players=[user.player])
    address = reverse("tournaments:own_calendar", args=[calendar_key(user=user).key])
    (entry,) = entries(client.get(address))
    assert str(entry["UID"]).startswith(event.ref)
    withdraw(entrant=entrant)
    assert entries(client.get(address)) == []


def test_a_new_key_makes_the_old_address_useless(client):
    user = UserFactory.create()
    client.force_login(user)
    shown = client.get(reverse("tournaments:calendar")).content.decode()
    key = calendar_key(user=user).key
    assert key in shown
    old = reverse("tournaments:own_calendar", args=[key])
    assert client.get(old).status_code == 200
    client.post(reverse("tournaments:calendar"))
    assert client.get(old).status_code == 404
    assert renew_calendar_key(user=user).key != key


def test_an_overlay_shows_names_and_score_and_follows_the_featured_match(client):
    stage = drawn(an_event(4))
    row = open_pairings(stage)[0]
    page = client.get(reverse("tournaments:overlay", args=[row.ref])).content.decode()
    assert row.a.title in page
    address = reverse("tournaments:featured", args=[stage.flight.event.ref])
    empty = client.get(address).content.decode().partition('<main id="overlay"')[2].partition(">")[2]
    assert empty.split("</main>")[0].split() == [
        "<h1",
        'class="visually-hidden">Wednesday</h1>',
    ], "nothing of it is on air"
    row.featured = True
    row.save()
    assert row.a.title in client.get(address).content.decode()
    Club.objects.update(visibility="members")
    assert client.get(address).status_code == 404


def test_directors_are_led_to_the_overlays_beside_the_page_they_are_on(client):
    stage = drawn(an_event(4))
    event, row = stage.flight.event, open_pairings(stage)[0]
    featured = f'href="{reverse("tournaments:featured", args=[event.ref])}" target="_blank"'
    overlay = f'href="{reverse("tournaments:overlay", args=[row.ref])}" target="_blank"'
    pairing, desk = (
        reverse("tournaments:pairing", args=[row.ref]),
        reverse("tournaments:desk", args=[event.ref]),
    )
    assert featured not in client.get(event.get_absolute_url(), {"tab": "info"}).content.decode()
    assert overlay not in client.get(pairing).content.decode()
    client.force_login(member(event.club, Role.DIRECTOR))
    assert featured in client.get(event.get_absolute_url(), {"tab": "info"}).content.decode()
    assert overlay in client.get(pairing).content.decode()
    shown = client.get(desk).content.decode()
    assert featured in shown
    assert overlay in shown


def test_a_bye_has_no_overlay_to_lead_to(client):
    stage = drawn(an_event(3, format_key="swiss_3"))
    bye = stage.pairings.get(b=None)
    client.force_login(member(stage.flight.event.club, Role.DIRECTOR))
    page = client.get(reverse("tournaments:pairing", args=[bye.ref])).content.decode()
    assert "/overlay/" not in page
