"""Background work as rows: the row is the truth, the message only a wake-up.

A piece of work goes queued -> running -> done, or back to queued when an attempt fails or its worker is
lost, until ``MAX_ATTEMPTS`` are used up and it has failed. Each claim raises ``attempt``; the holder of an
older attempt has lost the row and can neither extend, finish nor fail it. ``clubs.work.services`` changes
rows.
"""

from datetime import timedelta
from typing import ClassVar

from django.apps import apps
from django.db import models
from django.utils.functional import Promise
from django.utils.timezone import now

from clubs.models.ref import RefModel


class WorkStatus(models.TextChoices):
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Work(RefModel):
    """A piece of background work; a subclass adds its data and names its task.

    ``TASK`` is the Celery name of a task that takes the row's ref, ``NAME`` what users see. The subclass has
    ``class Meta(Work.Meta)`` and, where it adds constraints, starts them with ``*Work.Meta.constraints``.
    """

    TASK: ClassVar[str]
    # The name of this kind of work on the status page.
    NAME: ClassVar[str | Promise]
    QUEUE: ClassVar[str] = "default"
    MAX_ATTEMPTS: ClassVar[int] = 5
    LEASE: ClassVar[timedelta] = timedelta(seconds=60)
    # How long the reconciler trusts a message that it sent for a row that is still queued.
    WAKE_AGAIN: ClassVar[timedelta] = timedelta(minutes=2)
    # How many waiting rows the reconciler sends messages for at once.
    WAKE_AT_MOST: ClassVar[int] = 500
    # How long a message waits for a worker before the broker drops it; None: as long as it takes.
    MESSAGE_LASTS: ClassVar[timedelta | None] = None

    status = models.CharField(max_length=10, choices=WorkStatus.choices, default=WorkStatus.QUEUED)
    attempt = models.PositiveIntegerField(default=0)
    attempts_forgiven = models.PositiveIntegerField(default=0)
    queued_at = models.DateTimeField(default=now)
    available_at = models.DateTimeField(default=now)
    woken_at = models.DateTimeField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    error = models.TextField(blank=True)

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=models.Q(status__in=WorkStatus.values), name="%(app_label)s_%(class)s_status_known"
            ),
            models.CheckConstraint(
                condition=models.Q(status=WorkStatus.RUNNING, lease_until__isnull=False)
                | (~models.Q(status=WorkStatus.RUNNING) & models.Q(lease_until=None)),
                name="%(app_label)s_%(class)s_lease_while_running",
            ),
        ]
        indexes = [
            models.Index(
                fields=["available_at"],
                condition=models.Q(status=WorkStatus.QUEUED),
                name="%(app_label)s_%(class)s_due",
            ),
            models.Index(
                fields=["lease_until"],
                condition=models.Q(status=WorkStatus.RUNNING),
                name="%(app_label)s_%(class)s_lease",
            ),
        ]

    @property
    def task_and_queue(self) -> tuple[str, str]:
        """The task that is called for this row, and the queue that its message waits in."""
        return self.TASK, self.QUEUE

    @property
    def attempts_left(self) -> int:
        """Further attempts after the current one; ``requeue`` restores them all."""
        return max(0, self.MAX_ATTEMPTS - (self.attempt - self.attempts_forgiven))


def work_models() -> list[type[Work]]:
    """All models of work; subclassing ``Work`` registers them."""
    return [model for model in apps.get_models() if issubclass(model, Work)]
