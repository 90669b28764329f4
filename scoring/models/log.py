"""Append-only logs of scoresheets, chouettes, draws and events."""

from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from clubs.models import Note

A_HASH = "^[0-9a-f]{64}$"


class LogOwner(models.Model):
    """What has a log. ``head_seq`` counts the entries, ``head_hash`` is the last link of their hash chain
    (64 hex digits, or empty).

    Both are written by ``scoring.log.services.chains`` alone. ``LOG`` is the name of the entries here.
    """

    LOG: ClassVar[str]

    head_seq = models.PositiveIntegerField(default=0, editable=False)
    head_hash = models.CharField(max_length=64, blank=True, default="", editable=False)

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=Q(head_seq=0, head_hash="") | Q(head_seq__gt=0, head_hash__regex=A_HASH),
                name="%(class)s_head_has_its_hash",
            ),
        ]

    @property
    def entries(self) -> "models.QuerySet[Any]":
        """The log in its order."""
        rows: models.QuerySet[Any] = getattr(self, self.LOG).order_by("seq")
        return rows


class LogEntry(models.Model):
    """What happened, as number ``seq`` of its owner's log: a ``kind`` and a ``body`` of plain JSON.

    ``hash`` links it to the entry before (``scoring.rules.chain.link_of``). Nothing personal is in it: the
    author is a foreign key that an erasure empties. ``LINKED`` names what else of it the link covers: the
    column with the seq of an earlier entry that it replaces or takes back, and that of its note's digest.
    """

    LINKED: ClassVar[tuple[str, ...]] = ()

    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=24)
    body = models.JSONField(default=dict)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    at = models.DateTimeField(db_default=Now())
    hash = models.CharField(max_length=64)

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(condition=Q(seq__gte=1), name="%(class)s_seq_from_one"),
            models.CheckConstraint(condition=Q(hash__regex=A_HASH), name="%(class)s_hash_is_one"),
        ]

    def __str__(self) -> str:
        return f"{self.seq} {self.kind}"


class NotedEntry(LogEntry):
    """An entry that somebody may have written to in their own words.

    They are in a ``note``, which can be erased; the chain has its salted digest.
    """

    note = models.ForeignKey(Note, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    note_digest = models.CharField(max_length=64, blank=True, default="")

    class Meta(LogEntry.Meta):
        abstract = True
