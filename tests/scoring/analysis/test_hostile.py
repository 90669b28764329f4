"""An engine that crashes, hangs, lies or floods stores nothing, loses nothing and stops no worker."""

import pytest

from clubs.models import WorkStatus
from clubs.work.services import requeue
from scoring.analysis.services import analyses
from scoring.analysis.services.analyses import run_part
from scoring.analysis.services.turns import claim_next
from scoring.engines import registry
from scoring.files.services.imports import import_file
from scoring.models import Analysis, AnalysisPart, DecisionRow
from tests.factories import ClubFactory
from tests.scoring.engines.hostile import HOSTILE, MODES, NAME
from tests.scoring.records import short_match
from tests.tiers import sized

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def engine(monkeypatch) -> None:
    monkeypatch.setattr(registry, "ENGINES", {NAME: HOSTILE})
    monkeypatch.setattr(analyses, "PART_LIMIT", 20.0)


@pytest.fixture
def analysis() -> Analysis:
    match, _ = import_file(club=ClubFactory.create(), filename="a.mat", content=short_match("Ana", "Ben"))
    assert match is not None
    Analysis.objects.update(engine=NAME)
    return Analysis.objects.get(match=match)


def attempt(mode: str) -> Analysis:
    Analysis.objects.update(preset=mode)
    claimed = claim_next()
    assert claimed is not None
    return run_part(claimed)


IN_SHORT = ["answers_without_end", "crashes", "says_nan", "warns_without_end"]
"""Of each kind one; what an answer can have wrong is tried in test_answers.py."""


@pytest.mark.parametrize("mode", sized(IN_SHORT, sorted(MODES.keys() - {"honest", "hangs"})))
def test_nothing_of_a_bad_answer_is_stored(analysis, mode) -> None:
    tried = attempt(mode)
    assert (tried.pk, tried.status, tried.attempts_left) == (analysis.pk, WorkStatus.QUEUED, 2)
    assert tried.error.startswith(("engine_crashed: ", "engine_disagrees: "))
    assert len(tried.error) < 3000
    assert not DecisionRow.objects.exists()
    assert not AnalysisPart.objects.exists()


def test_an_engine_that_stays_bad_fails_and_can_be_tried_again(analysis) -> None:
    for _ in range(Analysis.MAX_ATTEMPTS):
        Analysis.objects.update(available_at=analysis.queued_at)
        failed = attempt("says_nan")
    assert failed.status == WorkStatus.FAILED
    assert requeue(failed)
    done = attempt("honest")
    assert (done.status, done.error, done.label.split()[0]) == (WorkStatus.DONE, "", NAME)
    assert done.decisions.count() == 6


@pytest.mark.long
def test_an_engine_that_hangs_is_stopped_and_fails_in_the_end(analysis, monkeypatch) -> None:
    monkeypatch.setattr(analyses, "PART_LIMIT", 1.0)
    assert attempt("hangs").part_size == 1
    failed = attempt("hangs")
    assert (failed.pk, failed.status) == (analysis.pk, WorkStatus.FAILED)
    assert failed.error == "engine_timeout: the engine was stopped after 1 seconds"
    assert not DecisionRow.objects.exists()
