"""Backups of the whole site: queued, running, done or failed."""

from datetime import timedelta
from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from clubs.models.work import Work


class Backup(Work):
    """A backup, by a command or by the beat; its file is outside the database.

    A nightly backup that failed is requested again an hour later, as a new row.
    """

    TASK: ClassVar[str] = "deploy.back_up"
    NAME = _("Backups")
    MAX_ATTEMPTS: ClassVar[int] = 1
    LEASE: ClassVar[timedelta] = timedelta(minutes=10)

    into_folder = models.BooleanField(default=False)  # the configured one, where backups are rotated
    path = models.TextField(blank=True)
    size = models.PositiveBigIntegerField(null=True, blank=True)
    rows = models.PositiveBigIntegerField(null=True, blank=True)

    class Meta(Work.Meta):
        constraints = [*Work.Meta.constraints]

    def __str__(self) -> str:
        return self.path or self.ref
