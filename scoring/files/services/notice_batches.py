"""One message for one upload: what is told of its matches waits for the last of them and goes together."""

from datetime import timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.timezone import now

from clubs.models import WorkStatus
from scoring.models import Match, MatchStatus, ResultNotice, Upload

PATIENCE = timedelta(minutes=15)
"""After so long what has come is told, also where the rest of an upload does not come."""
FIRST = 1  # the revision that an import writes; a correction is told by itself


def delay_notices(match: Match) -> None:
    """Let what is told of a match wait for the rest of the upload that has made it."""
    _queued().filter(match=match, revision=FIRST).update(available_at=now() + PATIENCE)


def release_notices(batch: str) -> None:
    """Let what was delayed be told now: the upload is complete."""
    _of_batch(_queued(), batch).filter(available_at__gt=now()).update(available_at=now())


def told_together(notice: ResultNotice) -> list[Match]:
    """The matches of one upload that its user is told of at once, the notice's own among them.

    With their players and results, in the order of the upload. Empty for a notice whose match was made by no
    upload, or by one of a single match that this user is told of.
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
    """Take the notices that wait beside this one along; whether another one has taken this one along.

    Of those that workers hold at one moment the first one speaks. One that has spoken has told all that were
    there.
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
    """The upload that has made the notice's match, if that is what it tells of."""
    if notice.revision != FIRST:
        return None
    made = Upload.objects.filter(match=notice.match_id, report__known=False)
    return made.order_by("pk").values_list("batch", flat=True).first()


def _of_batch(notices: QuerySet[ResultNotice], batch: str) -> QuerySet[ResultNotice]:
    made = Upload.objects.filter(batch=batch, report__known=False, match__isnull=False)
    return notices.filter(match__in=made.values("match"), revision=FIRST)


def _like(notice: ResultNotice, batch: str) -> QuerySet[ResultNotice]:
    """The notices of an upload for the same user in the same way, itself included."""
    return _of_batch(ResultNotice.objects.all(), batch).filter(user=notice.user_id, way=notice.way)
