"""Levels of a match: an estimate at once, the standard analysis, a deep one while nothing else waits."""

from dataclasses import asdict

import pytest
from django.contrib.auth.models import AnonymousUser
from django.urls import reverse
from django.utils.timezone import now

from clubs.models import WorkStatus
from scoring.analysis.queries.performances import labels_in, labels_of, pooled, standing_analyses
from scoring.analysis.services import analyses
from scoring.analysis.services.analyses import request_analysis, request_finished, run_analysis
from scoring.analysis.services.turns import claim_next
from scoring.files.services.imports import import_file
from scoring.models import Analysis, Colour, Level, Match, Sheet, Urgency
from scoring.theory.performance import Performance
from tests.factories import ClubFactory, member
from tests.scoring.records import short_match

VISITOR = AnonymousUser()
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def presets(settings, monkeypatch) -> None:
    settings.ANALYSIS_ESTIMATE = settings.ANALYSIS_DEEP = True
    monkeypatch.setattr(analyses, "PRESETS", {Level.ESTIMATE: "estimate", Level.DEEP: "deep"})


@pytest.fixture
def match() -> Match:
    """A match that was recorded here and has just been finished."""
    found, _ = import_file(club=ClubFactory.create(), filename="a.mat", content=short_match("Ana", "Ben"))
    assert found is not None
    Analysis.objects.all().delete()
    Sheet.objects.filter(pk=found.sheet_id).update(profile={"report": "both"})
    return Match.objects.with_players().select_related("sheet").get(pk=found.pk)


SUMS = {colour: asdict(Performance(0.5, 10, 0.1, 2, 0.3, 9)) for colour in Colour.values}


def as_done(analysis: Analysis, label: str) -> Analysis:
    """The analysis, done."""
    Analysis.objects.filter(pk=analysis.pk).update(
        status=WorkStatus.DONE,
        label=label,
        summary={"match": SUMS, "games": {"1": SUMS}, "worst": None},
        finished_at=now(),
    )
    analysis.refresh_from_db()
    return analysis


def test_a_finished_match_gets_an_estimate_first_and_then_the_standard_analysis(match) -> None:
    asked = request_finished(match=match)
    assert [(each.level, each.urgency) for each in asked] == [
        (Level.ESTIMATE, Urgency.ESTIMATE),
        (Level.STANDARD, Urgency.PLAYED),
    ]
    assert asked == request_finished(match=match)
    assert asked[0].engine == asked[1].engine
    assert [each.task_and_queue[1] for each in asked] == ["estimates", "analysis"]
    taken = [analysis.level for analysis in iter(claim_next, None)]
    assert taken == [Level.ESTIMATE, Level.STANDARD]


def test_an_imported_match_gets_no_estimate_and_waits_behind_those_that_were_played(match) -> None:
    Sheet.objects.filter(pk=match.sheet_id).update(profile={})
    match.sheet.refresh_from_db()
    (only,) = request_finished(match=match)
    assert (only.level, only.urgency) == (Level.STANDARD, Urgency.IMPORTED)
    asked = request_analysis(match=match)  # somebody presses the button
    assert asked == only
    only.refresh_from_db()
    assert only.urgency == Urgency.REQUESTED


def test_the_deep_analysis_is_queued_with_the_end_of_the_standard_one(match) -> None:
    standard = request_analysis(match=match)
    assert standard is not None
    claimed = claim_next()
    assert claimed is not None
    run_analysis(claimed)
    deep = Analysis.objects.get(level=Level.DEEP)
    assert (deep.match, deep.preset, deep.urgency) == (match, "deep", Urgency.IDLE)
    assert claim_next() == deep


def test_a_page_shows_the_deepest_level_and_an_estimate_as_one(client, match) -> None:
    estimate, standard = request_finished(match=match)
    as_done(estimate, "engine 1 estimate")
    client.force_login(member(match.club))
    page = client.get(match.get_absolute_url())
    shown = page.context["page"]
    assert (shown.analysis, shown.pending) == (estimate, standard)
    assert page.content.decode().count('<span class="badge waiting">Estimate</span>') == 2
    assert "PR " not in page.content.decode().partition('id="summary"')[0]  # beside the names
    progress = {"HX-Request": "true", "HX-Target": "progress"}
    address = match.get_absolute_url()
    assert "HX-Refresh" not in client.get(f"{address}?level=10", headers=progress).headers
    assert "HX-Refresh" in client.get(f"{address}?level=0", headers=progress).headers

    as_done(standard, "engine 1 fast")
    page = client.get(address)
    assert (page.context["page"].analysis, page.context["page"].pending) == (standard, None)
    assert "Estimate" not in page.content.decode()
    deep = Analysis.objects.filter(level=Level.DEEP).first() or request_analysis(match=match, preset="deep")
    assert deep is not None
    as_done(deep, "engine 1 deep")
    Analysis.objects.filter(pk=standard.pk).update(finished_at=deep.finished_at)
    assert client.get(address).context["page"].analysis == deep


def test_an_estimate_enters_no_list_and_no_pool(match) -> None:
    estimate, standard = request_finished(match=match)
    as_done(estimate, "engine 1 estimate")
    player = match.white.players[0]
    matches = Match.objects.filter(pk=match.pk)
    assert standing_analyses([match], None) == {}
    assert labels_in(type(match.club).objects.all(), None) == []
    assert labels_of(player, matches=matches, viewer=VISITOR) == {}
    assert pooled([player.pk], matches=matches, label="engine 1 estimate", viewer=VISITOR) == {}
    as_done(standard, "engine 1 fast")
    assert standing_analyses([match], None) == {match.pk: standard}
    assert labels_of(player, matches=matches, viewer=VISITOR) == {"engine 1 fast": 1}


def test_the_api_names_the_level(client, match) -> None:
    request_finished(match=match)
    client.force_login(member(match.club))
    items = client.get(reverse("api:match_analyses", args=[match.ref])).json()["items"]
    assert {item["level"] for item in items} == {"estimate", "standard"}


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        ("engine_timeout: the engine was stopped after 240 seconds", "One decision took too long."),
        (
            "engine_disagrees: game 1, ply 2 (white): equity nan",
            "The engine’s answer does not fit the match.",
        ),
        ("The worker of attempt 3 was lost.", "The worker was stopped."),
    ],
)
def test_a_failed_analysis_says_why_and_can_be_tried_again(client, match, error, reason) -> None:
    _estimate, standard = request_finished(match=match)
    Analysis.objects.filter(pk=standard.pk).update(status=WorkStatus.FAILED, error=error)
    client.force_login(member(match.club))
    page = client.get(match.get_absolute_url()).content.decode()
    assert f"The analysis failed. {reason}" in page
    assert error in page
    assert client.post(reverse("scoring:analyse", args=[match.ref])).status_code == 302
    again = Analysis.objects.get(level=Level.STANDARD, status=WorkStatus.QUEUED)
    assert again.urgency == Urgency.REQUESTED
