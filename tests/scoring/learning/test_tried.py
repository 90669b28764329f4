"""Another play at a step of a match: what it costs by the stored analysis, or by the engine on request."""

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import AnalysesShown, Club
from scoring.log.queries.sheets import steps_of
from scoring.models import Depth, Match, PositionAnalysis
from scoring.rules.events import Played
from tests.factories import ClubFactory
from tests.scoring.learning.analysed import a_player, analysed_match

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    made: Club = ClubFactory.create()
    return made


@pytest.fixture
def match(club: Club) -> Match:
    """Its first play, 8/4 6/4 with 42, lost 0.2 against 24/20 13/11."""
    return analysed_match(club, a_player(club))


def address(match: Match) -> str:
    step = next(step for step in steps_of(match.sheet) if step.kind == Played.kind)
    return reverse("scoring:try_play", args=[match.ref, step.number])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("24/20 13/11", "24/20 13/11 is best."),
        ("13/11 24/20", "24/20 13/11 is best."),
        ("13/7", "13/7 costs 0.100. Best is 24/20 13/11."),
        ("8/4 6/4", "8/4 6/4 costs 0.200. Best is 24/20 13/11."),
        ("24/18", "24/18 is worse than every play listed, by at least 0.100. Best is 24/20 13/11."),
    ],
)
def test_a_play_says_what_it_costs(client: Client, match: Match, text: str, said: str) -> None:
    page = client.get(address(match), {"answer": text})
    assert page.status_code == 200
    assert said in page.content.decode()
    for arrow in ("Your play", "In the match"):
        assert f'<span class="key">{arrow}</span>' in page.content.decode()


def test_the_board_is_asked_first_and_again_with_what_was_wrong(client: Client, match: Match) -> None:
    page = client.get(address(match))
    assert 'id="answer"' in page.content.decode()
    assert "4-2. Your play?" in page.content.decode()
    assert address(match) in client.get(page.wsgi_request.path.replace("try/", "")).content.decode()
    for text, named in (("24/19", "24/19"), ("blunder", "blunder")):
        refused = client.get(address(match), {"answer": text})
        assert refused.status_code == 422
        assert f'value="{text}"' in refused.content.decode()
        assert named in refused.content.decode().split('id="answer-error">')[1].split("</p>")[0]


def test_a_step_without_a_roll_says_so(client: Client, match: Match) -> None:
    steps = steps_of(match.sheet)
    for number in (steps[-1].number, 9_999):
        page = client.get(reverse("scoring:try_play", args=[match.ref, number]))
        assert page.status_code == 200
        assert "No roll at this step" in page.content.decode()


def test_a_member_asks_the_engine_once_about_a_play_that_is_not_listed(client: Client, match: Match) -> None:
    assert client.post(address(match), {"answer": "24/18"}, follow=True).status_code == 200
    assert not PositionAnalysis.objects.exists()
    client.force_login(a_player(match.club))
    assert "Analyse this play" not in client.get(address(match), {"answer": "13/7"}).content.decode()
    assert "Analyse this play" in client.get(address(match), {"answer": "24/18"}).content.decode()
    for _each in range(2):
        client.post(address(match), {"answer": "24/18"})
    row = PositionAnalysis.objects.get()
    assert (row.level, row.question["played"]) == (Depth.STANDARD, "-b----E-C---eE---cAe----A-")
    page = client.get(address(match), {"answer": "24/18"}).content.decode()
    assert "waiting for the engine" in page
    assert "Analyse this play" not in page


def test_an_analysis_that_the_players_keep_is_not_told(client: Client, match: Match) -> None:
    Club.objects.update(analyses_shown=AnalysesShown.PLAYERS)
    assert client.get(address(match), {"answer": "13/7"}).status_code == 403
