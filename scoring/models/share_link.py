"""Links that show a match to everyone who has them, until they end."""

from datetime import datetime

from django.db import models
from django.utils.timezone import now
from django.utils.translation import gettext_lazy as _

from clubs.models import Player
from clubs.models.ref import RefModel
from scoring.models.match import Match


class LinkShows(models.TextChoices):
    """What a link shows."""

    MATCH = "match", _("The match without its analysis")
    ANALYSIS = "analysis", _("The match with its analysis")
    DECISION = "decision", _("This decision only")


class ShareLink(RefModel):
    """A link to a match, its analysis or one decision (``event_seq``, an entry of its sheet).

    Of its secret only the SHA-256 is stored. ``opened`` counts how often its first page was opened.
    """

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="links")
    made_by = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="share_links")
    shows = models.CharField(max_length=8, choices=LinkShows.choices)
    event_seq = models.PositiveIntegerField(null=True, blank=True)
    secret_digest = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(default=now)
    until = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    opened = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(shows__in=LinkShows.values), name="share_link_shows_known"
            ),
            models.CheckConstraint(
                condition=models.Q(shows=LinkShows.DECISION, event_seq__isnull=False)
                | (~models.Q(shows=LinkShows.DECISION) & models.Q(event_seq__isnull=True)),
                name="share_link_decision_has_entry",
            ),
        ]
        indexes = [
            models.Index(fields=["made_by", "-made_at"], name="share_link_of_player"),
            models.Index(fields=["match", "-made_at"], name="share_link_of_match"),
        ]

    @property
    def ends_at(self) -> datetime:
        """When it ends, or ended."""
        return min(self.until, self.ended_at) if self.ended_at else self.until

    @property
    def has_ended(self) -> bool:
        return self.ends_at <= now()
