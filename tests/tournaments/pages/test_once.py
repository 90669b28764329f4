"""An event is announced once, however often its form is sent."""

import pytest
from django.urls import reverse

from clubs.models import Role
from tests.factories import ClubFactory, member
from tests.forms import forms_of
from tournaments.models import Event

FORM = {
    "name": "Cup",
    "starts_at": "2026-12-02T19:30",
    "length": "5",
    "returned": "100",
    "rated": "on",
    "format_key": "swiss_3",
}
TOKEN = "csrfmiddlewaretoken"


@pytest.mark.django_db
def test_announcing_twice_announces_once_and_another_date_another_event(client):
    club = ClubFactory.create()
    client.force_login(member(club, Role.DIRECTOR))
    address = reverse("tournaments:new_event", args=[club.slug])

    def token():
        page = client.get(address, {"format_key": "swiss_3"}).content.decode()
        return next(form.fields[TOKEN] for form in forms_of(page) if "starts_at" in form.fields)

    form = FORM | {TOKEN: token()}
    refused = client.post(address, form | {"starts_at": "never"})
    assert (refused.status_code, Event.objects.count()) == (200, 0)
    answers = [client.post(address, form) for _click in range(2)]
    event = Event.objects.get()
    assert {answer.headers["Location"] for answer in answers} == {
        reverse("tournaments:announced", args=[event.ref])
    }
    client.post(address, form | {"starts_at": "2026-12-09T19:30"})
    assert Event.objects.count() == 2
    client.post(address, FORM | {TOKEN: token()})
    assert Event.objects.count() == 3
