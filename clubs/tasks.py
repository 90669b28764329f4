"""The background work of clubs, and the wake-ups and the reconciler of everybody's."""

from celery import current_app, shared_task
from django.db import transaction

from clubs.housekeeping import tidy as tidy_up
from clubs.mail.services import deliver
from clubs.models import Work, work_models
from clubs.work.services import overdue, requeue_lost


def wake(work: Work) -> None:
    """Once the caller's transaction commits, tell a worker that the row is there.

    A broker that is down is logged and costs nothing but time: the reconciler sends the message again.
    """
    transaction.on_commit(lambda: _send(work), robust=True)


def _send(work: Work) -> None:
    current_app.send_task(work.TASK, args=(work.ref,), queue=work.QUEUE, retry=False)


@shared_task(name="clubs.reconcile")
def reconcile() -> None:
    """Give back what lost workers held, then wake workers for rows that wait without a message."""
    for model in work_models():
        for work in [*requeue_lost(model), *overdue(model)]:
            _send(work)


@shared_task(name="clubs.deliver_mail")
def deliver_mail(ref: str) -> None:
    """Send one message (``OutgoingMail``)."""
    deliver(ref=ref)


@shared_task(name="clubs.tidy")
def tidy() -> None:
    """Once a day: erase what is kept for a while only."""
    tidy_up()
