"""A long match is analysed in parts: each stored once, the whole written once, whoever has the row."""

from collections.abc import Callable
from typing import Any

import pytest

from clubs.models import WorkStatus
from clubs.tasks import reconcile, wake
from clubs.work import services as work
from scoring.analysis.queries.analyses import decision_of
from scoring.analysis.services import analyses
from scoring.analysis.services.analyses import request_analysis, run_analysis, run_part
from scoring.analysis.services.parts import PART_SECONDS, size_after, size_after_timeout
from scoring.analysis.services.turns import claim_next
from scoring.engines.errors import EngineCancelled, EngineTimeout
from scoring.engines.registry import analyse
from scoring.files.services.imports import import_file
from scoring.models import Analysis, AnalysisPart, DecisionRow, Match, Urgency
from tests.children import WorkerChild
from tests.factories import ClubFactory
from tests.scoring.analysis.test_analyses import give_leases_up, import_shared
from tests.scoring.records import short_match
from tests.waiting import until


def a_match() -> Match:
    match, _ = import_file(club=ClubFactory.create(), filename="a.mat", content=short_match("Ana", "Ben"))
    assert match is not None
    return match


def claimed() -> Analysis:
    analysis = claim_next()
    assert analysis is not None
    return analysis


def judged(analysis: Analysis) -> list[Any]:
    return [decision_of(row) for row in analysis.decisions.order_by("number")]


@pytest.fixture
def asked(monkeypatch) -> list[int]:
    """How many questions the real engine was asked at a time."""
    sizes: list[int] = []

    def counted(request: Any, **options: Any) -> Any:
        sizes.append(len(request.questions))
        return analyse(request, **options)

    monkeypatch.setattr(analyses, "analyse", counted)
    return sizes


def failing(monkeypatch, fails: Callable[[int], Exception | None]) -> list[int]:
    """Let the engine fail where ``fails`` names an error for a number of questions."""
    sizes: list[int] = []

    def tried(request: Any, **options: Any) -> Any:
        sizes.append(len(request.questions))
        if error := fails(len(request.questions)):
            raise error
        return analyse(request, **options)

    monkeypatch.setattr(analyses, "analyse", tried)
    return sizes


@pytest.mark.django_db
def test_parts_amount_to_the_whole_and_nothing_is_asked_twice(asked) -> None:
    match = a_match()
    at_once = run_analysis(claimed())
    assert (at_once.status, len(asked)) == (WorkStatus.DONE, 1)
    whole, decisions, questions = at_once.summary, judged(at_once), asked.pop()

    Analysis.objects.all().delete()
    request_analysis(match=match)
    Analysis.objects.update(part_size=2)
    first = run_part(claimed())
    assert (first.status, first.done_decisions, first.attempts_left) == (WorkStatus.QUEUED, 2, 3)
    assert not DecisionRow.objects.exists()
    Analysis.objects.update(part_size=2)
    done = run_analysis(claimed())
    assert (done.status, questions, asked) == (WorkStatus.DONE, 6, [2, 2, 2])
    assert (done.summary, judged(done)) == (whole, decisions)
    assert (done.done_decisions, done.all_decisions) == (questions, questions)
    assert not AnalysisPart.objects.exists()


@pytest.mark.long
@pytest.mark.django_db
def test_a_part_that_takes_too_long_is_tried_with_fewer_questions(monkeypatch) -> None:
    a_match()
    sizes = failing(monkeypatch, lambda n: EngineTimeout("too slow", seconds=240) if n > 3 else None)
    done = run_analysis(claimed())
    assert done.status == WorkStatus.DONE
    assert sizes[1] <= sizes[0] // 4
    assert done.decisions.exists()


@pytest.mark.django_db
def test_one_question_that_takes_too_long_ends_the_work(monkeypatch) -> None:
    a_match()
    failing(monkeypatch, lambda _: EngineTimeout("the engine was stopped after 240 seconds", seconds=240))
    failed = run_analysis(claimed())
    assert (failed.status, failed.part_size) == (WorkStatus.FAILED, 1)
    assert failed.error == "engine_timeout: the engine was stopped after 240 seconds"


@pytest.mark.django_db
def test_what_gives_way_keeps_its_parts_and_its_attempts(monkeypatch) -> None:
    a_match()
    Analysis.objects.update(part_size=4, urgency=Urgency.IDLE)
    run_part(claimed())
    failing(monkeypatch, lambda _: EngineCancelled("the analysis was cancelled"))
    waits = run_part(claimed())
    assert (waits.status, waits.done_decisions, waits.attempts_left) == (WorkStatus.QUEUED, 4, 3)
    assert AnalysisPart.objects.count() == 1


@pytest.mark.long
@pytest.mark.django_db
def test_parts_of_another_engine_version_are_forgotten(asked) -> None:
    a_match()
    Analysis.objects.update(part_size=4)
    run_part(claimed())
    AnalysisPart.objects.update(label={"engine": "gammonview", "version": "0", "preset": "very_quick@1"})
    again = run_part(claimed())
    assert (again.status, again.attempts_left) == (WorkStatus.QUEUED, 2)
    assert "has changed" in again.error
    assert not AnalysisPart.objects.exists()
    Analysis.objects.update(available_at=again.queued_at)
    assert run_analysis(claimed()).status == WorkStatus.DONE


@pytest.mark.long
@pytest.mark.django_db
def test_a_worker_that_lost_the_row_stores_no_part() -> None:
    a_match()
    Analysis.objects.update(part_size=4)
    slow = claimed()
    give_leases_up()
    work.requeue_lost(Analysis)
    quick = claimed()
    with pytest.raises(work.WorkLostError):
        run_part(slow)
    assert not AnalysisPart.objects.exists()
    assert run_analysis(quick).status == WorkStatus.DONE


@pytest.mark.long
def test_a_worker_killed_in_a_later_part_loses_that_part_alone(worker: WorkerChild, shared_data) -> None:
    worker.kill()
    match = import_shared(ClubFactory.create(), shared_data, "galaxy-8062348.txt")
    analysis = Analysis.objects.get(match=match)
    Analysis.objects.update(part_size=40)
    worker.forget()
    worker.start()
    wake(analysis)
    until(AnalysisPart.objects.exists)
    worker.kill()
    done = sum(AnalysisPart.objects.values_list("questions", flat=True))
    worker.forget()
    give_leases_up()
    Analysis.objects.update(part_size=10_000)
    reconcile()
    worker.start()
    until(lambda: Analysis.objects.filter(done_decisions__gt=done).exists())
    worker.drain(patience=240)
    analysis.refresh_from_db()
    assert analysis.status == WorkStatus.DONE
    assert analysis.done_decisions == analysis.all_decisions > done > 0
    assert analysis.decisions.values("number").distinct().count() == analysis.decisions.count()
    assert not AnalysisPart.objects.exists()


@pytest.mark.parametrize(
    ("questions", "seconds", "size"),
    [(60, 60.0, 60), (60, 120.0, 30), (60, 30.0, 120), (60, 0.0, 240), (1, 500.0, 1), (400, 8.0, 1600)],
)
def test_a_part_takes_about_a_minute(questions, seconds, size) -> None:
    assert PART_SECONDS == 60.0
    assert size_after(questions, seconds) == size


def test_a_part_shrinks_to_one_question_and_no_further() -> None:
    sizes = [400]
    while size := size_after_timeout(sizes[-1]):
        sizes.append(size)
    assert sizes == [400, 100, 25, 6, 1]
