"""Scoresheets: append-only event logs of matches, with claims and clocks."""

from django.conf import settings
from django.db import models
from django.utils.timezone import now
from django.utils.translation import gettext_lazy as _

from clubs.models import Club
from clubs.models.ref import RefModel
from scoring.models.log import LogOwner, NotedEntry


class SheetKind(models.TextChoices):
    MATCH = "match"
    CHOUETTE = "chouette"


class Sheet(RefModel, LogOwner):
    """One log with its head. ``state`` is the replayed state in canonical JSON, rebuilt byte for byte.

    Services lock the sheet to append. ``profile`` is the rules profile under which the match began
    (``scoring.rules.profiles``; empty for a sheet from a file), ``opened_by`` who opened it to be written.
    ``directed`` marks the match of an event: its length is what the event says, and a director's to correct.
    ``opened_by_director`` marks one that a director of the club, or the installation itself, opened. While
    the match's event lives on another machine, since ``moved_at``, nothing is written here.
    """

    LOG = "events"

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="sheets")
    kind = models.CharField(max_length=8, choices=SheetKind.choices, default=SheetKind.MATCH)
    state = models.TextField(blank=True)
    profile = models.JSONField(default=dict, blank=True)
    opened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    directed = models.BooleanField(default=False)
    opened_by_director = models.BooleanField(default=False)
    moved_at = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(default=now, editable=False)

    class Meta(LogOwner.Meta):
        pass

    @property
    def is_away(self) -> bool:
        """Whether the match's event was moved to another computer."""
        return self.moved_at is not None


class ClaimSide(models.TextChoices):
    """The side that a claim can confirm for."""

    WHITE = "white", _("White")
    BLACK = "black", _("Black")
    BOTH = "", _("both sides")


class ClaimQuerySet(models.QuerySet["Claim"]):
    def standing(self) -> "ClaimQuerySet":
        """Those that were neither revoked nor have expired."""
        return self.filter(revoked_at=None, expires_at__gt=now())


class Claim(RefModel):
    """Lets the holder of a code score one match without an account; stores its hash.

    ``code_hash`` is SHA-256 in hex. A claim ends when it expires or is revoked, and when the match's result
    is final.
    """

    sheet = models.ForeignKey(Sheet, on_delete=models.PROTECT, related_name="claims")
    code_hash = models.CharField(max_length=64, unique=True)
    side = models.CharField(max_length=5, choices=ClaimSide.choices, blank=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(default=now, editable=False)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = ClaimQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(side__in=ClaimSide.values), name="claim_side_known"),
        ]


class SheetEvent(NotedEntry):
    """One event of a match or of a chouette. ``body`` is the rules engine's; ``replaces`` names a corrected
    event's seq.

    ``side`` is who acted and ``notation`` how it is written down ("31: 8/5 6/5"), both empty where that is
    not known: they follow from the log, and save its readers a replay.
    """

    LINKED = ("replaces", "note_digest")

    sheet = models.ForeignKey(Sheet, on_delete=models.PROTECT, related_name="events")
    client_key = models.CharField(max_length=64)
    replaces = models.PositiveIntegerField(null=True, blank=True)
    claim = models.ForeignKey(Claim, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    side = models.CharField(max_length=5, blank=True, default="")
    notation = models.CharField(max_length=100, blank=True, default="")

    class Meta(NotedEntry.Meta):
        constraints = [
            *NotedEntry.Meta.constraints,
            models.UniqueConstraint(fields=["sheet", "seq"], name="sheet_event_seq_once"),
            models.UniqueConstraint(fields=["sheet", "client_key"], name="sheet_event_client_key_once"),
            models.CheckConstraint(
                condition=models.Q(replaces=None) | models.Q(replaces__lt=models.F("seq")),
                name="sheet_event_replaces_an_earlier_one",
            ),
        ]


class ClockState(models.Model):
    """A match clock: what is left of each side's reserve, in milliseconds, when ``since`` began.

    While it runs (``running`` is a colour) the side's delay of ``delay_ms`` is used up first and then its
    reserve. A reserve may go below zero: the flag is shown, and what follows is for people to say.
    """

    sheet = models.OneToOneField(Sheet, on_delete=models.PROTECT, related_name="clock")
    white_ms = models.IntegerField()
    black_ms = models.IntegerField()
    delay_ms = models.PositiveIntegerField(default=0)
    running = models.CharField(max_length=5, blank=True)
    since = models.DateTimeField(null=True, blank=True)
    version = models.PositiveBigIntegerField(default=1, editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(running="", since=None)
                | models.Q(running__in=["white", "black"], since__isnull=False),
                name="clock_runs_since",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.white_ms} {self.black_ms}"
