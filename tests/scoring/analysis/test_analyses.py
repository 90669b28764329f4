"""A real engine judges real matches; a worker that is killed loses nothing and doubles nothing."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.db import transaction
from django.utils.timezone import now

from clubs.models import Club, WorkStatus
from clubs.tasks import reconcile
from clubs.work import services as work
from scoring.analysis.queries.analyses import performance_of
from scoring.analysis.queries.worst import worst_from
from scoring.analysis.services.analyses import request_analysis, run_analysis
from scoring.files.services.imports import import_file
from scoring.models import Analysis, DecisionRow, Match, RatingChange, RatingList, RatingUpdate, SidePlay
from scoring.ratings.services.ratings import ask_for_update
from scoring.theory.decisions import DecisionKind
from tests.children import WorkerChild
from tests.factories import ClubFactory, PlayerFactory
from tests.races import at_once
from tests.scoring.factories import finish_match, open_match
from tests.scoring.records import short_match
from tests.tiers import sized
from tests.waiting import until


def import_shared(club: Club, shared_data: Path, name: str) -> Match:
    content = (shared_data / "matches" / name).read_bytes()
    match, report = import_file(club=club, filename=name, content=content, final=True)
    assert report.error is None
    assert match is not None
    return match


def give_leases_up() -> None:
    """Time passes: what killed workers held may be taken again, what waits is due."""
    earlier = now() - timedelta(minutes=5)
    for model in (Analysis, RatingUpdate):
        model.objects.filter(status=WorkStatus.RUNNING).update(lease_until=earlier)
        model.objects.filter(status=WorkStatus.QUEUED).update(available_at=earlier, woken_at=None)


def test_short_matches_are_analysed_by_a_worker(worker: WorkerChild, shared_data: Path) -> None:
    club = ClubFactory.create()
    names = sized(["galaxy-8062348.txt"], ["galaxy-8062348.txt", "solnze-Lasse_3pt_studio.txt"])
    for name in names:
        import_shared(club, shared_data, name)
    worker.drain(patience=240)
    analyses = list(Analysis.objects.order_by("pk"))
    assert [analysis.status for analysis in analyses] == [WorkStatus.DONE] * len(names)
    for analysis in analyses:
        assert analysis.label.startswith("gammonview ")
        assert " fast@" in analysis.label
        assert analysis.summary is not None
        for colour in ("white", "black"):
            performance = performance_of(analysis.summary, colour)
            assert performance.pr is not None
            assert 0 < performance.pr < 60
            counted = DecisionRow.objects.filter(analysis=analysis, colour=colour, counted=True)
            assert performance.counted == counted.count()
            lost = sum(decision.error or 0 for decision in counted)
            assert performance.pr == pytest.approx(500 * lost / counted.count())
            sums = SidePlay.objects.get(analysis=analysis, colour=colour)
            assert (sums.counted, sums.rolls > 0) == (counted.count(), True)
            assert sums.loss == pytest.approx(lost)
            assert sums.luck == pytest.approx(performance.luck)
        worst = worst_from(analysis.summary)
        assert worst is not None
        errors = [row for row in analysis.decisions.filter(counted=True) if row.error is not None]
        row = max(errors, key=lambda row: row.error or 0.0)
        assert (worst.seq, worst.side, worst.error) == (row.event_seq, row.colour, row.error)
        board = worst.board
        assert board is not None
        assert board.on_roll == row.colour
        assert (board.roll is not None) is (row.kind == DecisionKind.CHECKER)


@pytest.mark.long
def test_a_worker_killed_in_the_middle_of_an_analysis(worker: WorkerChild, shared_data: Path) -> None:
    match = import_shared(ClubFactory.create(), shared_data, "galaxy-8062348.txt")
    until(lambda: Analysis.objects.filter(status=WorkStatus.RUNNING, done_decisions__gt=0).exists())
    worker.kill()
    assert not DecisionRow.objects.exists()
    worker.forget()
    give_leases_up()
    reconcile()
    worker.start()
    worker.drain(patience=240)
    analysis = Analysis.objects.get(match=match)
    assert (analysis.status, analysis.attempt) == (WorkStatus.DONE, 2)
    assert analysis.done_decisions == analysis.all_decisions > 0
    assert analysis.decisions.count() >= analysis.all_decisions  # a double that is answered is two
    assert analysis.decisions.values("number").distinct().count() == analysis.decisions.count()


@pytest.mark.long
def test_a_worker_killed_in_the_middle_of_a_rating_update(worker: WorkerChild) -> None:
    club = ClubFactory.create()
    ana, ben = PlayerFactory.create(name="Ana"), PlayerFactory.create(name="Ben")
    finish_match(open_match(club, ana, ben), "white")
    worker.drain()
    assert RatingChange.objects.count() == 2
    with transaction.atomic():
        # The worker gets as far as the list's lock, and no further.
        RatingList.objects.select_for_update(no_key=True).get(club=club)
        other = finish_match_elsewhere(club, ana, ben)
        until(lambda: running_elsewhere() >= 1)
        worker.kill()
    assert RatingChange.objects.count() == 2
    worker.forget()
    give_leases_up()
    reconcile()
    worker.start()
    worker.drain()
    assert RatingChange.objects.count() == 4
    assert RatingChange.objects.filter(match=other).count() == 2
    assert set(RatingUpdate.objects.values_list("status", flat=True)) == {WorkStatus.DONE}


def finish_match_elsewhere(club, ana, ben) -> Match:
    """A result on a connection of its own, so that it commits while the test holds its lock."""
    [match] = at_once(lambda: finish_match(open_match(club, ana, ben, day=3), "black"))
    assert isinstance(match, Match), match
    return match


def running_elsewhere() -> int:
    [count] = at_once(lambda: RatingUpdate.objects.filter(status=WorkStatus.RUNNING).count())
    return int(count)


@pytest.mark.django_db
def test_an_analysis_is_asked_for_once_a_head_and_preset() -> None:
    match, _ = import_file(club=ClubFactory.create(), filename="a.mat", content=short_match("Ana", "Ben"))
    assert match is not None
    first = request_analysis(match=match)
    assert first == request_analysis(match=match)
    assert first != request_analysis(match=match, preset="deep")
    assert Analysis.objects.count() == 2


@pytest.mark.django_db
def test_a_match_without_plays_is_not_analysed() -> None:
    match = finish_match(
        open_match(ClubFactory.create(), PlayerFactory.create(), PlayerFactory.create()), "white"
    )
    assert request_analysis(match=match) is None
    assert not Analysis.objects.exists()


@pytest.mark.django_db
def test_an_engine_that_refuses_ends_the_work() -> None:
    match, _ = import_file(club=ClubFactory.create(), filename="a.mat", content=short_match("Ana", "Ben"))
    assert match is not None
    analysis = request_analysis(match=match)
    assert analysis is not None
    Analysis.objects.update(preset="no such preset")  # a preset that an upgrade has removed
    claimed = work.claim(Analysis, ref=analysis.ref)
    assert claimed is not None
    done = run_analysis(claimed)
    assert done.status == WorkStatus.FAILED
    assert "no such preset" in done.error


@pytest.mark.django_db
def test_no_update_is_waiting_for_a_list_of_another_club() -> None:
    club = ClubFactory.create()
    match = finish_match(open_match(club, PlayerFactory.create(), PlayerFactory.create()), "white")
    ask_for_update(match=match)
    assert {update.list.club for update in RatingUpdate.objects.select_related("list__club")} == {club}
