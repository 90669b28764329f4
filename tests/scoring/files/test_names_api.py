"""Names in files through the API: claimed by members, settled by directors."""

import pytest

from clubs.models import Club, Role
from scoring.files.services.aliases import player_named
from scoring.models import Alias
from tests.clubs.api.clients import with_token
from tests.factories import ClubFactory, member
from tests.scoring.factories import finish_match, open_match

pytestmark = pytest.mark.django_db
ADDRESS = "/api/v1/clubs/bar-point/names/"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create(slug="bar-point")


def rated_name(club: Club, name: str) -> Alias:
    """A name in a file of a final match: a claim to it waits for a director."""
    guest, other = player_named(club=club, name=name), player_named(club=club, name=f"{name}'s opponent")
    finish_match(open_match(club, guest, other), "white")
    return Alias.objects.get(player=guest)


def test_the_names_of_a_club_are_listed_in_order_at_one_price(club, django_assert_num_queries):
    client = with_token(member(club, Role.DIRECTOR))
    client.get(ADDRESS)  # the token's last use is written at most once a minute
    for names in (["Cleo"], ["Ana", "Ben", "Dan"]):
        for name in names:
            player_named(club=club, name=name)
        with django_assert_num_queries(4):
            answer = client.get(ADDRESS)
    assert [item["name"] for item in answer.data["items"]] == ["Ana", "Ben", "Cleo", "Dan"]
    first = client.get(ADDRESS, {"limit": 3}).data
    assert [item["name"] for item in client.get(first["next"]).data["items"]] == ["Dan"]


def test_a_claim_waits_and_the_director_settles_it(club):
    alias, user = rated_name(club, "bglover"), member(club, name="Ana")
    claimed = with_token(user).post(f"/api/v1/names/{alias.ref}/claim/")
    assert (claimed.status_code, claimed.data["claimed_by"]) == (200, {"ref": user.player.ref, "name": "Ana"})
    assert claimed.data["confirmed_at"] is None
    director = with_token(member(club, Role.DIRECTOR))
    settled = director.post(f"{ADDRESS}{alias.ref}/assign/", {}, format="json")
    assert (settled.data["player"]["name"], settled.data["claimed_by"]) == ("Ana", None)


def test_a_second_claim_does_not_push_the_first_aside(club):
    alias = rated_name(club, "bglover")
    first, second = member(club, name="Ana"), member(club, name="Ben")
    with_token(first).post(f"/api/v1/names/{alias.ref}/claim/")
    refused = with_token(second).post(f"/api/v1/names/{alias.ref}/claim/")
    assert (refused.status_code, refused.data["code"]) == (409, "conflict")
    assert "A director must decide" in refused.data["detail"]
    alias.refresh_from_db()
    assert alias.claimed_by == first.player
    again = with_token(first).post(f"/api/v1/names/{alias.ref}/claim/")
    assert again.status_code == 200
    with_token(member(club, Role.DIRECTOR)).post(f"{ADDRESS}{alias.ref}/refuse/")
    assert with_token(second).post(f"/api/v1/names/{alias.ref}/claim/").status_code == 200


def test_a_claim_under_one_key_is_one_claim(club):
    alias, client = rated_name(club, "bglover"), with_token(member(club))
    address = f"/api/v1/names/{alias.ref}/claim/"
    first, second = (client.post(address, headers={"Idempotency-Key": "k"}) for _ in range(2))
    assert first.content == second.content
    assert second.headers["Idempotency-Replayed"] == "true"


@pytest.mark.parametrize(
    ("body", "field", "code"),
    [
        ({"player": "2222222222"}, "player", "unknown_player"),
        ({"player": ""}, "player", "blank"),
        ({"name": "Ana"}, "name", "unknown_field"),
    ],
)
def test_a_name_means_somebody_of_the_club(club, body, field, code):
    alias, client = rated_name(club, "bglover"), with_token(member(club, Role.DIRECTOR))
    answer = client.post(f"{ADDRESS}{alias.ref}/assign/", body, format="json")
    assert answer.status_code == 400
    assert [(error["field"], error["code"]) for error in answer.data["errors"]] == [(field, code)]


def test_the_name_of_another_club_is_not_there(club):
    alias = rated_name(ClubFactory.create(), "bglover")
    director = with_token(member(club, Role.DIRECTOR))
    for address in (
        f"{ADDRESS}{alias.ref}/assign/",
        f"{ADDRESS}{alias.ref}/refuse/",
        f"/api/v1/names/{alias.ref}/claim/",
    ):
        assert director.post(address).status_code == 404
