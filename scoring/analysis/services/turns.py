"""Which analysis a worker takes next: by urgency, then the club served longest ago, then age.

A club that imports ten thousand files waits behind its own files; another club's match waits for one running
analysis at most. The cost grows with the clubs that have something queued, not with what they have queued.
"""

from datetime import timedelta

from django.db import connection, transaction
from django.utils.timezone import now

from clubs.models import WorkStatus
from clubs.work import services as work
from scoring.engines.registry import installed_engines
from scoring.models import Analysis, AnalysisTurn, PositionAnalysis, Urgency

PATIENCE = timedelta(seconds=2)
"""An idle worker takes a row within this; one that still waits needs a worker that is busy."""

_TURNS = """
    WITH RECURSIVE waiting AS (
        (
            SELECT urgency, club_id, available_at FROM {analysis} WHERE status = %(queued)s
            ORDER BY urgency, club_id, available_at, id LIMIT 1
        )
        UNION ALL
        SELECT following.urgency, following.club_id, following.available_at
        FROM waiting CROSS JOIN LATERAL (
            SELECT urgency, club_id, available_at FROM {analysis}
            WHERE status = %(queued)s AND (urgency, club_id) > (waiting.urgency, waiting.club_id)
            ORDER BY urgency, club_id, available_at, id LIMIT 1
        ) AS following
    )
    SELECT waiting.urgency, waiting.club_id
    FROM waiting LEFT JOIN {turn} AS turn ON turn.club_id = waiting.club_id
    WHERE waiting.available_at <= %(now)s AND waiting.urgency <= %(upto)s
    ORDER BY waiting.urgency, turn.served_at NULLS FIRST, waiting.club_id
"""


def claim_next(*, upto: Urgency = Urgency.IDLE) -> Analysis | None:
    """Claim the analysis whose turn it is, among those at most as late as ``upto``; None if none is due.

    An analysis by an engine that this machine lacks is left to another machine.
    """
    engines = ["", *installed_engines()]
    for urgency, club in turns(upto=upto):
        waiting = Analysis.objects.filter(urgency=urgency, club=club, engine__in=engines)
        with transaction.atomic():
            analysis = work.claim_first(waiting)
            if analysis is not None:
                _served(club)
                return analysis
    return None


def turns(*, upto: Urgency = Urgency.IDLE) -> list[tuple[int, int]]:
    """Urgency and club (by key) of what is due, in the order in which workers look (one query)."""
    statement = _TURNS.format(analysis=Analysis._meta.db_table, turn=AnalysisTurn._meta.db_table)
    with connection.cursor() as cursor:
        cursor.execute(statement, {"queued": WorkStatus.QUEUED, "now": now(), "upto": upto})
        return list(cursor.fetchall())


def first_waiting(*, upto: Urgency = Urgency.IDLE) -> Analysis | None:
    """An analysis that is due, to send a message for."""
    waiting = Analysis.objects.filter(status=WorkStatus.QUEUED, available_at__lte=now())
    return waiting.filter(urgency__lte=upto).order_by("urgency").first()


def must_give_way(analysis: Analysis) -> bool:
    """Whether an idle analysis keeps another one, or a position, waiting that no other worker takes."""
    if not analysis.is_idle:
        return False
    due = {"status": WorkStatus.QUEUED, "available_at__lte": now() - PATIENCE}
    if PositionAnalysis.objects.filter(**due).exists():
        return True
    return Analysis.objects.filter(**due, urgency__lt=Urgency.IDLE).exists()


def _served(club: int) -> None:
    AnalysisTurn.objects.bulk_create(
        [AnalysisTurn(club_id=club, served_at=now())],
        update_conflicts=True,
        unique_fields=["club"],
        update_fields=["served_at"],
    )
