"""Analyses through the API: asked for once, watched, read decision by decision."""

import pytest
from django.utils.timezone import now
from rest_framework.test import APIClient

from clubs.models import Club, Visibility, WorkStatus
from scoring.files.services.imports import import_file
from scoring.models import Analysis, DecisionRow, Match
from tests.clubs.api.clients import with_token
from tests.factories import ClubFactory, PlayerFactory, member
from tests.scoring.factories import open_match
from tests.scoring.records import short_match

pytestmark = pytest.mark.django_db
SUMS = {"decisions": 2, "counted": 2, "error": 0.1, "blunders": 0}


@pytest.fixture
def club() -> Club:
    return ClubFactory.create(slug="bar-point")


@pytest.fixture
def match(club) -> Match:
    made, _ = import_file(club=club, filename="a.mat", content=short_match("Ana", "Ben"))
    assert made
    Analysis.objects.all().delete()  # the one that an import asks for
    return made


def judged(match: Match, decisions: int, preset: str = "fast") -> Analysis:
    """An analysis that is done, with so many decisions of White's."""
    analysis = Analysis.objects.create(
        match=match,
        head_seq=match.sheet.head_seq,
        head_hash=match.sheet.head_hash,
        preset=preset,
        label="engine 1 fast",
        status=WorkStatus.DONE,
        finished_at=now(),
    )
    DecisionRow.objects.bulk_create(
        DecisionRow(
            analysis=analysis,
            number=number,
            event_seq=number + 2,
            game=1,
            ply=number,
            kind="checker",
            colour="white",
            played="8/4 6/4",
            candidates=[{"play": "8/4 6/4", "equity": 0.1}],
            error=0.0,
            counted=True,
        )
        for number in range(decisions)
    )
    return analysis


def test_a_match_is_analysed_once_however_often_one_asks(club, match):
    client = with_token(member(club))
    address = f"/api/v1/matches/{match.ref}/analyses/"
    first = client.post(address, headers={"Idempotency-Key": "k"})
    assert first.status_code == 202
    assert first.json()["status"] == "queued"
    assert first.json()["pr"] is None
    assert first.headers["Location"] == first.json()["url"]
    for answer in (client.post(address), client.post(address, headers={"Idempotency-Key": "k"})):
        assert (answer.status_code, answer.json()["ref"]) == (202, first.json()["ref"])
    assert Analysis.objects.count() == 1
    assert client.get(address).data["items"] == [first.json()]


def test_a_match_without_plays_is_not_analysed(club):
    match = open_match(club, PlayerFactory.create(), PlayerFactory.create())
    answer = with_token(member(club)).post(f"/api/v1/matches/{match.ref}/analyses/")
    assert (answer.status_code, answer.data["detail"]) == (
        409,
        "This match has no recorded plays to analyse.",
    )


def test_the_analyses_of_a_match_cost_the_same_for_one_and_for_many(match, django_assert_num_queries):
    address = f"/api/v1/matches/{match.ref}/analyses/"
    for presets in (["a"], ["b", "c", "d"]):
        for preset in presets:
            judged(match, 1, preset)
        with django_assert_num_queries(3):
            APIClient().get(address)
    listed = APIClient().get(address, {"limit": 3}).data
    assert [item["preset"] for item in listed["items"]] == ["d", "c", "b"]
    assert [item["preset"] for item in APIClient().get(listed["next"]).data["items"]] == ["a"]


def test_decisions_are_paged_in_their_order_at_one_price(match, django_assert_num_queries):
    analysis = judged(match, 7)
    found, address = [], f"/api/v1/analyses/{analysis.ref}/decisions/?limit=3"
    while address:
        with django_assert_num_queries(4):
            answer = APIClient().get(address)
        found += answer.data["items"]
        address = answer.data["next"]
    assert [item["number"] for item in found] == list(range(7))
    assert found[0]["candidates"] == [{"play": "8/4 6/4", "equity": 0.1}]


def test_an_analysis_is_tagged(match):
    analysis = judged(match, 1)
    address = f"/api/v1/analyses/{analysis.ref}/"
    tag = APIClient().get(address).headers["ETag"]
    assert APIClient().get(address, headers={"If-None-Match": tag}).status_code == 304
    Analysis.objects.update(label="another")
    assert APIClient().get(address, headers={"If-None-Match": tag}).status_code == 200


def test_an_analysis_of_a_hidden_match_is_not_there(club, match):
    analysis = judged(match, 1)
    Club.objects.update(visibility=Visibility.MEMBERS)
    hidden = APIClient().get(f"/api/v1/analyses/{analysis.ref}/")
    absent = APIClient().get("/api/v1/analyses/2222222222/")
    assert hidden.status_code == absent.status_code == 404
    assert hidden.data["detail"] == f"There is no analysis {analysis.ref}."
    assert absent.data["detail"] == "There is no analysis 2222222222."
