"""Stored analyses are counted again without an engine: once each, whoever else does so at the same time."""

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.utils.timezone import now

from clubs.models import Club, WorkStatus
from scoring.analysis.queries.performances import labels_in
from scoring.analysis.queries.worst import worst_from
from scoring.analysis.services.recounts import recount_all, waiting
from scoring.files.services.imports import import_file
from scoring.models import Analysis, DecisionRow, FileAnalysis, FileDecision, Match
from tests.factories import ClubFactory
from tests.races import at_once
from tests.scoring.sgf_files import Play, game, roll

OLD = {
    "checker_loss": 9.9,
    "checker_counted": 99,
    "cube_loss": 0.0,
    "cube_counted": 0,
    "luck": 0.5,
    "luck_rolls": 2,
}


def imported() -> Match:
    """A match of two plays, the first judged by its file as a blunder."""
    plays = [Play("8/5 6/5", 0.16), Play("24/20", -0.02)]
    content = game([roll("W", "31", "24/20", plays=plays), roll("B", "64", "24/14")], result="W+1R", length=1)
    club = ClubFactory.create()
    match, _ = import_file(club=club, filename="a.sgf", content=content.encode(), final=True)
    assert match
    Analysis.objects.all().delete()
    return match


def counted_otherwise(match: Match, preset: str = "fast") -> Analysis:
    """Two plays, of which an unknown rule counts the forced one and leaves the error out."""
    analysis = Analysis.objects.create(
        match=match,
        head_seq=match.sheet.head_seq,
        head_hash=match.sheet.head_hash,
        preset=preset,
        label=f"engine 1 {preset}",
        counting="",
        status=WorkStatus.DONE,
        finished_at=now(),
        summary={"match": {"white": OLD, "black": OLD}, "games": {}, "worst": None, "kept": 1},
    )
    events = list(match.sheet.events.filter(kind="play").order_by("seq").values_list("seq", flat=True))
    plays = [
        ("white", 0.18, False, [("8/5 6/5", 0.16, False), ("24/20", -0.02, True)]),
        ("black", None, True, [("24/14", 0.1, True)]),
    ]
    for number, (colour, error, counted, told) in enumerate(plays):
        candidates = [{"action": a, "equity": e, "played": played} for a, e, played in told]
        DecisionRow.objects.create(
            analysis=analysis,
            number=number,
            event_seq=events[number],
            game=1,
            ply=number,
            kind="checker",
            colour=colour,
            played=told[-1][0],
            candidates=candidates,
            error=error,
            counted=counted,
            luck=0.25,
        )
    return analysis


@pytest.mark.django_db
def test_an_analysis_is_counted_again_with_all_that_is_summed_from_it():
    match = imported()
    analysis = counted_otherwise(match)
    of_file = FileAnalysis.objects.get()
    FileDecision.objects.update(counted=False)
    FileAnalysis.objects.update(
        counting="gnubg", summary={"match": {"white": OLD, "black": OLD}, "games": {}}
    )
    clubs = Club.objects.all()
    assert (waiting(), labels_in(clubs, None)) == (2, [])
    out = StringIO()
    call_command("recount_decisions", "--json", stdout=out)
    assert [json.loads(line) for line in out.getvalue().splitlines()] == [
        {"analysis": analysis.ref, "decisions": 2, "changed": 2},
        {"analysis": of_file.ref, "decisions": 1, "changed": 1},
        {"analyses": 2, "decisions": 3, "changed": 3, "counting": "xg@1"},
    ]
    analysis.refresh_from_db()
    of_file.refresh_from_db()
    assert list(analysis.decisions.order_by("number").values_list("counted", flat=True)) == [True, False]
    for summary in (analysis.summary, of_file.summary):
        assert summary
        white = summary["match"]["white"]
        assert (white["checker_loss"], white["checker_counted"]) == (pytest.approx(0.18), 1)
        assert summary["match"]["black"]["checker_counted"] == 0
        assert summary["games"]["1"] == summary["match"]
    assert analysis.summary
    assert (analysis.summary["kept"], analysis.summary["match"]["white"]["luck"]) == (1, 0.25)
    worst = worst_from(analysis.summary)
    assert worst
    assert (worst.error, worst.board is not None) == (0.18, True)
    assert (waiting(), labels_in(clubs, None)) == (0, ["engine 1 fast"])
    assert list(recount_all()) == []


@pytest.mark.django_db
def test_a_run_that_was_stopped_continues_where_it_was():
    match = imported()
    first, second = counted_otherwise(match, "one"), counted_otherwise(match, "two")
    stopped = recount_all()
    assert next(stopped).ref == first.ref
    del stopped
    assert [done.ref for done in recount_all()] == [second.ref]


@pytest.mark.django_db(transaction=True)
def test_two_runs_at_once_count_each_analysis_once():
    match = imported()
    refs = [counted_otherwise(match, preset).ref for preset in ("a", "b", "c", "d")]
    runs = at_once(lambda: list(recount_all()), lambda: list(recount_all()))
    assert sorted(done.ref for run in runs for done in run) == sorted(refs)
    assert Analysis.objects.get(ref=refs[0]).summary["match"]["white"]["checker_counted"] == 1  # type: ignore[index]
