"""What PostgreSQL could not even be asked about is a bad request, on every page and in every form."""

import pytest
from asgiref.sync import async_to_sync
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from clubs.models import Role
from tests.architecture.access_matrix import MATRIX
from tests.architecture.access_world import VALUES, World
from tests.architecture.test_access_matrix import ADDRESSES
from tests.clubs.api.clients import with_token
from tests.factories import ClubFactory, member
from tests.tiers import sized

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "address",
    [
        "/matches/?after=%00",
        "/matches/?club=a%00b",
        "/matches/?player=%00",
        "/clubs/bar-point/ratings/?q=%00",
        "/clubs/bar-point/names/?q=%00",
        "/clubs/join/%00/",
    ],
)
def test_a_zero_byte_in_an_address_is_a_bad_request(client, address):
    client.force_login(member(ClubFactory.create(slug="bar-point"), Role.DIRECTOR))
    response = client.get(address)
    assert response.status_code == 400
    assert "not understood" in response.content.decode()


def test_so_it_is_where_pages_are_served_asynchronously(async_client):
    assert async_to_sync(async_client.get)("/matches/?after=%00").status_code == 400


FORMS = [row for row in MATRIX if not row.is_api and "POST" in row.rules]


@pytest.mark.parametrize("row", sized(FORMS[::5], FORMS), ids=lambda row: row.name)
def test_a_zero_byte_in_any_field_of_any_form_is_a_bad_request(row):
    world = World.make(hidden=False)
    names = ADDRESSES[row.name].arguments
    values = {name: VALUES[row.args.get(name, name)](world, "owner") for name in names}
    body = row.rules["POST"].send
    fields = body if isinstance(body, dict) and body else {"field": "text"}
    for name in fields:
        told = world.clients["owner"].post(reverse(row.name, kwargs=values), fields | {name: "a\0b"})
        assert told.status_code == 400, name
        assert "not understood" in told.content.decode()


def test_a_zero_byte_among_files_is_a_bad_request(client):
    club = ClubFactory.create(slug="bar-point")
    client.force_login(member(club, Role.DIRECTOR))
    files = {"match_files": SimpleUploadedFile("a.mat", b"\0\0"), "note": "a\0b"}
    assert client.post("/clubs/bar-point/upload/", files).status_code == 400
    # In a file it is anything: the reader of files judges it.
    files = {"match_files": SimpleUploadedFile("a.mat", b"\0\0")}
    assert client.post("/clubs/bar-point/upload/", files).status_code == 302


def test_a_form_is_read_where_pages_are_served_asynchronously(async_client):
    answer = async_to_sync(async_client.post)("/appearance/", {"appearance": "a\0b"})
    assert answer.status_code == 400


def test_the_api_answers_with_a_problem():
    client = with_token(member(ClubFactory.create(slug="bar-point"), Role.DIRECTOR))
    for address in ("/api/v1/players/?name=%00", "/api/v1/clubs/?after=%00", "/api/v1/clubs/?%00=1"):
        answer = client.get(address)
        assert (answer.status_code, answer.headers["Content-Type"]) == (400, "application/problem+json")
    for address in ("/api/v1/%00/", "/api/v1/clubs/a%00b/", "/api/v1/clubs/a%0Ab/members/", "/api/v1/a%0A"):
        answer = client.get(address)
        assert (answer.status_code, answer.headers["Content-Type"]) == (404, "application/problem+json")
