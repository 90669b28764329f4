"""Celery tasks of clubs, and the wake-ups and reconciler of all apps."""

from celery import current_app, shared_task
from django.db import transaction

from clubs.housekeeping import tidy as tidy_up
from clubs.mail.services import deliver
from clubs.models import Work, work_models
from clubs.work.services import overdue, requeue_lost


def wake(work: Work) -> None:
    """Send a worker the row's ref when the caller's transaction commits.

    A broker that is down is logged and costs only time: the reconciler sends the message again.
    """
    transaction.on_commit(lambda: _send(work), robust=True)


def _send(work: Work) -> None:
    task, queue = work.task_and_queue
    expires = work.MESSAGE_LASTS.total_seconds() if work.MESSAGE_LASTS else None
    current_app.send_task(task, args=(work.ref,), queue=queue, expires=expires, retry=False)


@shared_task(name="clubs.reconcile")
def reconcile() -> None:
    """Requeue the work of lost workers, then wake workers for waiting rows."""
    for model in work_models():
        for work in [*requeue_lost(model), *overdue(model)]:
            _send(work)


@shared_task(name="clubs.deliver_mail")
def deliver_mail(ref: str) -> None:
    """Send one message (``OutgoingMail``)."""
    deliver(ref=ref)


@shared_task(name="clubs.tidy")
def tidy() -> None:
    """Delete expired data, daily."""
    tidy_up()
