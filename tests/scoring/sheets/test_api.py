"""Opening matches for their sheets through the API."""

from datetime import UTC, datetime

import pytest

from clubs.models import Club
from scoring.models import Match
from tests.clubs.api.clients import with_token
from tests.factories import ClubFactory, member

pytestmark = pytest.mark.django_db
ADDRESS = "/api/v1/clubs/bar-point/matches/"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create(slug="bar-point")


def test_doubles_with_a_handicap_played_earlier(club: Club):
    users = [member(club, name=name) for name in ("Ana", "Ben", "Carla", "Dan")]
    refs = [user.player.ref for user in users]
    body = {"white": refs[:2], "black": refs[2:], "length": 7, "profile": "us", "handicap_black": 2}
    client = with_token(users[0])
    opened = client.post(ADDRESS, body | {"played_at": "2026-07-01T20:30:00+02:00"}, format="json")
    assert opened.status_code == 201
    assert [player["name"] for player in opened.data["black"]["players"]] == ["Carla", "Dan"]
    assert Match.objects.get().played_at == datetime(2026, 7, 1, 18, 30, tzinfo=UTC)
    sheet = client.get(f"/api/v1/matches/{opened.data['ref']}/sheet/").data
    assert (sheet["black"]["points"], sheet["profile"]["name"]) == (2, "us")


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"played_at": "2999-01-01T00:00:00Z"}, 422, "played_at"),
        ({"played_at": "0001-01-01T00:00:00+10:00"}, 400, "invalid"),
        ({"played_at": "yesterday"}, 400, "invalid"),
        ({"handicap_white": 7}, 422, "start_points"),
        ({"length": 0, "handicap_white": 1}, 422, "start_points"),
        ({"profile": "house"}, 422, "profile_name"),
    ],
)
def test_a_match_that_cannot_be_is_refused(club: Club, change: dict[str, object], status: int, code: str):
    users = [member(club, name=name) for name in ("Ana", "Ben")]
    body = {"white": [users[0].player.ref], "black": [users[1].player.ref], "length": 7} | change
    answer = with_token(users[0]).post(ADDRESS, body, format="json")
    assert (answer.status_code, answer.data["code"]) == (status, code), answer.data
    assert not Match.objects.exists()
