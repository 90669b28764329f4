"""The append-only event log: everything that is known of a match, in the order in which it was recorded."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.timezone import now

from clubs.models import Club
from clubs.models.ref import RefModel


class SheetKind(models.TextChoices):
    MATCH = "match"
    CHOUETTE = "chouette"


class Sheet(RefModel):
    """One log with its head. ``state`` is the replayed state in canonical JSON, rebuilt byte for byte.

    ``head_seq`` counts the events, ``head_hash`` the last link of the hash chain (64 hex digits, or empty).
    Services lock the sheet to append.
    """

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="sheets")
    kind = models.CharField(max_length=8, choices=SheetKind.choices, default=SheetKind.MATCH)
    head_seq = models.PositiveIntegerField(default=0)
    head_hash = models.CharField(max_length=64, blank=True)
    state = models.TextField(blank=True)
    created_at = models.DateTimeField(default=now, editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(head_seq=0, head_hash="")
                | models.Q(head_seq__gt=0, head_hash__regex="^[0-9a-f]{64}$"),
                name="sheet_head_has_its_hash",
            ),
        ]


class SheetEvent(models.Model):
    """One event of a log. ``body`` is the rules engine's; ``replaces`` names a corrected event's seq.

    ``hash`` is SHA-256 over the previous hash and this event (``scoring.services.sheets.link``). Nothing
    personal stands here: the author is a foreign key that an erasure empties.
    """

    sheet = models.ForeignKey(Sheet, on_delete=models.PROTECT, related_name="events")
    seq = models.PositiveIntegerField()
    client_key = models.CharField(max_length=64)
    kind = models.CharField(max_length=24)
    body = models.JSONField(default=dict)
    replaces = models.PositiveIntegerField(null=True, blank=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    at = models.DateTimeField(db_default=Now())
    hash = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["sheet", "seq"], name="sheet_event_seq_once"),
            models.UniqueConstraint(fields=["sheet", "client_key"], name="sheet_event_client_key_once"),
            models.CheckConstraint(condition=models.Q(seq__gte=1), name="sheet_event_seq_from_one"),
            models.CheckConstraint(
                condition=models.Q(replaces=None) | models.Q(replaces__lt=models.F("seq")),
                name="sheet_event_replaces_an_earlier_one",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.seq} {self.kind}"
