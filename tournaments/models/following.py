"""Who wants to hear of what: followed players, the secret address of a calendar, browsers that take calls."""

from secrets import token_urlsafe

from django.conf import settings
from django.db import models
from django.utils.timezone import now

from clubs.models import Player

KEY_BYTES = 24


def new_key() -> str:
    """A secret that nobody guesses: 32 characters for an address."""
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
    """The secret in the address of a user's calendar feed; a new one makes the old address useless."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="calendar_key"
    )
    key = models.CharField(max_length=32, unique=True, default=new_key)

    def __str__(self) -> str:
        return f"calendar of {self.user_id}"


class PushAddress(models.Model):
    """A browser in which a user wants to be called (Web Push, RFC 8030): where to, and its two keys."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="push_addresses"
    )
    endpoint = models.URLField(max_length=500, unique=True)
    p256dh = models.CharField(max_length=120)
    auth = models.CharField(max_length=40)
    since = models.DateTimeField(default=now)

    def __str__(self) -> str:
        return f"browser {self.pk} of {self.user_id}"
