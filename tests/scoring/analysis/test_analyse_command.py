"""`manage.py analyse`: a file or a match of the site, analysed at once, and nothing stored."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from deploy.launch import needs_engines
from scoring.files.services.imports import import_file
from scoring.models import Analysis, DecisionRow
from tests.factories import ClubFactory
from tests.scoring.sgf_files import Play, game, roll

OPTIONS = {"engine": "gammonview", "preset": "fast"}
TWO_PLAYS = game(
    [roll("W", "31", "24/20", plays=[Play("24/20", 0.0)]), roll("B", "64", "24/14")], result="W+1R", length=1
)


def said(match: str, **options: object) -> str:
    out = StringIO()
    call_command("analyse", match, stdout=out, **OPTIONS, **options)
    return out.getvalue()


def test_a_file_is_analysed_without_a_database(tmp_path):
    file = tmp_path / "two.sgf"
    file.write_text(TWO_PLAYS)
    found = json.loads(said(str(file), json=True))
    assert found["match"] == str(file)
    assert found["label"].startswith("gammonview ")
    assert [decision["kind"] for decision in found["decisions"]] == ["checker", "checker"]
    first = found["decisions"][0]
    assert (first["played"], first["counted"]) == ("24/20", True)
    assert first["error"] > 0.05
    assert found["players"][0]["pr"] == pytest.approx(500 * first["error"])
    assert [player["counted"] for player in found["players"]] == [1, 1]
    assert found["cpu_s"] > 0


def test_a_file_needs_no_database_and_a_match_does(tmp_path):
    file = tmp_path / "two.sgf"
    file.touch()
    assert not needs_engines(["analyse", "--json", str(file)])
    assert needs_engines(["analyse", "q7wmx2"])


def test_in_words_the_errors_follow_the_rates(tmp_path):
    file = tmp_path / "two.sgf"
    file.write_text(TWO_PLAYS)
    label, *players_and_errors = said(str(file)).splitlines()
    assert label.startswith("gammonview ")
    assert label.endswith("CPU seconds")
    assert "PR " in players_and_errors[0]
    assert ": 24/20, best 8/5 6/5, loses 0." in players_and_errors[2]


@pytest.mark.django_db
def test_a_match_of_the_site_is_analysed_and_nothing_is_stored():
    match, _ = import_file(
        club=ClubFactory.create(), filename="two.sgf", content=TWO_PLAYS.encode(), final=True
    )
    assert match
    before = Analysis.objects.count()
    found = json.loads(said(match.ref, json=True))
    assert [player["player"] for player in found["players"]] == [match.white.name, match.black.name]
    assert [decision["played"] for decision in found["decisions"]] == ["24/20", "24/14"]
    assert (Analysis.objects.count(), DecisionRow.objects.count()) == (before, 0)


@pytest.mark.django_db
def test_what_is_neither_a_file_nor_a_match_is_named(tmp_path):
    with pytest.raises(CommandError, match="no file 'nothing', and no match with that ref"):
        said("nothing")
    broken = tmp_path / "broken.mat"
    broken.write_text("7 point match\n")
    with pytest.raises(CommandError, match=r"broken\.mat: "):
        said(str(broken))


def test_an_unknown_preset_is_named(tmp_path):
    file = tmp_path / "two.sgf"
    file.write_text(TWO_PLAYS)
    with pytest.raises(CommandError, match="preset '9ply'"):
        call_command("analyse", str(file), engine="gammonview", preset="9ply")
