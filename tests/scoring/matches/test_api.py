"""Matches through the API: what a list says, how it is filtered and paged, what a repeated request does."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from clubs.models import Club, Role
from scoring.files.services.imports import import_file
from scoring.log.queries.writers import Author
from scoring.models import Confirmation, Match
from scoring.rules.sides import Side
from scoring.sheets.services.claims import make_claim
from scoring.sheets.services.entries import Entry, record
from tests.clubs.api.clients import with_token
from tests.factories import ClubFactory, MembershipFactory, PlayerFactory, member
from tests.scoring.factories import finish_match, open_match
from tests.scoring.records import short_match
from tests.scoring.sheets.writing import author, two_players, win

pytestmark = pytest.mark.django_db
ADDRESS = "/api/v1/clubs/bar-point/matches/"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create(slug="bar-point")


def matches(club: Club, count: int) -> list[Match]:
    """Won by White one day after the other, the last still being played."""
    made = [
        open_match(club, PlayerFactory.create(name=f"W{day}"), PlayerFactory.create(name=f"B{day}"), day=day)
        for day in range(count)
    ]
    return [finish_match(match, "white") for match in made[:-1]] + made[-1:]


def unconfirmed(club: Club) -> Match:
    played = open_match(club, PlayerFactory.create(), PlayerFactory.create())
    return finish_match(played, "white", final=False)


def refs(answer) -> list[str]:
    return [item["ref"] for item in answer.data["items"]]


def test_a_match_says_who_played_and_how_it_ended(club):
    ana, ben = PlayerFactory.create(name="Ana"), PlayerFactory.create(name="Ben")
    match = finish_match(open_match(club, ana, ben, length=7), "black", final=False)
    answer = APIClient().get(f"/api/v1/matches/{match.ref}/")
    assert answer.data == {
        "ref": match.ref,
        "club": "bar-point",
        "length": 7,
        "played_at": "2026-01-01T19:00:00Z",
        "status": "finished",
        "white": {"players": [{"ref": ana.ref, "name": "Ana"}], "points": 0},
        "black": {"players": [{"ref": ben.ref, "name": "Ben"}], "points": 7},
        "winner": "black",
        "ended": "played",
        "final": False,
        "final_at": None,
        "final_by": None,
        "url": f"http://testserver/api/v1/matches/{match.ref}/",
        "page": f"http://testserver/matches/{match.ref}/",
        "sources": [],
    }
    listed = {name: value for name, value in answer.data.items() if name != "sources"}
    assert APIClient().get(ADDRESS).data == {"items": [listed], "next": None}


def test_a_match_that_is_being_played_has_no_points_yet(club):
    (match,) = matches(club, 1)
    answer = APIClient().get(f"/api/v1/matches/{match.ref}/").data
    assert (answer["status"], answer["winner"], answer["ended"], answer["final"]) == (
        "playing",
        None,
        None,
        False,
    )
    assert answer["white"]["points"] is answer["black"]["points"] is None


def test_pages_hold_every_match_once_the_newest_first(club):
    made = matches(club, 5)
    found, address = [], f"{ADDRESS}?limit=2"
    while address:
        answer: Any = APIClient().get(address)
        found.append(refs(answer))
        address = answer.data["next"]
    newest = [match.ref for match in reversed(made)]
    assert found == [newest[:2], newest[2:4], newest[4:]]


def test_matches_are_found_by_player_and_by_status(club):
    first, second, playing = matches(club, 3)
    client = APIClient()
    player = first.white.players[0]
    again = open_match(club, PlayerFactory.create(), player, day=9)
    assert refs(client.get(ADDRESS, {"player": str(player.ref)})) == [again.ref, first.ref]
    assert refs(client.get(ADDRESS, {"status": "finished"})) == [second.ref, first.ref]
    assert refs(client.get(ADDRESS, {"status": "playing", "player": str(player.ref)})) == [again.ref]
    assert refs(client.get(ADDRESS, {"player": "2222222222"})) == []
    following = client.get(f"{ADDRESS}?status=finished&limit=1").data["next"]
    assert refs(client.get(following)) == [first.ref]
    assert playing.ref not in refs(client.get(ADDRESS, {"status": "finished"}))


@pytest.mark.parametrize(
    ("query", "field", "code"),
    [
        ("status=lost", "status", "invalid_choice"),
        ("status=", "status", "blank"),
        ("player=", "player", "blank"),
        ("status=finished&status=void", "status", "repeated"),
        ("winner=white", "winner", "unknown_parameter"),
        ("after=nonsense", "after", "invalid"),
    ],
)
def test_a_filter_that_cannot_be_meant_is_an_error(club, query, field, code):
    answer = APIClient().get(f"{ADDRESS}?{query}")
    assert answer.status_code == 400
    assert [(error["field"], error["code"]) for error in answer.data["errors"]] == [(field, code)]


def test_a_list_costs_the_same_for_one_match_and_for_many(club, django_assert_num_queries):
    for count in (1, 4):
        matches(club, count)
        with django_assert_num_queries(4):
            APIClient().get(ADDRESS)


def test_what_has_not_changed_is_not_sent_again(club):
    match, _ = matches(club, 2)
    address = f"/api/v1/matches/{match.ref}/"
    for asked in (address, ADDRESS):
        tag = APIClient().get(asked).headers["ETag"]
        assert APIClient().get(asked, headers={"If-None-Match": tag}).status_code == 304
    tag = APIClient().get(address).headers["ETag"]
    Match.objects.filter(pk=match.pk).update(length=9)
    assert APIClient().get(address, headers={"If-None-Match": tag}).status_code == 200


def test_the_events_of_a_match_are_its_log(club, django_assert_num_queries):
    match, _ = import_file(club=club, filename="a.mat", content=short_match("Ana", "Ben"))
    assert match
    with django_assert_num_queries(2):
        answer = APIClient().get(f"/api/v1/matches/{match.ref}/events/", {"limit": 3})
    assert [item["seq"] for item in answer.data["items"]] == [1, 2, 3]
    assert answer.data["items"][0]["kind"] == "match_start"
    rest = APIClient().get(answer.data["next"].replace("limit=3", "limit=200")).data["items"]
    assert [item["seq"] for item in rest] == list(range(4, match.sheet.head_seq + 1))
    assert rest[-1]["hash"] == match.sheet.head_hash


def reported(club):
    """A match that a scorer has written to its end: nobody has said yes yet."""
    match = two_players(1, club=club)
    claim, _code = make_claim(match=match, author=author(match, "white"))
    record(match=match, author=Author(claim=claim), after=1, entries=[Entry("a", win(Side.WHITE))])
    return match


def test_a_directors_yes_settles_a_result_and_is_given_once(club):
    match = reported(club)
    client = with_token(member(club, Role.DIRECTOR))
    address = f"/api/v1/matches/{match.ref}/confirmations/"
    first = client.post(address, headers={"Idempotency-Key": "k"})
    again = client.post(address, headers={"Idempotency-Key": "k"})
    assert (first.status_code, first.json()["result"]["final"]) == (200, True)
    assert again.content == first.content
    assert again.headers["Idempotency-Replayed"] == "true"
    assert Confirmation.objects.get(match=match).side == ""


def test_a_players_yes_is_for_the_own_side(club):
    match = reported(club)
    white = author(match, "white").user
    assert white is not None
    answer = with_token(white).post(f"/api/v1/matches/{match.ref}/confirmations/")
    assert (answer.status_code, answer.data["result"]["final"]) == (200, False)
    assert answer.data["result"]["waiting_for"] == ["Ben"]
    assert Confirmation.objects.get(match=match).side == "white"


def test_who_neither_plays_nor_directs_is_told_so(club):
    match = reported(club)
    answer = with_token(member(club)).post(f"/api/v1/matches/{match.ref}/confirmations/")
    assert (answer.status_code, answer.data["code"]) == (403, "forbidden")
    assert "Only its players" in answer.data["detail"]
    assert not Confirmation.objects.exists()


def test_an_unfinished_match_has_nothing_to_say_yes_to(club):
    (match,) = matches(club, 1)
    answer = with_token(member(club, Role.DIRECTOR)).post(f"/api/v1/matches/{match.ref}/confirmations/")
    assert answer.status_code == 409
    assert "not finished" in answer.data["detail"]


def test_doubles_are_shown_in_order_and_at_the_same_price(club, django_assert_num_queries):
    (match,) = matches(club, 1)
    partner = PlayerFactory.create(name="Partner")
    match.white.seats.create(match=match, player=partner, order=1)
    MembershipFactory.create(club=club, player=partner)
    with django_assert_num_queries(5):
        answer = APIClient().get(f"/api/v1/matches/{match.ref}/")
    assert [player["name"] for player in answer.data["white"]["players"]] == ["W0", "Partner"]
