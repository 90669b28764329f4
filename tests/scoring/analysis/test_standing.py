"""Which analysis of a match is shown, and how its label is said."""

import pytest
from django.utils.timezone import now
from pytest_django import DjangoAssertNumQueries

from clubs.models import WorkStatus
from scoring.analysis.queries.label_words import label_words
from scoring.analysis.queries.standing import standing_analysis, standing_of
from scoring.files.services.imports import import_file
from scoring.models import Analysis, FileAnalysis, Match, Sheet
from scoring.theory.decisions import EngineLabel
from tests.factories import ClubFactory
from tests.scoring.sgf_files import Play, game, roll

BLUNDER = [Play("8/5 6/5", 0.16), Play("24/20", -0.02)]


@pytest.fixture
def match(db) -> Match:
    """A match whose file judges one of its plays, and none of ours does."""
    nodes = [roll("W", "31", "24/20", plays=BLUNDER), roll("B", "64", "24/14")]
    content = game(nodes, result="W+1R", length=1).encode()
    made, _ = import_file(club=ClubFactory.create(), filename="a.sgf", content=content, final=True)
    assert made
    Analysis.objects.all().delete()
    return Match.objects.select_related("sheet", "club").get(pk=made.pk)


def done(match: Match, preset: str, *, head: str = "") -> Analysis:
    return Analysis.objects.create(
        match=match,
        head_seq=match.sheet.head_seq,
        head_hash=head or match.sheet.head_hash,
        preset=preset,
        label=str(EngineLabel("engine", "1", preset)),
        status=WorkStatus.DONE,
        finished_at=now(),
        summary={"match": {}, "games": {}},
    )


def test_the_sites_preset_comes_first_then_the_newest_then_a_files(
    match, settings, django_assert_num_queries: DjangoAssertNumQueries
):
    of_file = FileAnalysis.objects.get()
    assert standing_analysis(match) == of_file
    settings.ANALYSIS_PRESET = "fast"
    old, fast, new = done(match, "old"), done(match, "fast"), done(match, "new")
    with django_assert_num_queries(2):
        assert standing_of(match) == [fast, new, old, of_file]
    assert standing_analysis(match, ref=old.ref) == old
    assert standing_analysis(match, ref=of_file.ref) == of_file
    assert standing_analysis(match, ref="gone") == fast


def test_an_analysis_of_an_older_sheet_does_not_stand(match):
    done(match, "fast", head="before")
    Sheet.objects.update(head_hash="0" * 64)
    assert standing_analysis(Match.objects.select_related("sheet").get()) is None


@pytest.mark.parametrize(
    ("label", "words"),
    [
        (str(EngineLabel("gnubg", "1.07.001", "fast@1")), "GNU Backgammon 1.07, fast"),
        ("gammonview 3.1.0+bgsage-2.0.20260907 very_quick@1", "GammonView 3.1, very quick"),
        ("xg file analysis Kazaross-XG2", "eXtreme Gammon, from the file"),
        ("engine", "engine"),
        ("", ""),
    ],
)
def test_a_label_in_words(label, words):
    assert label_words(label) == words


def test_a_label_is_read_as_it_was_written():
    label = EngineLabel("gnubg", "1.07.001", "deep@1", "Rockwell-Kazaross")
    assert EngineLabel.parse(str(label)) == label
