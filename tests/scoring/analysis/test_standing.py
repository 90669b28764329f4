"""Which analysis of a match is shown, and how its label is said."""

import pytest
from django.utils.timezone import now
from pytest_django import DjangoAssertNumQueries

from clubs.models import WorkStatus
from scoring.analysis.queries.engines import of_installation, offered
from scoring.analysis.queries.label_words import label_words
from scoring.analysis.queries.standing import chosen, of_each_label, standing_of
from scoring.analysis.services.club_engines import choose_engine
from scoring.files.services.imports import import_file
from scoring.models import Analysis, FileAnalysis, Level, Match, Sheet
from scoring.theory.decisions import EngineLabel
from tests.factories import ClubFactory
from tests.scoring.sgf_files import Play, game, roll

OTHER = next((each for each in offered() if each.engine != of_installation().engine), offered()[-1])
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


def done(match: Match, preset: str, *, head: str = "", engine: str = "", level: int = 20) -> Analysis:
    return Analysis.objects.create(
        match=match,
        head_seq=match.sheet.head_seq,
        head_hash=head or match.sheet.head_hash,
        engine=engine or of_installation().engine,
        preset=preset,
        level=level,
        label=str(EngineLabel(engine or "engine", "1", preset)),
        status=WorkStatus.DONE,
        finished_at=now(),
        summary={"match": {}, "games": {}},
    )


def test_the_clubs_engine_comes_first_then_the_deepest_then_a_files(
    match, settings, django_assert_num_queries: DjangoAssertNumQueries
):
    of_file = FileAnalysis.objects.get()
    assert chosen(standing_of(match)) == of_file
    settings.ANALYSIS_PRESET = "fast"
    other, estimate = done(match, "fast", engine="other"), done(match, "estimate", level=Level.ESTIMATE)
    old, fast, new = done(match, "old"), done(match, "fast"), done(match, "new")
    deep = done(match, "deep", level=Level.DEEP)
    with django_assert_num_queries(3):
        assert standing_of(match) == [deep, fast, new, old, other, of_file, estimate]
    assert chosen(standing_of(match), ref=old.ref) == old
    assert chosen(standing_of(match), ref=of_file.ref) == of_file
    assert chosen(standing_of(match), ref="gone") == deep
    choose_engine(club=match.club, engine=OTHER.engine, preset=OTHER.preset)
    preferred = deep if OTHER.engine == deep.engine else done(match, OTHER.preset, engine=OTHER.engine)
    assert chosen(standing_of(match)) == preferred


def test_a_label_is_offered_once(match):
    newest = [done(match, "fast"), done(match, "fast", engine="other")][0]
    of_file = FileAnalysis.objects.get()
    assert of_each_label([newest, of_file, newest]) == [newest, of_file]


def test_an_analysis_of_an_older_sheet_does_not_stand(match):
    done(match, "fast", head="before")
    Sheet.objects.update(head_hash="0" * 64)
    assert chosen(standing_of(Match.objects.select_related("sheet").get())) is None


@pytest.mark.parametrize(
    ("label", "words"),
    [
        (str(EngineLabel("gnubg", "1.07.001", "fast@1")), "GNU Backgammon 1.07, fast"),
        ("gammonview 3.1.0+bgsage-2.0.20260907 very_quick@1", "GammonView 3.1, very quick"),
        ("xg file analysis Kazaross-XG2", "eXtreme Gammon, from the file"),
        ("gnubg file 1.07.001/fast@1 Kazaross-XG2", "GNU Backgammon 1.07, fast, from the file"),
        ("gv-bgsage/2.0 file -/3ply Kazaross-XG2", "gv-bgsage/2.0, 3ply, from the file"),
        ("engine", "engine"),
        ("", ""),
    ],
)
def test_a_label_in_words(label, words):
    assert label_words(label) == words


def test_a_label_is_read_as_it_was_written():
    label = EngineLabel("gnubg", "1.07.001", "deep@1", "Rockwell-Kazaross")
    assert EngineLabel.parse(str(label)) == label
