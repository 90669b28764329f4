"""Upload batches: one for its page, and the latest."""

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
    """Files uploaded together; ``version`` grows as files are processed."""

    ref: str
    club: Club
    uploads: list[Upload]

    @property
    def version(self) -> int:
        return 1 + sum(upload.status in ENDED for upload in self.uploads)

    @property
    def ended(self) -> int:
        """Number of processed files."""
        return self.version - 1

    @property
    def is_complete(self) -> bool:
        return self.ended == len(self.uploads)

    @property
    def unread(self) -> int:
        """Number of processed files without a match."""
        return sum(upload.status in ENDED and upload.match is None for upload in self.uploads)


def batch_of(ref: str, viewer: User | AnonymousUser) -> Batch | None:
    """The batch for its uploader and the club's directors; else None.

    Two queries at most.
    """
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

    One filename, the upload time, and counts of files, waiting and failed.
    """

    ref: str
    filename: str
    at: datetime
    files: int
    waiting: int
    broken: int

    @property
    def others(self) -> int:
        """Number of files besides the named one."""
        return self.files - 1


def latest_batches(club: Club, viewer: User, *, directs: bool) -> list[BatchLine]:
    """The viewer's latest batches; for directors, the club's (one query)."""
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
