"""Followed players, calendar addresses and browsers for table calls."""

from secrets import token_urlsafe

from django.conf import settings
from django.db import models
from django.utils.timezone import now

from clubs.models import Player

KEY_BYTES = 24


def new_key() -> str:
    """A secret for an address: 32 random characters."""
    return token_urlsafe(KEY_BYTES)


class Follow(models.Model):
    """A user follows a player: marked in every draw. Visitors keep theirs in their browser."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="follows")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="followers")
    since = models.DateTimeField(default=now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "player"], name="follow_once")]

    def __str__(self) -> str:
        return f"{self.user_id} follows {self.player_id}"


class CalendarKey(models.Model):
    """The secret of a user's calendar address; a new one voids the old address."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="calendar_key"
    )
    key = models.CharField(max_length=32, unique=True, default=new_key)

    def __str__(self) -> str:
        return f"calendar of {self.user_id}"


class PushAddress(models.Model):
    """A browser subscribed to table calls (Web Push, RFC 8030), with its two keys."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="push_addresses"
    )
    endpoint = models.URLField(max_length=500, unique=True)
    p256dh = models.CharField(max_length=120)
    auth = models.CharField(max_length=40)
    since = models.DateTimeField(default=now)

    def __str__(self) -> str:
        return f"browser {self.pk} of {self.user_id}"
