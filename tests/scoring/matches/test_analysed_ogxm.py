"""A file with an analysis is the same match, and is read again as one more label of it.

gammonview's own library counts the same error rates in OGXM.
"""

import json
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from gvformat import compute_aggregates, read_gvab, write_gvab

from clubs.models import AnalysesShown, Club
from scoring.analysis.queries.privacy import KEPT
from scoring.matches.queries.exports import analysed_ogxm_of
from scoring.matches.queries.match_page import MatchPage
from scoring.models import Analysis, FileAnalysis
from scoring.notation.formats import read_match
from scoring.notation.identity import match_digest
from scoring.rules.sides import Side
from tests.factories import ClubFactory
from tests.scoring.matches.test_stage import analysed, checker, imported
from tests.shared_data import shared_files
from tests.tiers import sized

pytestmark = pytest.mark.django_db

ANALYSED = [*shared_files("xg/*.xg"), *shared_files("matches/*.xg"), *shared_files("matches/*.sgf")]


@pytest.mark.parametrize("path", sized(ANALYSED[-1:], ANALYSED))
def test_every_analysed_record_is_told_with_its_analysis(path: Path) -> None:
    content = path.read_bytes()
    page = MatchPage(imported(ClubFactory.create(), content, path.name), judged=True)
    assert page.analysis is not None
    assert page.performances is not None
    told = analysed_ogxm_of(page)
    again = read_match(told)
    assert match_digest(again) == match_digest(read_match(content))
    document = json.loads(told)
    assert document["analysis_info"]["model_id"] == page.analysis.exact_label
    for written in (document, read_gvab(write_gvab(document))):
        counted = compute_aggregates(written)["match"]
        for side, ours in zip(Side, page.performances, strict=True):
            theirs = counted[side.value]
            assert theirs["total_decisions"] == ours.counted
            assert theirs["pr"] == pytest.approx(ours.pr, abs=0.02)


def test_candidates_and_chances_are_told(client: Client) -> None:
    match = imported(ClubFactory.create())
    analysis = analysed(match, [checker(1, 0.123)])
    address = reverse("scoring:match_ogxm", args=[match.ref])
    answer = client.get(address, {"analysis": analysis.ref})
    document = json.loads(answer.content)
    assert document["analysis_info"]["model_id"] == analysis.exact_label
    plies = [ply for game in document["games"] for ply in game["plies"] if "analysis" in ply]
    assert len(plies) == 1
    told = plies[0]["analysis"]
    assert told["equity_loss"] == 0.123
    assert [each["notation"] for each in told["alternatives"]] == ["13/11 13/9", "8/4 6/4"]
    assert told["alternatives"][0]["eval"]["win"] == 0.6
    assert "analysis_info" not in json.loads(client.get(address).content)
    assert analysis.exact_label in answer.content.decode()
    assert f"match.ogxm?analysis={analysis.ref}" in client.get(match.get_absolute_url()).content.decode()


@pytest.mark.parametrize("ending", ["ogxm", "sgf"])
def test_an_analysis_of_ours_is_read_again_as_one_more_label(client: Client, ending: str) -> None:
    club = ClubFactory.create()
    match = imported(club)
    analysis = analysed(match, [checker(1, 0.123)])
    Analysis.objects.update(label="gnubg 1.07.001 fast@1 Kazaross-XG2")
    address = reverse(f"scoring:match_{ending}", args=[match.ref])
    content = client.get(address, {"analysis": analysis.ref}).content
    assert imported(club, content, f"again.{ending}") == match
    of_file = FileAnalysis.objects.get()
    assert (of_file.program, of_file.exact_label) == ("stated", "gnubg file 1.07.001/fast@1 Kazaross-XG2")
    assert (of_file.decisions.count(), of_file.left_out) == (1, 0)
    row = of_file.decisions.get()
    assert row.event_seq == analysis.decisions.get().event_seq
    assert row.error == pytest.approx(0.123)
    page = client.get(match.get_absolute_url()).content.decode()
    assert "GNU Backgammon 1.07, fast, from the file" in page
    assert f"match.{ending}?analysis={analysis.ref}" in page
    told = client.get(f"/api/v1/matches/{match.ref}/file-analyses/").json()["items"]
    assert told[0]["label"] == "GNU Backgammon 1.07, fast, from the file"
    other = imported(ClubFactory.create(), content, f"elsewhere.{ending}")
    assert MatchPage(other, judged=True).analysis == FileAnalysis.objects.get(source__match=other)


def test_a_kept_or_missing_analysis_is_in_no_file(client: Client) -> None:
    match = imported(ClubFactory.create())
    address = reverse("scoring:match_ogxm", args=[match.ref])
    refused = client.get(address, {"analysis": ""})
    assert (refused.status_code, refused.json()["code"]) == (422, "not_analysed")
    analysis = analysed(match, [checker(1, 0.123)])
    Club.objects.update(analyses_shown=AnalysesShown.PLAYERS)
    kept = client.get(address, {"analysis": analysis.ref})
    assert kept.status_code == 403
    assert str(KEPT) in kept.content.decode()
    assert client.get(address).status_code == 200
    assert "analysis=" not in client.get(match.get_absolute_url()).content.decode()
