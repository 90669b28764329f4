"""When a nightly backup is due, and how long its record is kept."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection, transaction
from django.utils.timezone import localtime, now

from clubs.models import Backup, WorkStatus

NIGHT = 3
"""The hour (in the site's time zone) from which the nightly backup is due."""
ASKING = 0x6D69_6470_6173
"""The key of the advisory lock for queueing a backup."""
KEPT_FOR = timedelta(days=90)
UNFINISHED = (WorkStatus.QUEUED, WorkStatus.RUNNING)


def ask_for_nightly_backup() -> Backup | None:
    """Queue tonight's backup if a folder is configured and it is due, else None.

    Called every hour: a failed backup is tried again, and one that a switched-off machine missed is made up.
    """
    if not settings.BACKUP_FOLDER:
        return None
    with transaction.atomic():
        with connection.cursor() as cursor:  # a concurrent caller waits, and then sees the row
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [ASKING])
        ours = Backup.objects.filter(into_folder=True)
        unfinished = ours.filter(status__in=UNFINISHED)
        tonight = ours.filter(status=WorkStatus.DONE, finished_at__gte=last_night(now()))
        if unfinished.exists() or tonight.exists():
            return None
        return Backup.objects.create(into_folder=True)


def last_night(moment: datetime) -> datetime:
    """The latest start of a night at or before a moment."""
    here = localtime(moment)
    tonight = here.replace(hour=NIGHT, minute=0, second=0, microsecond=0)
    return tonight if tonight <= here else tonight - timedelta(days=1)


def forget_old_backups() -> int:
    """Delete old backup records except the last good one; files are not touched."""
    good = Backup.objects.filter(status=WorkStatus.DONE).order_by("-finished_at").values("pk")[:1]
    old = Backup.objects.filter(finished_at__lt=now() - KEPT_FOR)
    return old.exclude(pk__in=good).delete()[0]
