"""Two labels of a match side by side: both figures, and where they differ first."""

from typing import Any

import pytest
from django.test import Client
from django.utils.timezone import now
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient

from clubs.models import AnalysesShown, Club, Visibility, WorkStatus
from scoring.files.services.imports import import_file
from scoring.models import Analysis, DecisionRow, FileAnalysis, Match
from scoring.rules.sides import Side
from scoring.theory.performance import Performance, sums_of
from tests.factories import ClubFactory
from tests.scoring.records import short_match
from tests.scoring.sgf_files import Play, game, roll

PLAYS = [Play("8/5 6/5", 0.16), Play("24/20", -0.02)]


@pytest.fixture
def club(db) -> Club:
    return ClubFactory.create(slug="bar-point", visibility=Visibility.PUBLIC)


def analysed_by_its_file(club: Club) -> Match:
    """A match whose file judges both plays: a blunder of 0.18 and the best play."""
    nodes = [
        roll("W", "31", "24/20", plays=PLAYS),
        roll("B", "64", "24/14", plays=[Play("24/14", 0.1), Play("8/2 6/2", 0.05)]),
    ]
    match, _ = import_file(
        club=club, filename="a.sgf", content=game(nodes, result="W+1R", length=1).encode(), final=True
    )
    assert match
    Analysis.objects.all().delete()
    return match


def ours(match: Match, label: str, errors: list[float]) -> Analysis:
    """An analysis in which the plays of the match lose so much."""
    sums = sums_of({side: Performance(checker_loss=sum(errors), checker_counted=10) for side in Side})
    analysis = Analysis.objects.create(
        match=match,
        head_seq=match.sheet.head_seq,
        head_hash=match.sheet.head_hash,
        engine=label.split(maxsplit=1)[0],
        preset="fast",
        label=label,
        status=WorkStatus.DONE,
        finished_at=now(),
        summary={"match": sums, "games": {}},
    )
    plays = match.sheet.events.filter(kind="play").order_by("seq").values_list("seq", flat=True)
    for number, (error, seq) in enumerate(zip(errors, plays, strict=False)):
        told: list[dict[str, Any]] = [
            {"action": "8/5 6/5", "equity": 0.2, "probabilities": None, "level": "2-ply", "position": "x"},
            {
                "action": "24/20",
                "equity": 0.2 - error,
                "probabilities": None,
                "level": "2-ply",
                "played": True,
            },
        ]
        DecisionRow.objects.create(
            analysis=analysis,
            number=number,
            event_seq=seq,
            game=1,
            ply=number + 1,
            kind="checker",
            colour=("white", "black")[number],
            played="24/20",
            candidates=told,
            error=error,
            counted=True,
        )
    return analysis


def test_the_files_analysis_is_one_more_label(client: Client, club):
    match = analysed_by_its_file(club)
    analysis = ours(match, "engine 1.2 fast@1 Kazaross-XG2", [0.03, 0.0])
    shown = client.get(f"/matches/{match.ref}/labels/").content.decode()
    assert shown.index("engine 1.2, fast") < shown.index("GNU Backgammon, from the file")
    assert "engine 1.2 fast@1 Kazaross-XG2" in shown
    assert "2 decisions are judged differently" in shown
    assert shown.index("−0.180") < shown.index(f"/matches/{match.ref}/2/#stage")
    one, two = FileAnalysis.objects.get().ref, analysis.ref
    turned = client.get(f"/matches/{match.ref}/labels/?one={one}&two={two}").content.decode()
    assert turned.index("GNU Backgammon, from the file") < turned.index("engine 1.2, fast")


def test_with_one_label_the_page_says_how_to_get_another(client: Client, club):
    match = analysed_by_its_file(club)
    assert "One analysis only" in client.get(f"/matches/{match.ref}/labels/").content.decode()
    told = APIClient().get(f"/api/v1/matches/{match.ref}/labels/").json()
    assert [each["label_words"] for each in told["labels"]] == ["GNU Backgammon, from the file"]
    assert (told["one"], told["two"], told["items"], told["next"]) == (None, None, [], None)


def long_pair(club: Club) -> Match:
    """A match whose 30 plays two labels judge differently, each by another amount."""
    match, _ = import_file(club=club, filename="a.mat", content=short_match("Ana", "Ben"), final=True)
    assert match
    Analysis.objects.all().delete()
    for label, factor in (("one 1 fast", 0.01), ("two 1 fast", 0.02)):
        analysis = ours(match, label, [0.0])
        seq, row = analysis.decisions.get().event_seq, analysis.decisions.get()
        rows = [
            DecisionRow(
                analysis=analysis,
                number=number,
                event_seq=seq,
                game=1,
                ply=number,
                kind="checker",
                colour="white",
                played="24/20",
                candidates=row.candidates,
                error=factor * number,
                counted=True,
            )
            for number in range(1, 31)
        ]
        DecisionRow.objects.bulk_create(rows)
    return match


def test_the_largest_differences_come_first_20_a_page(client: Client, club):
    match = long_pair(club)
    first = client.get(f"/matches/{match.ref}/labels/").content.decode()
    assert first.count('class="thumb"') == 20
    assert "start=20" in first
    second = client.get(f"/matches/{match.ref}/labels/?start=20").content.decode()
    assert second.count('class="thumb"') == 10
    assert 'start="21"' in second
    assert client.get(f"/matches/{match.ref}/labels/?start=x").status_code == 200
    api = APIClient()
    told = api.get(f"/api/v1/matches/{match.ref}/labels/").json()
    sizes = [round(item["size"], 3) for item in told["items"]]
    assert (told["total"], len(sizes), sizes[0]) == (30, 20, 0.3)
    assert sizes == sorted(sizes, reverse=True)
    rest = api.get(told["next"]).json()
    assert (len(rest["items"]), rest["next"]) == (10, None)
    assert rest["items"][0]["one"] | {"loss": 0} == {
        "best": "8/5 6/5",
        "loss": 0,
        "level": "2-ply",
        "counted": True,
    }


def test_the_api_refuses_an_analysis_of_another_match(club):
    match = long_pair(club)
    answer = APIClient().get(f"/api/v1/matches/{match.ref}/labels/?one=elsewhere")
    assert (answer.status_code, answer.json()["detail"]) == (
        404,
        "There is no analysis elsewhere of this match.",
    )
    assert APIClient().get(f"/api/v1/matches/{match.ref}/labels/?start=-1").status_code == 400


def test_the_page_takes_the_same_queries_for_any_number(
    client: Client, club, django_assert_num_queries: DjangoAssertNumQueries
):
    short, long = analysed_by_its_file(club), long_pair(club)
    ours(short, "one 1 fast", [0.03, 0.0])
    ours(short, "two 1 fast", [0.04, 0.0])
    for match in (short, Match.objects.get(pk=long.pk)):
        with django_assert_num_queries(8):
            client.get(f"/matches/{match.ref}/labels/")


def test_what_the_players_keep_is_not_shown(client: Client, club):
    match = analysed_by_its_file(club)
    ours(match, "engine 1 fast", [0.03, 0.0])
    Club.objects.update(analyses_shown=AnalysesShown.PLAYERS)
    assert client.get(f"/matches/{match.ref}/labels/").status_code == 403
    assert APIClient().get(f"/api/v1/matches/{match.ref}/labels/").status_code == 403
