"""A form that makes something new makes it once, however often it is sent."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import Role
from tests.factories import ClubFactory, member
from tests.races import at_once
from tests.tournaments.factories import an_event
from tournaments.models import Event, Flight

FORM = {
    "name": "Cup",
    "starts_at": "2026-12-02T19:30",
    "length": "5",
    "returned": "100",
    "rated": "on",
    "format_key": "swiss_3",
}


def key_in(page):
    """The key of the page's form."""
    return re.findall(r'name="once" value="(\w+)"', page.content.decode())[-1]


@pytest.mark.django_db
def test_announcing_twice_announces_once_and_another_date_another_event(client):
    club = ClubFactory.create()
    client.force_login(member(club, Role.DIRECTOR))
    address = reverse("tournaments:new_event", args=[club.slug])
    form = FORM | {"once": key_in(client.get(address, {"format_key": "swiss_3"}))}
    refused = client.post(address, form | {"starts_at": "never"})
    assert (refused.status_code, Event.objects.count()) == (200, 0)
    answers = [client.post(address, form) for _click in range(2)]
    event = Event.objects.get()
    assert {answer.headers["Location"] for answer in answers} == {event.get_absolute_url()}
    client.post(address, form | {"starts_at": "2026-12-09T19:30"})
    assert Event.objects.count() == 2
    client.post(address, FORM | {"once": key_in(client.get(address, {"format_key": "swiss_3"}))})
    assert Event.objects.count() == 3


@pytest.mark.django_db(transaction=True)
def test_two_clicks_at_once_copy_an_event_once():
    event = an_event()
    director = member(event.club, Role.DIRECTOR)
    browsers = [Client(), Client()]
    for browser in browsers:
        browser.force_login(director)
    key = key_in(browsers[0].get(event.get_absolute_url()))
    address = reverse("tournaments:copy", args=[event.ref])

    def click(browser):
        return browser.post(address, {"once": key})

    first, second = at_once(*(lambda browser=browser: click(browser) for browser in browsers))
    copy = Event.objects.exclude(pk=event.pk).get()
    assert copy.starts_at - event.starts_at == timedelta(weeks=1)
    assert {first.headers["Location"], second.headers["Location"]} == {copy.get_absolute_url()}


@pytest.mark.django_db
def test_a_flight_is_added_once(client):
    event = an_event()
    client.force_login(member(event.club, Role.DIRECTOR))
    address = reverse("tournaments:new_flight", args=[event.ref])
    form = {"name": "Novices", "length": "3", "format_key": "swiss_3", "returned": "100"}
    form["once"] = key_in(client.get(address))
    answers = [client.post(address, form) for _click in range(2)]
    assert [answer.status_code for answer in answers] == [302, 302]
    assert Flight.objects.filter(event=event, name="Novices").count() == 1
