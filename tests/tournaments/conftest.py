"""The fixtures of the tests of tournaments."""

import pytest

from clubs.models import Role
from tests.factories import ClubFactory, member


@pytest.fixture
def directed(client):
    """A club whose director is signed in."""
    club = ClubFactory.create(tz="Europe/Berlin", currency="EUR")
    client.force_login(member(club, Role.DIRECTOR))
    return club
