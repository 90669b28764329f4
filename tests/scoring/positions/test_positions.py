"""A question is answered once for everyone; limits, cancelling, a killed worker."""

from datetime import timedelta

import pytest
from django.utils.timezone import now

from clubs.models import User, WorkStatus
from clubs.tasks import reconcile, wake
from clubs.work import services as work
from scoring.engines.asked import Asked, asked_of, by_score
from scoring.models import Depth, PositionAnalysis, PositionRequest
from scoring.notation.xgid import decode_xgid
from scoring.positions.queries.answers import answer_of
from scoring.positions.services.positions import (
    PositionRefused,
    cancel_position,
    request_position,
    run_position,
)
from tests.children import WorkerChild
from tests.factories import UserFactory
from tests.races import at_once
from tests.waiting import until

RACE = "-ABBCCD------------edcba--:0:0:1:00:2:3:0:7:10"


def question(text: str = RACE) -> Asked:
    return asked_of(decode_xgid(text))


def race_at(white: int) -> str:
    return f"-ABBCCD------------edcba--:0:0:1:00:{white}:3:0:9:10"


def request(user: User, text: str = RACE, level: Depth = Depth.STANDARD) -> PositionAnalysis:
    return request_position(question=question(text), xgid=text, level=level, user=user)


@pytest.mark.django_db
def test_a_question_is_answered_once_for_everyone() -> None:
    ana, ben = UserFactory.create(), UserFactory.create()
    row = request(ana)
    assert request(ana) == request(ben) == row
    claimed = work.claim(PositionAnalysis, ref=row.ref)
    assert claimed is not None
    run_position(claimed)
    done = request(UserFactory.create())
    assert (done.pk, done.status) == (row.pk, WorkStatus.DONE)
    answer = answer_of(done)
    assert answer.cube is not None
    assert (answer.cube.double, answer.cube.take) == (True, True)
    assert [line.candidate.action for line in answer.lines] == ["no double", "double/take", "double/pass"]
    assert [line.is_best for line in answer.lines] == [False, True, False]
    assert answer.lines[0].loss > 0 == answer.lines[1].loss
    # Only who made an engine work is counted for it.
    assert PositionRequest.objects.filter(started=True).count() == 1


@pytest.mark.long
@pytest.mark.django_db
def test_the_cube_action_at_every_score_is_one_row() -> None:
    asked = by_score(decode_xgid(RACE))
    row = request_position(question=asked, xgid=RACE, level=Depth.STANDARD, user=UserFactory.create())
    claimed = work.claim(PositionAnalysis, ref=row.ref)
    assert claimed is not None
    run_position(claimed)
    row.refresh_from_db()
    assert (row.status, len(row.decisions)) == (WorkStatus.DONE, 36)


@pytest.mark.django_db(transaction=True)
def test_two_who_ask_at_once_get_one_row() -> None:
    ana, ben = UserFactory.create(), UserFactory.create()
    first, second = at_once(lambda: request(ana), lambda: request(ben))
    assert first == second
    assert PositionAnalysis.objects.count() == 1
    assert PositionRequest.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_two_requests_at_once_keep_to_the_limit(settings) -> None:
    settings.POSITIONS_AT_ONCE = 1
    ana = UserFactory.create()
    found = at_once(lambda: request(ana, race_at(1)), lambda: request(ana, race_at(2)))
    assert sorted(type(each).__name__ for each in found) == ["PositionAnalysis", "PositionRefused"]
    assert PositionAnalysis.objects.count() == 1


@pytest.mark.django_db
def test_limits_are_refused_in_words(settings) -> None:
    ana = UserFactory.create()
    settings.POSITIONS_AT_ONCE, settings.POSITIONS_PER_DAY, settings.POSITIONS_WAITING = 2, 5, 3
    request(ana, race_at(1))
    request(ana, race_at(2))
    with pytest.raises(PositionRefused, match="already have 2 analyses"):
        request(ana, race_at(3))
    request(ana, race_at(2))  # the same question again is no further work
    request(UserFactory.create(), race_at(4))
    with pytest.raises(PositionRefused, match="3 positions wait"):
        request(UserFactory.create(), race_at(5))
    settings.POSITIONS_AT_ONCE, settings.POSITIONS_WAITING, settings.POSITIONS_PER_DAY = 9, 9, 2
    with pytest.raises(PositionRefused, match="2 analyses in 24 hours"):
        request(ana, race_at(3))
    PositionRequest.objects.filter(user=ana).update(asked_at=now() - timedelta(hours=25))
    assert request(ana, race_at(3)).status == WorkStatus.QUEUED


@pytest.mark.django_db
def test_a_level_that_no_engine_has_is_refused() -> None:
    ana = UserFactory.create()
    with pytest.raises(PositionRefused, match="no-such-engine"):
        request_position(question=question(), xgid=RACE, level=Depth.DEEP, user=ana, engine="no-such-engine")
    with pytest.raises(PositionRefused, match="Deep"):
        request_position(question=by_score(decode_xgid(RACE)), xgid=RACE, level=Depth.DEEP, user=ana)


@pytest.mark.django_db
def test_an_analysis_ends_when_no_one_waits_for_it() -> None:
    ana, ben, eva = UserFactory.create(), UserFactory.create(), UserFactory.create()
    row = request(ana)
    request(ben)
    assert not cancel_position(analysis=row, user=eva)
    assert cancel_position(analysis=row, user=ana)
    assert not cancel_position(analysis=row, user=ana)
    row.refresh_from_db()
    assert row.status == WorkStatus.QUEUED
    assert cancel_position(analysis=row, user=ben)
    row.refresh_from_db()
    assert row.status == WorkStatus.CANCELLED
    assert work.claim(PositionAnalysis, ref=row.ref) is None
    again = request(eva)
    assert (again.pk, again.status) == (row.pk, WorkStatus.QUEUED)


@pytest.mark.django_db
def test_a_cancelled_analysis_stores_nothing() -> None:
    ana = UserFactory.create()
    row = request(ana)
    claimed = work.claim(PositionAnalysis, ref=row.ref)
    assert claimed is not None
    assert cancel_position(analysis=row, user=ana)
    run_position(claimed)  # the first look at the row stops the engine
    row.refresh_from_db()
    assert (row.status, row.decisions, row.label) == (WorkStatus.CANCELLED, [], "")


@pytest.mark.long
def test_a_worker_killed_with_a_position_in_hand(worker: WorkerChild) -> None:
    asked = by_score(decode_xgid(RACE))
    ana = UserFactory.create()
    row = request_position(question=asked, xgid=RACE, level=Depth.STANDARD, user=ana)
    wake(row)
    until(lambda: PositionAnalysis.objects.exclude(status=WorkStatus.QUEUED).exists())
    worker.kill()
    worker.forget()
    PositionAnalysis.objects.filter(status=WorkStatus.RUNNING).update(
        lease_until=now() - timedelta(minutes=5)
    )
    reconcile()
    worker.start()
    worker.drain(patience=120)
    row.refresh_from_db()
    assert (row.status, len(row.decisions)) == (WorkStatus.DONE, 36)


@pytest.mark.django_db
def test_a_roll_gets_the_best_plays_and_none_is_the_one_played() -> None:
    row = request(UserFactory.create(), "-b----E-C---eE---c-e----B-:0:0:1:31:0:0:3:0:10")
    claimed = work.claim(PositionAnalysis, ref=row.ref)
    assert claimed is not None
    run_position(claimed)
    row.refresh_from_db()
    assert row.status == WorkStatus.DONE, row.error
    answer = answer_of(row)
    assert answer.best is not None
    assert answer.best.action == "8/5 6/5"
    assert not any(line.candidate.played for line in answer.lines)
    assert (answer.decision.error, answer.decision.counted) == (None, False) if answer.decision else False
