"""Codes by which phones at the venue reach the director's laptop."""

import pytest
from django.test import RequestFactory
from django.urls import reverse

from clubs.http.addresses import for_phones, is_loopback, others_reach
from clubs.models import Role
from deploy.address import Address, venue_urls
from deploy.network import interface_addresses
from tests.factories import member
from tests.tournaments.factories import an_event

pytestmark = pytest.mark.django_db
VENUE = ["http://192.168.7.5:8123"]


@pytest.mark.parametrize(
    ("host", "loopback"),
    [
        ("localhost:8000", True),
        ("127.0.0.1:8000", True),
        ("[::1]:8000", True),
        ("192.168.7.5:8000", False),
        ("laptop.local", False),
        ("[fd00::5]:80", False),
    ],
)
def test_an_address_of_this_machine_alone_is_known(settings, host, loopback):
    settings.ALLOWED_HOSTS = ["*"]
    assert is_loopback(RequestFactory().get("/", headers={"host": host})) is loopback


def test_phones_get_the_address_of_the_local_network(settings):
    settings.VENUE_URLS = VENUE
    settings.ALLOWED_HOSTS = ["*"]
    own = RequestFactory().get("/", headers={"host": "localhost:8123"})
    assert for_phones(own, "/events/x/") == "http://192.168.7.5:8123/events/x/"
    public = RequestFactory().get("/", headers={"host": "club.example"})
    assert for_phones(public, "/events/x/") == "http://club.example/events/x/"


def test_an_address_that_no_phone_reaches_is_said_to_be_one(client, settings):
    settings.VENUE_URLS = []
    settings.ALLOWED_HOSTS = ["*"]
    assert not others_reach(RequestFactory().get("/", headers={"host": "127.0.0.1:8000"}))
    event = an_event()
    client.force_login(member(event.club, Role.DIRECTOR))
    address = reverse("tournaments:join", args=[event.ref])
    page = client.get(address, headers={"host": "127.0.0.1:8000"}).content.decode()
    assert "up --bind 0.0.0.0" in page
    settings.VENUE_URLS = VENUE
    page = client.get(address, headers={"host": "127.0.0.1:8000"}).content.decode()
    assert "up --bind" not in page
    assert f"{VENUE[0]}{event.get_absolute_url()}" in page


def test_every_code_that_is_scanned_at_the_venue_has_that_address(client, settings):
    settings.VENUE_URLS = VENUE
    event = an_event()
    client.force_login(member(event.club, Role.DIRECTOR))
    for name in ("wall", "door"):
        page = client.get(reverse(f"tournaments:{name}", args=[event.ref]), headers={"host": "localhost"})
        assert VENUE[0] in page.content.decode()


def test_the_wifi_is_a_code_too_and_is_kept_nowhere(client):
    event = an_event()
    client.force_login(member(event.club, Role.DIRECTOR))
    address = reverse("tournaments:join", args=[event.ref])
    page = client.post(address, {"network": "Bar; Point", "password": "correct horse"})
    text = page.content.decode()
    assert text.count("<svg") > client.get(address).content.decode().count("<svg")
    assert "Bar; Point" in text
    assert page.headers["Cache-Control"] == "no-store"
    assert "Bar; Point" not in client.get(address).content.decode()
    short = client.post(address, {"network": "Bar", "password": "short"}).content.decode()
    assert "at least 8 characters" in short
    client.force_login(member(event.club))
    assert client.get(address).status_code == 403


def test_up_tells_phones_where_it_listens():
    assert venue_urls(Address("127.0.0.1", 8000)) == []
    assert venue_urls(Address("localhost", 8000)) == []
    assert venue_urls(Address("10.1.2.3", 8000)) == ["http://10.1.2.3:8000"]
    assert venue_urls(Address("0.0.0.0", 81)) == [f"http://{each}:81" for each in interface_addresses()]
    assert not any(each.startswith("127.") for each in interface_addresses())
