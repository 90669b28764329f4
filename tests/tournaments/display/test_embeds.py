"""A draw in a frame on another site: the same for everyone, without scripts, listed as the club chose."""

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import Club, Role
from tests.factories import member
from tests.tournaments.factories import an_event, drawn
from tournaments.models import Event

pytestmark = pytest.mark.django_db


def test_a_draw_is_framed_without_cookies_scripts_or_forms():
    stage = drawn(an_event(8))
    event, director = stage.flight.event, Client()
    director.force_login(member(event.club, Role.DIRECTOR))
    address = reverse("tournaments:draw_embed", args=[stage.ref])
    answer = Client().get(address)
    page = answer.content.decode()
    assert page.count('class="m ready') >= 4
    assert "X-Frame-Options" not in answer.headers
    assert "frame-ancestors *" in answer.headers["Content-Security-Policy"]
    assert not answer.cookies
    assert not any(tag in page for tag in ("<script", "<form", "style="))
    assert director.get(address).content == answer.content
    assert 'data-theme="dark"' in Client().get(address, {"theme": "dark"}).content.decode()
    info = director.get(event.get_absolute_url(), {"tab": "info"}).content.decode()
    assert f"{address}&quot;" in info, "the HTML to paste"
    for listed in (True, False):
        Club.objects.update(search_engines=listed)
        again = Client().get(address)
        told = "noindex" in again.content.decode(), again.headers.get("X-Robots-Tag") == "noindex"
        assert told == (not listed, not listed)
    Event.objects.update(members_only=True)
    assert director.get(address).status_code == 404
    assert "Embed on another site" not in director.get(event.get_absolute_url(), {"tab": "info"}).text


def test_before_the_draw_there_is_nothing_to_frame(client):
    event = an_event(4)
    stage = event.flights.get().stages.get()
    assert client.get(reverse("tournaments:draw_embed", args=[stage.ref])).status_code == 404
