"""What an event says of itself: venue, description, contact, stream and poster."""

import json
from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from PIL import Image

from clubs.models import Role
from tests.clubs.test_pictures import a_picture
from tests.factories import ClubFactory, member
from tests.tournaments.factories import an_event
from tournaments.desk.queries.event_log import event_log
from tournaments.events.places import map_link, place_of
from tournaments.events.services.events import copy_event
from tournaments.events.services.posters import set_poster
from tournaments.models import DeskEvent, Event, EventPoster

ABOUT = {
    "venue": "Café Progresso",
    "address": "Rua da Alfândega 12, Porto",
    "description": "# Rules\n\n**Clocks** from the semi-finals. <b>No</b>",
    "contact": "Ana, ana@example.org",
    "stream": "https://example.org/live",
}


@pytest.fixture
def event(client):
    """An announced event with texts, set over the API, whose director is signed in."""
    club = ClubFactory.create()
    client.force_login(member(club, Role.DIRECTOR))
    event = an_event(2, club=club)
    address = reverse("api:event", args=[event.ref])
    answer = client.patch(address, ABOUT, content_type="application/json", headers={"If-Match": "*"})
    assert answer.status_code == 200, answer.content
    return Event.objects.select_related("club").get()


@pytest.mark.django_db
def test_the_texts_are_on_the_page_in_the_calendar_and_in_the_api(client, event):
    asked = client.get(reverse("api:event", args=[event.ref])).json()
    assert {name: asked[name] for name in ABOUT} == ABOUT
    assert asked["map"] == map_link(event)
    assert asked["poster"] is None
    log = str([f"{line.title} {line.words}" for line in event_log(event)])
    assert "Venue: – → Café Progresso" in log
    assert "Contact" in log
    assert "ana@" not in log
    assert "ana@" not in json.dumps(list(DeskEvent.objects.values_list("body", flat=True)))
    client.logout()
    page = client.get(event.get_absolute_url()).content.decode()
    for said in (
        "<strong>Café Progresso</strong>",
        "openstreetmap.org/search?query=Rua+da+Alf%C3%A2ndega+12%2C+Porto",
        "<h2>Rules</h2>",
        "&lt;b&gt;No&lt;/b&gt;",
        'href="mailto:ana@example.org"',
        'href="https://example.org/live"',
    ):
        assert said in page, said
    calendar = client.get(reverse("tournaments:event_calendar", args=[event.ref])).content.decode()
    assert "LOCATION:Café Progresso\\, Rua da Alfândega 12\\, Porto" in calendar.replace("\r\n ", "")
    copied = copy_event(event=event)
    assert (place_of(copied), copied.description) == (place_of(event), ABOUT["description"])


@pytest.mark.django_db
def test_the_settings_page_keeps_texts_and_names_what_is_wrong(client, event):
    address = reverse("tournaments:change", args=[event.ref])
    page = client.get(address)
    sent = {name: page.context["form"][name].value() or "" for name in page.context["form"].fields}
    sent["starts_at"] = page.context["form"]["starts_at"].value().strftime("%Y-%m-%dT%H:%M")
    sent |= {"description": ABOUT["description"].replace("\n", "\r\n"), "seen": page.context["seen"]}
    del sent["hidden"], sent["members_only"]
    before = DeskEvent.objects.count()
    assert client.post(address, sent).status_code == 302
    assert DeskEvent.objects.count() == before
    answer = client.post(address, sent | {"stream": "javascript:x"})
    assert "“javascript:x” is not a web address." in answer.content.decode()
    for wrong in (
        {"stream": "ftp://a.org"},
        {"venue": "x" * 101},
        {"description": "x" * 8001},
        {"venue": None},
    ):
        answer = client.patch(
            reverse("api:event", args=[event.ref]),
            wrong,
            content_type="application/json",
            headers={"If-Match": "*"},
        )
        assert answer.status_code == 400


@pytest.mark.django_db
def test_a_poster_is_set_shown_replaced_and_removed(client, event):
    address = reverse("tournaments:poster", args=[event.ref])
    assert f'href="{address}"' in client.get(event.get_absolute_url(), {"tab": "info"}).content.decode()
    wrong = client.post(address, {"poster": SimpleUploadedFile("a.png", b"x")})
    assert "a.png is not a JPEG, PNG or WebP picture." in wrong.content.decode()
    for size in ((30, 20), (20, 30), (20, 30)):
        file = SimpleUploadedFile("a.png", a_picture(size=size))
        assert client.post(address, {"poster": file}).status_code == 302
    assert DeskEvent.objects.filter(kind="poster").count() == 2
    event.refresh_from_db()
    shown = reverse("tournaments:poster_jpg", args=[event.ref])
    page = client.get(event.get_absolute_url(), {"tab": "info"}).content.decode()
    assert f'<img src="{shown}?v={event.poster[:8]}"' in page
    assert f'property="og:image" content="http://testserver{shown}' in page
    picture = client.get(shown)
    assert (picture["Content-Type"], picture["X-Content-Type-Options"]) == ("image/jpeg", "nosniff")
    assert Image.open(BytesIO(picture.content)).size == (20, 30)
    assert client.get(shown, headers={"If-None-Match": picture["ETag"]}).status_code == 304
    api = reverse("api:event_poster", args=[event.ref])
    answer = client.post(api, {"poster": SimpleUploadedFile("b.webp", a_picture("WEBP"))})
    assert answer.json()["poster"].startswith(f"http://testserver{shown}?v=")
    bad = client.post(api, {"poster": SimpleUploadedFile("b.webp", b"RIFF")})
    assert (bad.status_code, bad.json()["code"]) == (409, "not_a_picture")
    assert client.post(address, {"remove": "yes"}).status_code == 302
    assert client.delete(api).status_code == 204
    assert client.get(shown)["Location"] == reverse("tournaments:event_png", args=[event.ref])
    assert not EventPoster.objects.exists()


@pytest.mark.django_db
def test_the_poster_of_a_hidden_event_is_hidden(client, event):
    set_poster(event=event, name="a", content=a_picture(), user=None)
    Event.objects.update(hidden=True)
    shown = reverse("tournaments:poster_jpg", args=[event.ref])
    assert client.get(shown).status_code == 200
    client.logout()
    assert client.get(shown).status_code == 404
