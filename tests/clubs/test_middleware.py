"""An address that PostgreSQL could not even be asked about is a bad request, on every page."""

import pytest
from asgiref.sync import async_to_sync

from clubs.models import Role
from tests.factories import ClubFactory, member

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
