"""Celery tasks of the nightly backup."""

from datetime import timedelta

from celery import shared_task

from clubs.models import Backup
from clubs.tasks import wake
from clubs.work import services as work
from clubs.work.backups import ask_for_nightly_backup
from deploy.backup.taking import take

LONGEST = int(timedelta(days=1).total_seconds())


@shared_task(name="deploy.nightly_backup")
def nightly_backup() -> None:
    """Queue tonight's backup if it is due; runs every hour."""
    if backup := ask_for_nightly_backup():
        wake(backup)


# However long it takes: no other task's limits, and no second message for one that is not acknowledged.
@shared_task(name=Backup.TASK, time_limit=LONGEST, soft_time_limit=LONGEST - 60, acks_late=False)
def back_up(ref: str) -> None:
    """Take one backup into the configured folder; its row records the outcome."""
    if backup := work.claim(Backup, ref=ref):
        take(backup)
