"""State transitions of background work (``clubs.models.Work``).

A worker's task reads: ``claim`` the row, do the work (``heartbeat`` now and then when it is long), and enter
``finish`` to write the effect: effect and "done" are one transaction, so the effect happens exactly once. A
worker that has lost the row gets ``WorkLostError`` and leaves no trace.
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
# After this a message sent at commit counts as lost.
WAKE_AFTER = timedelta(seconds=10)


class WorkLostError(Exception):
    """Another worker has the row: the lease expired, or the work was cancelled."""

    def __init__(self, work: Work) -> None:
        super().__init__(
            f"Attempt {work.attempt} of {type(work).__name__} {work.ref} no longer holds the row."
        )


def wait_after(attempt: int) -> timedelta:
    """The delay after failed ``attempt`` (from 1): 5 s, doubling up to half an hour."""
    return min(FIRST_WAIT * (1 << min(attempt - 1, 20)), LONGEST_WAIT)


def claim(model: type[Row], *, ref: str | None = None, lease: timedelta | None = None) -> Row | None:
    """Claim the piece of work ``ref``, or the oldest waiting one, for ``lease``.

    None when there is nothing to do: claimed by another worker, finished, cancelled or not due yet. A row
    named by ref is waited for while locked: its message is spent, and skipping it would leave it to the
    reconciler.
    """
    rows = model._default_manager.all()
    if ref is None:
        return claim_first(rows, lease=lease)
    rows = rows.filter(ref=ref)
    if not _due(rows).exists():  # do not queue up behind the transaction that finishes it
        return None
    return claim_first(rows, lease=lease, skip_locked=False)


def claim_first(
    rows: QuerySet[Row], *, lease: timedelta | None = None, skip_locked: bool = True
) -> Row | None:
    """Claim the one of these rows that has been due longest, or None."""
    with transaction.atomic():
        locked = _due(rows).select_for_update(skip_locked=skip_locked, of=("self",))
        work = locked.order_by("available_at", "pk").first()
        if work is None:
            return None
        work.status = WorkStatus.RUNNING
        work.attempt += 1
        work.lease_until = now() + (lease or work.LEASE)
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
    """Write the effect inside this block; it is committed together with "done".

    Yields the row, freshly read and locked; changes to its fields are saved with it. Raises WorkLostError
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


@contextmanager
def pause(work: Row) -> Iterator[Row]:
    """Write a part of the effect inside this block; it is committed together with "queued again".

    Yields the row, freshly read and locked. It is due at once, with all attempts: progress was made. Raises
    WorkLostError before the block runs.
    """
    with transaction.atomic():
        current = _held(work).select_for_update(of=("self",)).first()
        if current is None:
            raise WorkLostError(work)
        current.status, current.lease_until, current.woken_at = WorkStatus.QUEUED, None, now()
        current.attempts_forgiven, current.error = current.attempt, ""
        yield current
        current.save()


def fail(work: Work, *, error: str, final: bool = False) -> WorkStatus:
    """Release the row after a failed attempt: queued after a delay, or failed.

    It has failed when ``final``, or when no attempts are left. Raises WorkLostError.
    """
    return _give_back(work, error=error, final=final, available_at=now() + wait_after(work.attempt))


def requeue(work: Work) -> bool:
    """Requeue failed or cancelled work with all attempts; False if it is neither."""
    given_up = Q(status__in=[WorkStatus.FAILED, WorkStatus.CANCELLED])
    return bool(ask_again(_rows(work).filter(given_up)))


def requeue_failed(model: type[Work]) -> int:
    """Requeue recently failed work of a kind; return how many."""
    return ask_again(lately_failed(model))


def cancel(work: Work) -> bool:
    """Cancel queued or running work; False if it has already ended.

    Its worker gets WorkLostError.
    """
    unfinished = Q(status__in=[WorkStatus.QUEUED, WorkStatus.RUNNING])
    changed = (
        _rows(work)
        .filter(unfinished)
        .update(status=WorkStatus.CANCELLED, lease_until=None, finished_at=now())
    )
    return bool(changed)


def requeue_lost(model: type[Row]) -> list[Row]:
    """Release rows whose lease has expired: their worker was killed or hangs.

    Returns those that are due at once and must be woken; the others have no attempts left and have failed.
    """
    expired = model._default_manager.filter(status=WorkStatus.RUNNING, lease_until__lt=now())
    with transaction.atomic():
        lost = list(expired.select_for_update(skip_locked=True, of=("self",)))
        for work in lost:
            error = f"The worker of attempt {work.attempt} was lost."
            work.status = _give_back(work, error=error, final=False, available_at=now(), woken_at=now())
    return [work for work in lost if work.status == WorkStatus.QUEUED]


def overdue(model: type[Row]) -> list[Row]:
    """Due rows whose message seems lost, marked as woken now, oldest first."""
    waiting = model._default_manager.filter(
        Q(woken_at=None) | Q(woken_at__lt=now() - model.WAKE_AGAIN),
        status=WorkStatus.QUEUED,
        available_at__lt=now() - WAKE_AFTER,
    )
    with transaction.atomic():
        locked = waiting.select_for_update(skip_locked=True, of=("self",)).order_by("available_at", "pk")
        rows = list(locked[: model.WAKE_AT_MOST])
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
    """Requeue ended rows with all attempts, changing ``fields``; return how many."""
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


def _due(rows: QuerySet[Row]) -> QuerySet[Row]:
    return rows.filter(status=WorkStatus.QUEUED, available_at__lte=now())


def _rows(work: Row) -> QuerySet[Row]:
    return type(work)._default_manager.filter(pk=work.pk)


def _held(work: Row) -> QuerySet[Row]:
    """The row while this attempt holds it, else nothing."""
    return _rows(work).filter(status=WorkStatus.RUNNING, attempt=work.attempt)
