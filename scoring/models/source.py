"""Sources of matches: uploaded files and the names in them."""

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.utils.timezone import now
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Player
from clubs.models.ref import RefModel
from clubs.models.work import Work
from scoring.models.match import Match


class Source(RefModel):
    """A file that a match was read from. The bytes are personal and can be erased; their digest stays.

    ``flags`` are the ``RecordFlag`` of the reading, as plain data: what is odd, and what was guessed.
    ``facts`` are what the file says of the occasion (Event, Site, Round, Annotator), as pairs of name and
    value; ``comments`` what it says of the play: ``{game, event_seq, text}``, the game 0 for the whole match,
    the event null for no event of the sheet. Both are personal like the bytes.
    """

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="sources")
    filename = models.CharField(max_length=255)
    format = models.CharField(max_length=16)
    sha256 = models.CharField(max_length=64)
    content = models.BinaryField(null=True, blank=True)
    flags = models.JSONField(default=list, blank=True)
    facts = models.JSONField(default=list, blank=True)
    comments = models.JSONField(default=list, blank=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    at = models.DateTimeField(default=now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "sha256"], name="source_once_a_match")]
        indexes = [models.Index(fields=["sha256"], name="source_by_its_bytes")]


class Upload(Work):
    """One file that somebody uploaded, on its way to a match.

    ``batch`` joins the files of one upload; ``report`` is what ``import_match --json`` prints for the file.
    """

    TASK = "scoring.import_upload"
    NAME = _("Uploads")
    # Reading a file is given a minute of its own (`scoring.engines.conversion`).
    LEASE = timedelta(minutes=3)

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="uploads")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="uploads"
    )
    batch = models.CharField(max_length=10, db_index=True)
    filename = models.CharField(max_length=255)
    content = models.BinaryField(null=True, blank=True)
    sha256 = models.CharField(max_length=64)
    match = models.ForeignKey(Match, null=True, blank=True, on_delete=models.PROTECT, related_name="uploads")
    report = models.JSONField(null=True, blank=True)

    class Meta(Work.Meta):
        constraints = [*Work.Meta.constraints]


class AliasQuerySet(models.QuerySet["Alias"]):
    def in_club(self, club: Club) -> "AliasQuerySet":
        return self.filter(club=club)

    def confirmed(self) -> "AliasQuerySet":
        return self.filter(confirmed_at__isnull=False)

    def waiting(self) -> "AliasQuerySet":
        return self.filter(confirmed_at=None)


class Alias(RefModel):
    """A name in files and the club's player it belongs to.

    ``key`` is the name folded for comparison. A name that nobody has claimed leads to a guest of its own.
    ``claimed_by`` is a player who says that the name is theirs, until a director or that player confirms it.
    """

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="aliases")
    name = models.CharField(_("name in files"), max_length=100)
    key = models.CharField(max_length=400, db_collation="C")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="aliases")
    claimed_by = models.ForeignKey(
        Player, null=True, blank=True, on_delete=models.PROTECT, related_name="claimed_aliases"
    )
    confirmed_at = models.DateTimeField(null=True, blank=True)

    objects = AliasQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "key"], name="alias_once_per_club")]

    def __str__(self) -> str:
        return self.name
