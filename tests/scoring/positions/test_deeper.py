"""A deeper look at one decision of a match: for members, beside the stored analysis."""

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import Club, Role, WorkStatus
from clubs.work import services as work
from scoring.analysis.queries.label_words import label_words
from scoring.files.services.imports import import_file
from scoring.models import Match, PositionAnalysis
from scoring.positions.queries.answers import answer_of
from scoring.positions.services.positions import run_position
from tests.factories import ClubFactory, UserFactory, member
from tests.scoring.records import short_match

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return ClubFactory.create(slug="bar-point")


@pytest.fixture
def match(club: Club) -> Match:
    made, _ = import_file(club=club, filename="a.mat", content=short_match("Ana", "Ben"), final=True)
    assert made
    return made


def address(match: Match, step: int = 1) -> str:
    return reverse("scoring:deeper", args=[match.ref, step])


def signed_in(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_a_member_asks_and_sees_the_answer(club: Club, match: Match) -> None:
    client = signed_in(member(club, Role.MEMBER))
    body = {"decision": "play", "level": "deep"}
    asked = client.post(address(match), body, headers={"HX-Request": "true"}).content.decode()
    assert "waiting for the engine" in asked
    assert "Stop analysis" in asked
    client.post(address(match), body)
    row = PositionAnalysis.objects.get()  # two requests, one row
    claimed = work.claim(PositionAnalysis, ref=row.ref)
    assert claimed is not None
    run_position(claimed)
    row.refresh_from_db()
    assert row.status == WorkStatus.DONE, row.error
    decision = answer_of(row).decision
    assert decision is not None
    assert [each.action for each in decision.candidates if each.played] == ["8/4 6/4"]
    page = client.get(reverse("scoring:step", args=[match.ref, 1])).content.decode()
    part = page[page.index('id="deeper"') :]
    assert label_words(row.label) in part
    assert "8/4 6/4" in part


def test_the_page_costs_one_query_however_much_is_known(
    club: Club, match: Match, django_assert_num_queries
) -> None:
    client = signed_in(member(club, Role.MEMBER))
    client.get(address(match))
    counts = []
    for level in ("", "deep"):
        if level:
            client.post(address(match), {"decision": "play", "level": level})
        with django_assert_num_queries(6):
            counts.append(client.get(address(match)).content.count(b"data-live"))
    assert counts == [0, 2]


def test_only_a_decision_with_a_verdict_is_analysed_deeper(club: Club, match: Match) -> None:
    client = signed_in(member(club, Role.MEMBER))
    page = client.get(reverse("scoring:step", args=[match.ref, 1])).content.decode()
    assert "Analyse decision" in page
    assert "Analyse deeper" not in page
    beside = client.get(address(match), {"decision": "play", "stored": ""}).content.decode()
    assert "Analyse deeper" in beside
    assert '<input type="hidden" name="stored">' in beside


def test_only_members_ask(match: Match) -> None:
    body = {"decision": "play", "level": "deep"}
    for client in (Client(), signed_in(UserFactory.create())):
        answer = client.post(address(match), body, headers={"HX-Request": "true"})
        assert "Only members of" in answer.content.decode()
    assert not PositionAnalysis.objects.exists()


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"decision": "play", "level": "endless"}, "“endless” is not a level"),
        ({"decision": "cube", "level": "deep"}, "nothing to analyse"),
    ],
)
def test_wrong_input_is_refused(club: Club, match: Match, body, words) -> None:
    client = signed_in(member(club, Role.MEMBER))
    answer = client.post(address(match), body, headers={"HX-Request": "true"})
    assert words in answer.content.decode()
    assert not PositionAnalysis.objects.exists()


def test_a_step_that_the_match_does_not_have(club: Club, match: Match) -> None:
    assert signed_in(member(club, Role.MEMBER)).get(address(match, 99)).status_code == 404
