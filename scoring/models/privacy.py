"""Who can see analyses: each player's choice, for all their matches and for one."""

from django.db import models
from django.utils.timezone import now

from clubs.models import Player
from scoring.models.match import Match


class PlayerPrivacy(models.Model):
    """A player's choice for their matches; without one, the club's default holds.

    With ``keeps``, only the match's players can see its analyses.
    """

    player = models.OneToOneField(Player, on_delete=models.PROTECT, related_name="privacy")
    keeps = models.BooleanField()
    at = models.DateTimeField(default=now)

    class Meta:
        # The few who keep theirs: every list of analyses asks for them.
        indexes = [
            models.Index(fields=["player"], condition=models.Q(keeps=True), name="privacy_of_who_keeps")
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {'keeps' if self.keeps else 'shows'}"


class MatchPrivacy(models.Model):
    """A player's choice for one match; it precedes their general one."""

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="privacies")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    keeps = models.BooleanField()
    at = models.DateTimeField(default=now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "player"], name="match_privacy_once_a_player"),
        ]
        indexes = [models.Index(fields=["match"], condition=models.Q(keeps=True), name="match_privacy_kept")]

    def __str__(self) -> str:
        return f"{self.player_id} {'keeps' if self.keeps else 'shows'} {self.match_id}"
