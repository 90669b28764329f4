"""Ratings through the API: a list in its order, and every match's arithmetic."""

import pytest
from rest_framework.test import APIClient

from clubs.models import Club, Player
from clubs.people.services.merges import merge_players
from clubs.work import services as work
from scoring.models import RatingUpdate
from scoring.ratings.services.ratings import ask_for_update, update_list
from tests.factories import ClubFactory, MembershipFactory, PlayerFactory
from tests.scoring.factories import finish_match, open_match

pytestmark = pytest.mark.django_db
ADDRESS = "/api/v1/clubs/bar-point/ratings/"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create(slug="bar-point")


def play(club: Club, white: Player, black: Player, day: int) -> None:
    match = finish_match(open_match(club, white, black, day=day), "white")
    ask_for_update(match=match)
    while update := work.claim(RatingUpdate):
        update_list(update)


def players(*names: str) -> list[Player]:
    return [PlayerFactory.create(name=name) for name in names]


def test_a_list_is_paged_the_best_first(club):
    ana, ben, cleo, dan = players("Ana", "Ben", "Cleo", "Dan")
    play(club, ana, ben, 1)
    play(club, cleo, ana, 2)
    play(club, ana, dan, 3)
    found, address = [], f"{ADDRESS}?limit=3"
    while address:
        answer = APIClient().get(address).data
        found.append([(item["player"]["name"], item["matches"]) for item in answer["items"]])
        address = answer["next"]
    values = [item["value"] for item in APIClient().get(ADDRESS).data["items"]]
    assert sorted(found[0] + found[1]) == [("Ana", 3), ("Ben", 1), ("Cleo", 1), ("Dan", 1)]
    assert len(found[0]) == 3
    assert values == sorted(values, reverse=True)


def test_a_list_costs_the_same_for_two_and_for_many(club, django_assert_num_queries):
    for day in (1, 2, 3):
        ana, ben = players("Ana", "Ben")
        play(club, ana, ben, day)
        with django_assert_num_queries(2):
            APIClient().get(ADDRESS)


def test_a_players_matches_show_their_arithmetic(club, django_assert_num_queries):
    ana, *others = players("Ana", "Ben", "Cleo", "Dan")
    for day, other in enumerate(others):
        play(club, ana, other, day)
        with django_assert_num_queries(3):
            answer = APIClient().get(f"{ADDRESS}{ana.ref}/")
    items = answer.data["items"]
    assert [(item["number"], item["opponent"]["name"], item["won"]) for item in items] == [
        (3, "Dan", True),
        (2, "Cleo", True),
        (1, "Ben", True),
    ]
    for item in items:
        gain = 4 * item["k"] * item["weight"] ** 0.5 * (1 - item["probability"])
        assert item["after"] == pytest.approx(item["before"] + gain)
    assert items[0]["before"] == items[1]["after"]
    first = APIClient().get(f"{ADDRESS}{ana.ref}/", {"limit": 2}).data
    assert [item["number"] for item in APIClient().get(first["next"]).data["items"]] == [1]


def test_a_guests_matches_are_found_under_the_player_they_turned_out_to_be(club):
    guest, other, ana = players("bglover", "other", "Ana")
    play(club, guest, other, 1)
    merge_players(guest=guest, into=ana)
    while update := work.claim(RatingUpdate):
        update_list(update)
    merged, own = (APIClient().get(f"{ADDRESS}{player.ref}/").data for player in (guest, ana))
    assert [item["opponent"]["name"] for item in merged["items"]] == ["other"]
    assert merged["items"] == own["items"]


def test_a_player_whom_nobody_knows_is_not_an_empty_list(club):
    MembershipFactory.create(club=club, player=PlayerFactory.create())
    (unknown,) = players("Nobody")
    assert APIClient().get(f"{ADDRESS}{unknown.ref}/").status_code == 404
    assert APIClient().get(f"{ADDRESS}2222222222/").status_code == 404


def test_a_list_that_has_not_changed_is_not_sent_again(club):
    ana, ben = players("Ana", "Ben")
    play(club, ana, ben, 1)
    tag = APIClient().get(ADDRESS).headers["ETag"]
    assert APIClient().get(ADDRESS, headers={"If-None-Match": tag}).status_code == 304
    play(club, ana, ben, 2)
    assert APIClient().get(ADDRESS, headers={"If-None-Match": tag}).status_code == 200
