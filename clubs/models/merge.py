"""A guest merged into another player: what moved, while it can be undone."""

from datetime import datetime, timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.utils.timezone import now

from clubs.models.club import Club
from clubs.models.person import NAME_LENGTH
from clubs.models.player import Player
from clubs.models.ref import RefModel

UNDO_WITHIN = timedelta(days=30)


class MergeQuerySet(models.QuerySet["Merge"]):
    def in_club(self, club: Club) -> Self:
        return self.filter(club=club)

    def open(self) -> Self:
        """Merges that can still be undone."""
        return self.filter(at__gt=now() - UNDO_WITHIN)


class Merge(RefModel):
    """A merge, kept for ``UNDO_WITHIN`` and then deleted with the guest's name.

    ``moved`` is what each app moved, under its name, as JSON; ``club`` is where it was decided.
    """

    club = models.ForeignKey(Club, null=True, blank=True, on_delete=models.CASCADE, related_name="merges")
    guest = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    into = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=NAME_LENGTH)
    moved = models.JSONField(default=dict)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    at = models.DateTimeField(default=now)

    objects = MergeQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["guest"], name="merge_once_a_guest")]

    @property
    def until(self) -> datetime:
        """When it can no longer be undone."""
        return self.at + UNDO_WITHIN
