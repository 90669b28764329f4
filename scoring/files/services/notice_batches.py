"""One notice per upload.

Notices of its matches wait for the last one and go together.
"""

from datetime import timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.timezone import now

from clubs.models import WorkStatus
from scoring.models import Match, MatchStatus, ResultNotice, Upload

PATIENCE = timedelta(minutes=15)
"""Longest wait; after it, notices go out even if the upload is incomplete."""
FIRST = 1  # the revision that an import writes; a correction is told by itself


def delay_notices(match: Match) -> None:
    """Delay a match's notices until its upload is complete."""
    _queued().filter(match=match, revision=FIRST).update(available_at=now() + PATIENCE)


def release_notices(batch: str) -> None:
    """Release the delayed notices of a complete upload."""
    _of_batch(_queued(), batch).filter(available_at__gt=now()).update(available_at=now())


def told_together(notice: ResultNotice) -> list[Match]:
    """The matches of an upload that one notice covers, in upload order.

    With players and results. Empty if no upload created the notice's match, or if it is the only match to
    report to this user.
    """
    batch = _batch_of(notice)
    if batch is None:
        return []
    matches = Match.objects.with_players().select_related("sheet")
    others = _like(notice, batch).values("match")
    told = matches.filter(pk__in=others, status=MatchStatus.FINISHED, result__revision=FIRST)
    together = list(told.order_by("pk"))
    return together if len(together) > 1 else []


def is_told_by_another(notice: ResultNotice) -> bool:
    """Absorb the upload's queued notices; whether another notice covers this one.

    Of notices that run at once, the first one is sent. A notice already sent covered all that existed.
    """
    batch = _batch_of(notice)
    if batch is None:
        return False
    others = _like(notice, batch).exclude(pk=notice.pk)
    with transaction.atomic():
        waiting = others.filter(status=WorkStatus.QUEUED).order_by("pk").select_for_update(skip_locked=True)
        taken = [row.pk for row in waiting]
        others.filter(pk__in=taken).update(status=WorkStatus.CANCELLED, finished_at=now())
    speaks = Q(status=WorkStatus.RUNNING, pk__lt=notice.pk)
    has_spoken = Q(status=WorkStatus.DONE, finished_at__gte=notice.queued_at)
    return others.filter(speaks | has_spoken).exists()


def _queued() -> QuerySet[ResultNotice]:
    return ResultNotice.objects.filter(status=WorkStatus.QUEUED)


def _batch_of(notice: ResultNotice) -> str | None:
    """The upload that created the notice's match, if the notice is about its import."""
    if notice.revision != FIRST:
        return None
    made = Upload.objects.filter(match=notice.match_id, report__known=False)
    return made.order_by("pk").values_list("batch", flat=True).first()


def _of_batch(notices: QuerySet[ResultNotice], batch: str) -> QuerySet[ResultNotice]:
    made = Upload.objects.filter(batch=batch, report__known=False, match__isnull=False)
    return notices.filter(match__in=made.values("match"), revision=FIRST)


def _like(notice: ResultNotice, batch: str) -> QuerySet[ResultNotice]:
    """Notices of an upload to the same user by the same channel, this one included."""
    return _of_batch(ResultNotice.objects.all(), batch).filter(user=notice.user_id, way=notice.way)
