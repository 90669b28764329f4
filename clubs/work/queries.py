"""Background work that needs attention."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Min, Q, QuerySet
from django.utils.timezone import now

from clubs.models import Backup, Work, WorkStatus, work_models

FAILED_LATELY = timedelta(days=14)
"""Older failed work is not shown: it is not worth another attempt."""


UNTAKEN = timedelta(minutes=5)
"""Due work older than this is stalled; the reconciler wakes workers every two minutes."""


@dataclass(frozen=True, slots=True)
class WorkState:
    """A kind of work: what is due and in progress, and its problems.

    ``waiting`` is due, ``stalled`` waits for a worker that does not come, ``since`` is when the oldest of
    these was due.
    """

    task: str
    name: str
    waiting: int
    running: int
    failed: int
    retrying: int
    error: str
    stalled: int
    since: datetime | None

    @property
    def is_in_trouble(self) -> bool:
        return bool(self.failed or self.retrying or self.stalled)

    @property
    def is_busy(self) -> bool:
        return bool(self.waiting or self.running)


def lately_failed(model: type[Work]) -> QuerySet[Any]:
    """Work of a kind that failed recently enough to matter."""
    return model._default_manager.filter(_lately_failed())


def _lately_failed() -> Q:
    return Q(status=WorkStatus.FAILED, finished_at__gt=now() - FAILED_LATELY)


def work_states() -> list[WorkState]:
    """All kinds of work (a query each, one more where there are errors); failed backups count elsewhere.

    Due work is stalled only while nothing at all is running in its queue: a queue can be long.
    """
    found = [(model, _counts(model)) for model in work_models()]
    busy = {model.QUEUE for model, counts in found if counts["running"]}
    return [_state_of(model, counts, busy=model.QUEUE in busy) for model, counts in found]


def _counts(model: type[Work]) -> dict[str, Any]:
    late = now() - UNTAKEN
    stalled = Q(status=WorkStatus.QUEUED, available_at__lt=late)
    stalled |= Q(status=WorkStatus.RUNNING, lease_until__lt=late)
    failed = Q(pk__in=[]) if model is Backup else _lately_failed()
    due = Q(status=WorkStatus.QUEUED, available_at__lte=now())
    unfinished = Q(status__in=[WorkStatus.QUEUED, WorkStatus.RUNNING])
    return model._default_manager.filter(unfinished | failed).aggregate(
        failed=Count("pk", filter=Q(status=WorkStatus.FAILED)),
        retrying=Count("pk", filter=Q(status=WorkStatus.QUEUED) & ~Q(error="")),
        waiting=Count("pk", filter=due),
        running=Count("pk", filter=Q(status=WorkStatus.RUNNING, lease_until__gt=now())),
        stalled=Count("pk", filter=stalled),
        since=Min("available_at", filter=stalled),
    )


def _state_of(model: type[Work], counts: dict[str, Any], *, busy: bool) -> WorkState:
    stalled = 0 if busy else counts["stalled"]
    error = ""
    if counts["failed"] or counts["retrying"]:
        trouble = lately_failed(model) | model._default_manager.filter(status=WorkStatus.QUEUED)
        latest = trouble.exclude(error="").order_by("-available_at", "-pk")
        error = latest.values_list("error", flat=True).first() or ""
    return WorkState(
        task=model.TASK,
        name=str(model.NAME),
        waiting=counts["waiting"],
        running=counts["running"],
        failed=counts["failed"],
        retrying=counts["retrying"],
        error=error,
        stalled=stalled,
        since=counts["since"] if stalled else None,
    )
