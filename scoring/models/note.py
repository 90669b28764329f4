"""Notes of players on matches and on their decisions."""

from django.db import models
from django.utils.timezone import now
from django.utils.translation import gettext_lazy as _

from clubs.models import Player
from clubs.models.ref import RefModel
from scoring.models.match import Match

NOTE_LENGTH = 2000


class NoteFor(models.TextChoices):
    """Who can read a note."""

    ME = "me", _("Only me")
    PLAYERS = "players", _("The two players")
    CLUB = "club", _("The club")


class MatchNote(RefModel):
    """Plain text on a match, or on one entry of its sheet (``event_seq``).

    Unlike ``clubs.models.Note`` no log refers to it: deleting it deletes the row.
    """

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="notes")
    event_seq = models.PositiveIntegerField(null=True, blank=True)
    author = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="match_notes")
    audience = models.CharField(max_length=8, choices=NoteFor.choices, default=NoteFor.ME)
    text = models.CharField(max_length=NOTE_LENGTH)
    created_at = models.DateTimeField(default=now)
    edited_at = models.DateTimeField(null=True, blank=True)
    # The step that it is on, set where the note is shown.
    step: int | None = None

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~models.Q(text=""), name="match_note_has_text"),
            models.CheckConstraint(
                condition=models.Q(audience__in=NoteFor.values), name="match_note_audience_known"
            ),
        ]
        indexes = [
            models.Index(fields=["match", "created_at"], name="match_note_of_match"),
            models.Index(fields=["author", "-created_at"], name="match_note_of_author"),
        ]

    def __str__(self) -> str:
        return f"{self.author_id} on {self.match_id}"
