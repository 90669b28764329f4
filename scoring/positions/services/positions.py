"""Request, run and cancel analyses of positions; the same question is answered once.

The row is the truth. The engine runs in a process of its own, which is killed within a second when nobody
waits for the answer any more or another worker has the row.
"""

from datetime import timedelta
from time import monotonic

from django.conf import settings
from django.db import transaction
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.live.topics import publish
from clubs.models import User, WorkStatus
from clubs.refusals import Refused
from clubs.work import services as work
from clubs.work.services import WorkLostError
from scoring.codec import to_plain
from scoring.engines.asked import Asked, Wanted, asked_from, request_of
from scoring.engines.errors import EngineCancelled, EngineError, EngineRefused
from scoring.engines.registry import analyse, installed_engines
from scoring.models import Depth, PositionAnalysis, PositionRequest
from scoring.models.position import UNFINISHED
from scoring.positions.queries.depths import engine_in_use, preset_for

HEARTBEAT_SECONDS = 1.0
DAY = timedelta(days=1)
TIME_LIMITS = {Depth.STANDARD: 60.0, Depth.DEEP: 240.0, Depth.ROLLOUT: 500.0}
"""Seconds of wall clock: below those of a worker's task."""


class PositionRefused(Refused):
    """An analysis that is not started: a limit is reached, or no engine looks so deep."""


def depth_named(text: str) -> Depth:
    """The level with this name. Raises PositionRefused, which names those that there are."""
    if text not in Depth.values:
        raise PositionRefused(
            _("“%(level)s” is not a level. Choose one of: %(levels)s.")
            % {"level": text, "levels": ", ".join(Depth.values)}
        )
    return Depth(text)


@transaction.atomic
def request_position(
    *, question: Asked, xgid: str, level: Depth, user: User, engine: str = ""
) -> PositionAnalysis:
    """Request the analysis of a position, or return the one that exists.

    ``xgid`` is the position as the user has it in front of them. An analysis that failed or was cancelled is
    requested again. The caller wakes a worker for a row that is queued. Raises PositionRefused beyond the
    limits of the user and of the site.
    """
    engine = engine or engine_in_use()
    if not engine:
        raise PositionRefused(_("No analysis engine is installed on this server. Ask its operator."))
    preset = preset_for(level, engine)
    if preset is None or (question.wanted is Wanted.SCORES and level is not Depth.STANDARD):
        raise PositionRefused(
            _("The engine %(engine)s has no level “%(level)s” for this. Choose another level.")
            % {"engine": engine, "level": level.label}
        )
    key = {"digest": question.digest, "level": level, "engine": engine, "preset": preset}
    locked = PositionAnalysis.objects.select_for_update(no_key=True)
    row, created = locked.get_or_create(**key, defaults={"question": question.plain})
    starts = created or row.status in {WorkStatus.FAILED, WorkStatus.CANCELLED}
    if starts:
        _check_limits(user, besides=row)
        if not created:
            work.ask_again(PositionAnalysis.objects.filter(pk=row.pk), done=0, total=0)
            row.refresh_from_db()
    PositionRequest.objects.bulk_create(
        [PositionRequest(analysis=row, user=user, xgid=xgid, started=starts)],
        update_conflicts=True,
        unique_fields=["analysis", "user"],
        update_fields=["xgid", "asked_at", *(["started"] if starts else [])],
    )
    return row


def _check_limits(user: User, *, besides: PositionAnalysis) -> None:
    """Refuse beyond the limits; the user's row is locked, so that two requests at once count each other."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    unfinished = PositionAnalysis.objects.filter(status__in=UNFINISHED).exclude(pk=besides.pk)
    own = unfinished.filter(requests__user=user).count()
    if own >= settings.POSITIONS_AT_ONCE:
        raise PositionRefused(
            ngettext(
                "You already have %(number)s analysis in progress. Wait until it is done, or stop it.",
                "You already have %(number)s analyses in progress. Wait until one is done, or stop one.",
                own,
            )
            % {"number": own}
        )
    today = PositionRequest.objects.filter(user=user, started=True, asked_at__gt=now() - DAY).count()
    if today >= settings.POSITIONS_PER_DAY:
        raise PositionRefused(
            _("You have started %(number)s analyses in 24 hours, which is the limit. Try again later.")
            % {"number": today}
        )
    waiting = unfinished.count()
    if waiting >= settings.POSITIONS_WAITING:
        raise PositionRefused(
            _("%(number)s positions wait for the engine. Try again in a few minutes.") % {"number": waiting}
        )


@transaction.atomic
def cancel_position(*, analysis: PositionAnalysis, user: User) -> bool:
    """Withdraw the user's request; without another one that waits, the engine is stopped.

    False if nothing was withdrawn: the analysis has ended, or the user did not ask for it.
    """
    locked = PositionAnalysis.objects.select_for_update(no_key=True).get(pk=analysis.pk)
    if not locked.is_unfinished:
        return False
    if not locked.requests.filter(user=user).delete()[0]:
        return False
    if not locked.requests.exists():
        work.cancel(locked)
        _tell(locked)
    return True


def claim_position(*, quick_only: bool = False) -> PositionAnalysis | None:
    """Claim the position that has waited longest; None if none waits that this machine can analyse."""
    waiting = PositionAnalysis.objects.filter(engine__in=installed_engines())
    return work.claim_first(waiting.filter(level=Depth.STANDARD) if quick_only else waiting)


def run_position(row: PositionAnalysis) -> None:
    """Ask the engine and store its answer; the caller has claimed ``row``.

    An engine that fails gives the row back, for good when it refuses the question. Nothing is written once
    the row is cancelled or another worker's.
    """
    watch = _Watch(row)
    asked = asked_from(row.question)
    try:
        result = analyse(
            request_of(asked, preset=row.preset),
            engine=row.engine,
            time_limit=TIME_LIMITS[Depth(row.level)],
            on_progress=watch.progress,
            cancelled=watch.is_lost,
        )
    except (EngineCancelled, WorkLostError):
        return
    except EngineError as error:
        work.fail(row, error=f"{error.code}: {error}", final=isinstance(error, EngineRefused))
    else:
        with work.finish(row) as current:
            current.label = str(result.label)
            current.decisions = to_plain(result.decisions)
            current.cpu_seconds = result.cpu_seconds
            current.done = current.total
    _tell(row)


class _Watch:
    """Keeps a running row: heartbeats, progress, and whether it is lost."""

    def __init__(self, row: PositionAnalysis) -> None:
        self.row = row
        self.last = monotonic() - HEARTBEAT_SECONDS
        self.told = (0, 0)
        self.now = (0, 0)

    def progress(self, done: int, total: int) -> None:
        """Note what the engine has said; it is written with the next heartbeat."""
        self.now = (done, total)

    def is_lost(self) -> bool:
        """Whether to stop the engine; asked a few times a second."""
        if monotonic() - self.last < HEARTBEAT_SECONDS:
            return False
        self.last = monotonic()
        try:
            work.heartbeat(self.row)
        except WorkLostError:
            return True
        if self.now != self.told:
            self.told = self.now
            done, total = self.now
            PositionAnalysis.objects.filter(pk=self.row.pk).update(done=done, total=total)
            _tell(self.row)
        return False


def _tell(row: PositionAnalysis) -> None:
    """Tell the open pages that show the analysis."""
    with transaction.atomic():
        fresh = PositionAnalysis.objects.select_for_update(no_key=True).get(pk=row.pk)
        fresh.version += 1
        fresh.save(update_fields=["version"])
        publish(fresh.ref, fresh.version)
