"""The state of the site's backups."""

from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.utils.timezone import now

from clubs.models import Backup, WorkStatus

OVERDUE = timedelta(hours=26)
"""A backup is overdue after this: the nightly one takes time, and is retried."""


@dataclass(frozen=True, slots=True)
class BackupState:
    """The last good backup, a later failed one, and whether one is overdue."""

    folder: str
    good: Backup | None
    failed: Backup | None
    running: bool
    overdue: bool


def backup_state() -> BackupState:
    """The state of backups; one is overdue only if a folder is configured."""
    backups = Backup.objects.order_by("-finished_at", "-pk")
    good = backups.filter(status=WorkStatus.DONE).first()
    later = {"finished_at__gt": good.finished_at} if good else {}
    late = good is None or good.finished_at is None or good.finished_at < now() - OVERDUE
    return BackupState(
        folder=settings.BACKUP_FOLDER,
        good=good,
        failed=backups.filter(status=WorkStatus.FAILED, **later).first(),
        running=backups.filter(status=WorkStatus.RUNNING).exists(),
        overdue=bool(settings.BACKUP_FOLDER) and late,
    )
