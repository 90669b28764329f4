"""Idempotency keys: the first response is stored and repeated."""

from django.conf import settings
from django.db import models
from django.utils.timezone import now


class IdempotencyKey(models.Model):
    """A user's request under the client's key; ``response`` is null until answered."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=200)
    body_sha = models.CharField(max_length=64, help_text="SHA-256 of method, path and body, hexadecimal")
    status_code = models.PositiveSmallIntegerField(null=True)
    response = models.JSONField(null=True)
    created_at = models.DateTimeField(default=now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "key"], name="idempotency_key_once"),
            models.CheckConstraint(condition=~models.Q(key=""), name="idempotency_key_not_empty"),
        ]
        indexes = [models.Index(fields=["created_at"], name="idempotency_by_age")]

    def __str__(self) -> str:
        return self.key
