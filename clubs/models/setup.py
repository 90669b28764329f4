"""Tokens of the setup page."""

from django.db import models
from django.utils.timezone import now


class SetupToken(models.Model):
    """A setup token, as its SHA-256. Worthless once an administrator exists."""

    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(default=now)

    def __str__(self) -> str:
        return self.digest[:8]
