"""A batch of uploaded files as its page shows it."""

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser

from clubs.models import Club, Membership, Role, User, WorkStatus
from scoring.models import Upload

ENDED = frozenset({WorkStatus.DONE, WorkStatus.FAILED, WorkStatus.CANCELLED})


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
