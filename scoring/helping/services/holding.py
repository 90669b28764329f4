"""Hold the rows of analyses for helpers, and give them back.

A lease holds the row of its analysis by the attempt at which it was claimed. Each function locks the
analysis before it changes the lease.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta

from django.db import transaction
from django.utils.timezone import now
from django.utils.translation import gettext as _

from clubs.work import services as work
from clubs.work.services import WorkLostError
from scoring.analysis.services.analyses import tell
from scoring.helping.refusals import HelperRefused
from scoring.models import Analysis, Helper, HelperLease, HelperStatus, LeaseStatus

LEASE = timedelta(minutes=2)
HEARTBEAT_SECONDS = 20
_LONGEST_REASON = 500


def lease_lost() -> HelperRefused:
    """What a helper is told whose lease has run out, or was ended."""
    return HelperRefused(
        "lease_lost", _("This lease has ended, and others compute its decisions. Ask for new ones.")
    )


def held_analysis(lease: HelperLease) -> Analysis:
    """The analysis as the lease holds it: by the attempt of the lease."""
    analysis: Analysis = lease.analysis
    analysis.attempt = lease.attempt
    return analysis


@contextmanager
def standing(lease: HelperLease) -> Iterator[Analysis]:
    """The analysis of an open lease; raises HelperRefused if it has run out or others have the row."""
    if lease.status != LeaseStatus.OPEN or lease.until < now():
        raise lease_lost()
    try:
        yield held_analysis(lease)
    except WorkLostError as lost:
        raise lease_lost() from lost


def extend(lease: HelperLease, *, done: int) -> HelperLease:
    """Renew an open lease, and show how many of its questions are answered."""
    with transaction.atomic():
        with standing(lease) as analysis:
            work.heartbeat(analysis, lease=LEASE)
        lease.until = now() + LEASE
        HelperLease.objects.filter(pk=lease.pk, status=LeaseStatus.OPEN).update(until=lease.until)
        done = lease.first + max(0, min(done, lease.questions))
        Analysis.objects.filter(pk=analysis.pk).update(done_decisions=done)
        tell(analysis)
    return lease


def release(lease: HelperLease, *, failed: bool = False) -> None:
    """Give the questions of an open lease to others at once; nothing happens to an ended one.

    Where the helper's engine ``failed``, our own workers do them.
    """
    if lease.status != LeaseStatus.OPEN:
        return
    with transaction.atomic():
        with suppress(WorkLostError), work.pause(held_analysis(lease)):
            pass
        if failed:
            close(lease, LeaseStatus.UNUSED, _("The helper’s engine failed."))
        else:
            close(lease, LeaseStatus.RELEASED)


def give_back_leases(helper: Helper) -> None:
    """Give all that a helper is computing to others."""
    for lease in helper.leases.filter(status=LeaseStatus.OPEN).select_related("analysis"):
        release(lease)


def close(lease: HelperLease, status: LeaseStatus, reason: str = "") -> None:
    """Write down what became of a lease; its answer is not kept."""
    lease.status, lease.reason, lease.answer = status, reason[:_LONGEST_REASON], None
    lease.save(update_fields=["status", "reason", "answer"])


def reject(lease: HelperLease, analysis: Analysis, *, reason: str) -> None:
    """Reject an answer: the analysis waits again, for our own workers, and the helper is paused.

    ``analysis`` as its holder has it, the lease or a worker. Raises WorkLostError.
    """
    with transaction.atomic():
        with work.pause(analysis) as current:
            current.done_decisions = lease.first
        close(lease, LeaseStatus.REJECTED, reason)
        helper = Helper.objects.filter(pk=lease.helper_id, status=HelperStatus.ALLOWED)
        helper.update(status=HelperStatus.PAUSED, decided_by=None, reason=lease.reason)
        tell(analysis)


def drop(lease: HelperLease, analysis: Analysis, *, reason: str) -> None:
    """Use no answer that nobody can check: the analysis waits again, for our own workers."""
    with transaction.atomic():
        with work.pause(analysis) as current:
            current.done_decisions = lease.first
        close(lease, LeaseStatus.UNUSED, reason)
