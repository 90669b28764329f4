"""The engine of an installation and of a club, and a second one on request."""

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import Club, Role, Scope, WorkStatus
from scoring.analysis.queries.engines import (
    EngineChoice,
    EngineNotOffered,
    asked_for,
    of_club,
    of_installation,
    offered,
)
from scoring.analysis.services.analyses import (
    MOST_WAITING,
    TooManyAnalyses,
    request_analysis,
    request_by_member,
)
from scoring.analysis.services.club_engines import choose_engine
from scoring.engines.registry import installed_engines
from scoring.files.services.imports import import_file
from scoring.models import Analysis, ClubEngine, Match
from tests.clubs.api.clients import with_token
from tests.factories import ClubFactory, member
from tests.races import at_once
from tests.scoring.records import short_match

OTHER = next((each for each in offered() if each.engine != of_installation().engine), offered()[-1])
"""An engine and preset that are not those of the tests' settings."""


@pytest.fixture
def club(db) -> Club:
    return ClubFactory.create(slug="bar-point")


def a_match(club: Club, number: int = 0) -> Match:
    made, _ = import_file(club=club, filename="a.mat", content=short_match(f"Ana {number}", f"Ben {number}"))
    assert made
    Analysis.objects.filter(match=made).delete()
    return made


def test_a_club_without_a_choice_follows_the_installation(club, settings):
    settings.ANALYSIS_ENGINE = ""
    usual = of_installation()
    assert usual == EngineChoice(installed_engines()[0], settings.ANALYSIS_PRESET)
    assert of_club(club) == usual
    settings.ANALYSIS_ENGINE = OTHER.engine
    assert of_club(club).engine == OTHER.engine


def test_a_club_chooses_among_those_installed(club):
    assert choose_engine(club=club, engine=OTHER.engine, preset=OTHER.preset) == OTHER
    assert of_club(club) == OTHER
    analysis = request_analysis(match=a_match(club))
    assert analysis
    assert (analysis.engine, analysis.preset) == (OTHER.engine, OTHER.preset)
    assert of_club(ClubFactory.create()) == of_installation()
    assert choose_engine(club=club) is None
    assert of_club(club) == of_installation()


def test_a_choice_that_is_not_installed_any_more_gives_way(club):
    ClubEngine.objects.create(club=club, engine="snowie", preset="fast")
    assert of_club(club) == of_installation()


@pytest.mark.parametrize(
    ("engine", "preset", "words"),
    [
        ("snowie", "", f"The engine snowie is not installed here. Installed: {installed_engines()[0]}"),
        (OTHER.engine, "42-ply", f"has no preset 42-ply for matches. Choose one of: .*{OTHER.preset}"),
        (OTHER.engine, "rollout", "has no preset rollout for matches"),
    ],
)
def test_a_refusal_names_what_is_there(club, engine, preset, words):
    with pytest.raises(EngineNotOffered, match=words):
        asked_for(club, engine=engine, preset=preset)
    with pytest.raises(EngineNotOffered, match=words):
        choose_engine(club=club, engine=engine, preset=preset)


def test_a_second_engine_is_another_analysis_once(club):
    match, user = a_match(club), member(club)
    first = request_by_member(match=match, user=user)
    second = request_by_member(match=match, user=user, engine=OTHER.engine, preset=OTHER.preset)
    assert first
    assert second
    assert first != second
    assert request_by_member(match=match, user=user, engine=OTHER.engine, preset=OTHER.preset) == second
    assert Analysis.objects.count() == 2


def test_a_member_has_a_few_analyses_waiting_at_most(club):
    user = member(club)
    matches = [a_match(club, number) for number in range(MOST_WAITING + 1)]
    for match in matches[:-1]:
        request_by_member(match=match, user=user)
    with pytest.raises(TooManyAnalyses, match=f"{MOST_WAITING} analyses that you requested are waiting"):
        request_by_member(match=matches[-1], user=user)
    assert request_by_member(match=matches[0], user=user) is not None
    assert request_by_member(match=matches[-1], user=member(club)) is not None
    Analysis.objects.filter(match=matches[0]).update(status=WorkStatus.FAILED)
    assert Analysis.objects.filter(match=matches[-1]).count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_requests_at_once_do_not_exceed_the_limit():
    club = ClubFactory.create()
    user = member(club)
    matches = [a_match(club, number) for number in range(MOST_WAITING + 1)]
    for match in matches[2:]:
        request_by_member(match=match, user=user)
    outcomes = at_once(*(lambda m=match: request_by_member(match=m, user=user) for match in matches[:2]))
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Analysis", "TooManyAnalyses"]


def test_an_owner_chooses_on_the_page(client: Client, club):
    client.force_login(member(club, role=Role.OWNER))
    page = reverse("scoring:club_analysis", args=[club.slug])
    assert OTHER.words in client.get(page).content.decode()
    answer = client.post(page, {"engine": OTHER.key})
    assert answer.headers["Location"] == reverse("clubs:edit_club", args=[club.slug])
    assert of_club(club) == OTHER
    assert client.get(page).context["form"]["engine"].value() == OTHER.key
    assert "snowie" in client.post(page, {"engine": "snowie:fast"}).content.decode()
    assert of_club(club) == OTHER
    client.post(page, {"engine": ""})
    assert of_club(club) == of_installation()


def test_the_api_tells_and_sets_the_engine_of_a_club(club, settings):
    address = f"/api/v1/clubs/{club.slug}/analysis/"
    owner = with_token(member(club, role=Role.OWNER), Scope.DIRECT)
    settings.ANALYSIS_ENGINE = ""
    usual = of_installation()
    told = owner.get(address).json()
    assert told["used"] == {"engine": usual.engine, "preset": usual.preset, "words": usual.words}
    assert told["follows_installation"] is True
    assert [each["words"] for each in told["offered"]] == [each.words for each in offered()]
    told = owner.put(address, {"engine": OTHER.engine, "preset": OTHER.preset}, format="json").json()
    assert (told["used"]["words"], told["follows_installation"]) == (OTHER.words, False)
    refused = owner.put(address, {"engine": "snowie"}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "engine_not_offered")
    assert with_token(member(club), Scope.DIRECT).put(address, {"engine": ""}).status_code == 403


def test_the_api_asks_a_second_engine(club):
    match, client = a_match(club), with_token(member(club))
    address = f"/api/v1/matches/{match.ref}/analyses/"
    usual = client.post(address).json()
    other = client.post(address, {"engine": OTHER.engine, "preset": OTHER.preset}, format="json").json()
    assert (other["engine"], other["preset"]) == (OTHER.engine, OTHER.preset)
    assert usual["ref"] != other["ref"]
    refused = client.post(address, {"engine": "snowie"}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "engine_not_offered")
    assert "Installed: " in refused.json()["detail"]


def test_the_page_asks_a_second_engine(client: Client, club):
    match = a_match(club)
    client.force_login(member(club))
    analyse = reverse("scoring:analyse", args=[match.ref])
    assert client.post(analyse, {"engine": OTHER.key}).headers["Location"] == match.get_absolute_url()
    assert Analysis.objects.get().engine == OTHER.engine
    answer = client.post(analyse, {"engine": "snowie:fast"}, follow=True)
    assert "The engine snowie is not installed here." in answer.content.decode()
