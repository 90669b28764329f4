"""Background work: taken once, finished once, never lost."""

from datetime import timedelta
from threading import Event
from time import sleep

import pytest
from django.db import IntegrityError, transaction
from django.utils.timezone import now

from clubs.models import Club, Delivery, OutgoingMail, WorkStatus
from clubs.work.services import (
    WorkLostError,
    cancel,
    claim,
    fail,
    finish,
    heartbeat,
    overdue,
    requeue,
    requeue_lost,
    wait_after,
)
from tests.factories import ClubFactory
from tests.races import at_once

pytestmark = pytest.mark.django_db


def queued(**fields) -> OutgoingMail:
    number = OutgoingMail.objects.count()
    return OutgoingMail.objects.create(
        recipients=["ana@example.org"],
        sender="us@example.org",
        message=b"",
        message_id=f"<{number}@x>",
        **fields,
    )


def running(work: OutgoingMail | None = None) -> OutgoingMail:
    claimed = claim(OutgoingMail, ref=(work or queued()).ref)
    assert claimed
    return claimed


def done(work) -> None:
    with finish(work) as row:
        row.delivery = Delivery.SMTP


def test_the_longest_waiting_is_claimed_first():
    queued(available_at=now() - timedelta(minutes=1))
    first = queued(available_at=now() - timedelta(minutes=2))
    work = claim(OutgoingMail)
    assert work
    assert work == first
    assert work.lease_until
    assert (work.status, work.attempt) == (WorkStatus.RUNNING, 1)
    assert work.lease_until > now() + timedelta(seconds=40)


def test_work_that_rests_or_has_ended_is_not_claimed():
    rests = queued(available_at=now() + timedelta(minutes=1))
    cancelled = queued()
    assert cancel(cancelled)
    assert claim(OutgoingMail) is None
    assert claim(OutgoingMail, ref=rests.ref) is None
    assert claim(OutgoingMail, ref=cancelled.ref) is None


def test_running_work_is_not_claimed_again():
    work = queued()
    assert claim(OutgoingMail, ref=work.ref) == work
    assert claim(OutgoingMail, ref=work.ref) is None


@pytest.mark.django_db(transaction=True)
def test_many_workers_share_rows_without_overlap():
    for _ in range(4):
        queued()
    taken = at_once(*[lambda: claim(OutgoingMail)] * 6)
    refs = [work.ref for work in taken if work]
    assert sorted(refs) == sorted(OutgoingMail.objects.values_list("ref", flat=True))


@pytest.mark.django_db(transaction=True)
def test_two_workers_after_the_same_row():
    work = queued()
    taken = at_once(*[lambda: claim(OutgoingMail, ref=work.ref)] * 2)
    assert sorted(map(bool, taken)) == [False, True]


@pytest.mark.django_db(transaction=True)
def test_a_row_asked_for_by_name_is_not_passed_over_while_it_is_locked():
    work, locked = queued(), Event()

    def hold() -> None:
        with transaction.atomic():
            OutgoingMail.objects.select_for_update().get(pk=work.pk)
            locked.set()
            sleep(0.3)

    def take() -> OutgoingMail | None:
        locked.wait(10)
        return claim(OutgoingMail, ref=work.ref)

    _, claimed = at_once(hold, take)
    assert claimed == work


def test_effect_and_done_are_one():
    work = running()
    with finish(work) as row:
        ClubFactory.create(name="effect")
        row.delivery = Delivery.SMTP
    work.refresh_from_db()
    assert (work.status, work.lease_until, work.delivery) == (WorkStatus.DONE, None, Delivery.SMTP)
    assert work.finished_at


def test_a_failed_effect_leaves_the_row_running():
    work = running()
    ClubFactory.create(slug="once")
    with pytest.raises(IntegrityError), finish(work):
        Club.objects.bulk_create([Club(slug="effect", name="A"), Club(slug="once", name="B")])
    work.refresh_from_db()
    assert work.status == WorkStatus.RUNNING
    assert not Club.objects.filter(slug="effect").exists()


def expired(work) -> None:
    OutgoingMail.objects.filter(pk=work.pk).update(lease_until=now() - timedelta(seconds=1))


def test_a_slow_worker_whose_row_went_to_another_leaves_no_trace():
    slow = running()
    expired(slow)
    assert requeue_lost(OutgoingMail) == [slow]
    quick = running(slow)
    assert quick.attempt == 2
    for late in (heartbeat, lambda work: fail(work, error="late"), done):
        with pytest.raises(WorkLostError, match=f"Attempt 1 of OutgoingMail {slow.ref}"):
            late(slow)
    done(quick)
    with pytest.raises(WorkLostError):
        done(quick)


@pytest.mark.django_db(transaction=True)
def test_an_effect_and_the_loss_of_the_row_at_once():
    work = running()
    expired(work)
    outcomes = at_once(lambda: done(work), lambda: requeue_lost(OutgoingMail))
    work.refresh_from_db()
    if work.status == WorkStatus.DONE:
        assert outcomes == [None, []]
    else:
        assert isinstance(outcomes[0], WorkLostError)
        assert (outcomes[1], work.status) == ([work], WorkStatus.QUEUED)


def test_a_heartbeat_keeps_the_row():
    work = running()
    expired(work)
    heartbeat(work)
    assert requeue_lost(OutgoingMail) == []


def test_a_failed_attempt_rests_and_comes_back_until_the_attempts_are_spent():
    work = queued()
    for attempt in range(1, OutgoingMail.MAX_ATTEMPTS + 1):
        OutgoingMail.objects.update(available_at=now())
        assert running(work).attempt == attempt
        work.refresh_from_db()
        spent = attempt == OutgoingMail.MAX_ATTEMPTS
        assert fail(work, error=f"no. {attempt}") == (WorkStatus.FAILED if spent else WorkStatus.QUEUED)
    work.refresh_from_db()
    assert work.error == f"no. {OutgoingMail.MAX_ATTEMPTS}"
    assert requeue(work)
    assert not requeue(work)
    again = running(work)
    assert (again.attempt, again.attempts_left) == (
        OutgoingMail.MAX_ATTEMPTS + 1,
        OutgoingMail.MAX_ATTEMPTS - 1,
    )


def test_a_final_failure_needs_one_attempt():
    work = running()
    assert fail(work, error="no such address", final=True) == WorkStatus.FAILED


def test_work_that_kills_its_workers_fails_in_the_end():
    work = queued()
    for attempt in range(1, OutgoingMail.MAX_ATTEMPTS + 1):
        expired(running(work))
        assert requeue_lost(OutgoingMail) == ([work] if attempt < OutgoingMail.MAX_ATTEMPTS else [])
    work.refresh_from_db()
    assert (work.status, work.error) == (WorkStatus.FAILED, f"The worker of attempt {work.attempt} was lost.")


def test_waits_double_up_to_half_an_hour():
    assert [wait_after(n).total_seconds() for n in (1, 2, 3, 12, 1000)] == [5, 10, 20, 1800, 1800]


def test_a_row_without_message_is_woken_once_in_a_while():
    work = queued(available_at=now() - timedelta(seconds=30))
    queued()  # its own message is still on the way
    running()
    assert overdue(OutgoingMail) == [work]
    assert overdue(OutgoingMail) == []
    OutgoingMail.objects.filter(pk=work.pk).update(woken_at=now() - OutgoingMail.WAKE_AGAIN * 2)
    assert overdue(OutgoingMail) == [work]
