"""A batch of uploaded files as its page shows it, and the way back to the latest ones."""

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Min, Q

from clubs.models import Club, Membership, Role, User, WorkStatus
from scoring.models import Upload

ENDED = frozenset({WorkStatus.DONE, WorkStatus.FAILED, WorkStatus.CANCELLED})
SHOWN = 10


@dataclass(frozen=True, slots=True)
class Batch:
    """Files that were uploaded together; ``version`` counts those that have ended."""

    ref: str
    club: Club
    uploads: list[Upload]

    @property
    def version(self) -> int:
        return 1 + sum(upload.status in ENDED for upload in self.uploads)

    @property
    def ended(self) -> int:
        """How many files have been dealt with."""
        return self.version - 1

    @property
    def is_complete(self) -> bool:
        return self.ended == len(self.uploads)

    @property
    def unread(self) -> int:
        """How many files have ended without a match."""
        return sum(upload.status in ENDED and upload.match is None for upload in self.uploads)


def batch_of(ref: str, viewer: User | AnonymousUser) -> Batch | None:
    """The batch, if the viewer brought it or directs its club (two queries at most); else None."""
    uploads = list(
        Upload.objects.filter(batch=ref).select_related("club", "match").defer("content").order_by("pk")
    )
    if not uploads or not isinstance(viewer, User):
        return None
    club = uploads[0].club
    if uploads[0].user_id == viewer.pk or viewer.is_superuser:
        return Batch(ref, club, uploads)
    directs = Membership.objects.filter(club=club, player__user=viewer, role__gte=Role.DIRECTOR).exists()
    return Batch(ref, club, uploads) if directs else None


@dataclass(frozen=True, slots=True)
class BatchLine:
    """A batch in a list.

    It has a file of it, when it was brought, and how many files it has, are still to be read, and broke down.
    """

    ref: str
    filename: str
    at: datetime
    files: int
    waiting: int
    broken: int

    @property
    def others(self) -> int:
        """How many files it has beside the one that names it."""
        return self.files - 1


def latest_batches(club: Club, viewer: User, *, directs: bool) -> list[BatchLine]:
    """The latest batches of the viewer; for those who direct the club everybody's (one query)."""
    rows = Upload.objects.filter(club=club) if directs else Upload.objects.filter(club=club, user=viewer)
    batches = rows.values("batch").annotate(
        at=Min("queued_at"),
        files=Count("pk"),
        waiting=Count("pk", filter=~Q(status__in=ENDED)),
        broken=Count("pk", filter=Q(status=WorkStatus.FAILED)),
        first=Min("pk"),
        name=Min("filename"),
    )
    return [
        BatchLine(row["batch"], row["name"], row["at"], row["files"], row["waiting"], row["broken"])
        for row in batches.order_by("-first")[:SHOWN]
    ]
