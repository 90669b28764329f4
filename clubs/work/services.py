"""The transitions of background work (``clubs.models.Work``), for any model of it.

A worker's task reads: ``claim`` the row, do the work (``heartbeat`` now and then when it is long), and enter
``finish`` to write the effect: effect and "done" are one transaction, so the effect happens exactly once.
Whoever has lost the row in between gets ``WorkLostError`` and leaves no trace.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils.timezone import now

from clubs.models import Work, WorkStatus
from clubs.work.queries import lately_failed

Row = TypeVar("Row", bound=Work)

FIRST_WAIT = timedelta(seconds=5)
LONGEST_WAIT = timedelta(minutes=30)
# A message that was sent at commit has had its chance after this.
WAKE_AFTER = timedelta(seconds=10)


class WorkLostError(Exception):
    """The row belongs to somebody else now: the lease ran out, or the work was cancelled."""

    def __init__(self, work: Work) -> None:
        super().__init__(
            f"Attempt {work.attempt} of {type(work).__name__} {work.ref} no longer holds the row."
        )


def wait_after(attempt: int) -> timedelta:
    """The rest after its failed ``attempt`` (from 1): 5 s, doubled each time, at most half an hour."""
    return min(FIRST_WAIT * (1 << min(attempt - 1, 20)), LONGEST_WAIT)


def claim(model: type[Row], *, ref: str | None = None, lease: timedelta | None = None) -> Row | None:
    """Take the piece of work ``ref``, or the one that waits longest, for the length of ``lease``.

    None when there is nothing to do: taken by another worker, finished, cancelled or not due yet. A row asked
    for by name is waited for when somebody else has it locked: its message is spent, so passing it over would
    leave it to the reconciler.
    """
    due = model._default_manager.filter(status=WorkStatus.QUEUED, available_at__lte=now())
    if ref is not None:
        due = due.filter(ref=ref)
        if not due.exists():  # do not queue up behind the transaction that finishes it
            return None
    with transaction.atomic():
        locked = due.select_for_update(skip_locked=ref is None, of=("self",))
        work = locked.order_by("available_at", "pk").first()
        if work is None:
            return None
        work.status = WorkStatus.RUNNING
        work.attempt += 1
        work.lease_until = now() + (lease or model.LEASE)
        work.save(update_fields=["status", "attempt", "lease_until"])
        return work


def heartbeat(work: Work, *, lease: timedelta | None = None) -> None:
    """Extend the lease of running work from now. Raises WorkLostError."""
    until = now() + (lease or work.LEASE)
    if not _held(work).update(lease_until=until):
        raise WorkLostError(work)
    work.lease_until = until


@contextmanager
def finish(work: Row) -> Iterator[Row]:
    """Write the effect inside this block; it and the row's "done" are committed together, or neither is.

    Yields the row, freshly read and locked; changes to its own fields are saved with it. Raises WorkLostError
    before the block runs.
    """
    with transaction.atomic():
        current = _held(work).select_for_update(of=("self",)).first()
        if current is None:
            raise WorkLostError(work)
        current.status, current.lease_until, current.finished_at = WorkStatus.DONE, None, now()
        current.error = ""
        yield current
        current.save()


def fail(work: Work, *, error: str, final: bool = False) -> WorkStatus:
    """Give the row back after a failed attempt: queued again after a wait, or failed for good.

    For good when ``final``, or when no attempts are left. Raises WorkLostError.
    """
    return _give_back(work, error=error, final=final, available_at=now() + wait_after(work.attempt))


def requeue(work: Work) -> bool:
    """Ask again for work that has failed or was cancelled, with all its attempts. False if it is neither."""
    given_up = Q(status__in=[WorkStatus.FAILED, WorkStatus.CANCELLED])
    return bool(ask_again(_rows(work).filter(given_up)))


def requeue_failed(model: type[Work]) -> int:
    """Ask again for all lately failed work of a kind; the reconciler wakes its workers. Returns how many."""
    return ask_again(lately_failed(model))


def cancel(work: Work) -> bool:
    """Stop queued or running work; who holds it gets WorkLostError. False if it has ended already."""
    unfinished = Q(status__in=[WorkStatus.QUEUED, WorkStatus.RUNNING])
    changed = (
        _rows(work)
        .filter(unfinished)
        .update(status=WorkStatus.CANCELLED, lease_until=None, finished_at=now())
    )
    return bool(changed)


def requeue_lost(model: type[Row]) -> list[Row]:
    """Give back the rows whose lease has run out: their worker was killed or hangs.

    Returns those that are due again at once and have to be woken; the others have no attempts left and have
    failed.
    """
    expired = model._default_manager.filter(status=WorkStatus.RUNNING, lease_until__lt=now())
    with transaction.atomic():
        lost = list(expired.select_for_update(skip_locked=True, of=("self",)))
        for work in lost:
            error = f"The worker of attempt {work.attempt} was lost."
            work.status = _give_back(work, error=error, final=False, available_at=now(), woken_at=now())
    return [work for work in lost if work.status == WorkStatus.QUEUED]


def overdue(model: type[Row], *, limit: int = 500) -> list[Row]:
    """Due rows whose message seems to be lost, marked as woken now, the longest waiting first."""
    waiting = model._default_manager.filter(
        Q(woken_at=None) | Q(woken_at__lt=now() - model.WAKE_AGAIN),
        status=WorkStatus.QUEUED,
        available_at__lt=now() - WAKE_AFTER,
    )
    with transaction.atomic():
        locked = waiting.select_for_update(skip_locked=True, of=("self",)).order_by("available_at", "pk")
        rows = list(locked[:limit])
        model._default_manager.filter(pk__in=[row.pk for row in rows]).update(woken_at=now())
    return rows


def _give_back(
    work: Work, *, error: str, final: bool, available_at: datetime, woken_at: datetime | None = None
) -> WorkStatus:
    spent = final or work.attempts_left == 0
    status = WorkStatus.FAILED if spent else WorkStatus.QUEUED
    changed = _held(work).update(
        status=status,
        error=error,
        lease_until=None,
        woken_at=woken_at,
        available_at=available_at,
        finished_at=now() if spent else None,
    )
    if not changed:
        raise WorkLostError(work)
    return status


def ask_again(rows: QuerySet[Row], **fields: Any) -> int:
    """Queue rows that have ended with all their attempts, ``fields`` changed with it. Returns how many."""
    return rows.update(
        **fields,
        status=WorkStatus.QUEUED,
        queued_at=now(),
        available_at=now(),
        woken_at=None,
        finished_at=None,
        error="",
        # `attempt` itself keeps growing: it tells the holders of the row apart.
        attempts_forgiven=F("attempt"),
    )


def _rows(work: Row) -> QuerySet[Row]:
    return type(work)._default_manager.filter(pk=work.pk)


def _held(work: Row) -> QuerySet[Row]:
    """The row while this attempt still holds it, else nothing."""
    return _rows(work).filter(status=WorkStatus.RUNNING, attempt=work.attempt)
