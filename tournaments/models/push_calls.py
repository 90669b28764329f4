"""Pushed table calls."""

from datetime import timedelta
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from clubs.models.work import Work
from tournaments.models.stage import PairingRow


class PushCall(Work):
    """Tell one user in every browser that asked for it that they are called, or that a call has ``lapsed``:
    it, or its draw, was taken back. A late call helps nobody, so it is tried for some minutes only.
    """

    TASK: ClassVar[str] = "tournaments.push_call"
    NAME = _("Table-call notifications")
    MAX_ATTEMPTS: ClassVar[int] = 4
    LEASE: ClassVar[timedelta] = timedelta(minutes=2)

    pairing = models.ForeignKey(PairingRow, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    called_at = models.DateTimeField()
    lapsed = models.BooleanField(default=False)

    class Meta(Work.Meta):
        constraints = [
            *Work.Meta.constraints,
            models.UniqueConstraint(fields=["pairing", "user", "called_at"], name="push_call_once"),
        ]
