"""Compute a sample of a helper's answer by our own engine, before the answer stands."""

from dataclasses import replace

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from clubs.work import services as work
from scoring.analysis.queries.asked import engine_of, questions_of
from scoring.analysis.services.analyses import give_up, run_part, store_result, watch_of
from scoring.analysis.services.parts import PART_LIMIT, done_in, part_of, stored_parts
from scoring.engines.errors import EngineCancelled, EngineError, EngineTimeout
from scoring.engines.registry import analyse
from scoring.engines.requests import AnalysisResult
from scoring.helper.sampling import drawn, first_difference
from scoring.helping.services.answers import decisions_of
from scoring.helping.services.holding import close, drop, reject
from scoring.models import Analysis, HelperLease, LeaseStatus


def check_or_run(analysis: Analysis) -> Analysis:
    """Check the answer of a helper that waits for it, else analyse the next part of a match.

    The caller has claimed ``analysis``. Raises WorkLostError when another worker has the row.
    """
    lease = HelperLease.objects.filter(analysis=analysis, status=LeaseStatus.CHECKING).first()
    if lease is None:
        return run_part(analysis)
    check_sample(analysis, lease)
    analysis.refresh_from_db()
    return analysis


def check_sample(analysis: Analysis, lease: HelperLease) -> None:
    """Compute some of the lease's questions; store its answer if it agrees, else reject it.

    The caller has claimed ``analysis``. A worker that is killed here leaves the lease as it was: the next one
    computes the same sample.
    """
    asked = questions_of(analysis)
    if lease.first != done_in(stored_parts(analysis)):
        drop(lease, analysis, reason=_("These decisions were computed by others meanwhile."))
        return
    part = part_of(asked.request, first=lease.first, size=lease.questions)
    answers = decisions_of(lease)
    numbers = drawn(lease.seed, lease.questions, settings.ANALYSIS_HELPER_SAMPLE)
    sample = replace(part, questions=tuple(part.questions[number] for number in numbers))
    try:
        ours = analyse(
            sample, engine=engine_of(analysis), time_limit=PART_LIMIT, cancelled=watch_of(analysis)
        )
    except EngineCancelled:
        with work.pause(analysis):
            pass
        return
    except EngineTimeout:
        drop(lease, analysis, reason=_("This site could not compute the sample in time."))
        return
    except EngineError as error:
        give_up(analysis, error)
        return
    if str(ours.label) != lease.label:
        drop(
            lease,
            analysis,
            reason=_("The engine of this site has changed: %(label)s") % {"label": ours.label},
        )
        return
    theirs = [decision for number in numbers for decision in answers[number]]
    if difference := first_difference(ours.decisions, theirs, settings.ANALYSIS_HELPER_TOLERANCE):
        reject(lease, analysis, reason=_("Our engine differs: %(difference)s") % {"difference": difference})
        return
    whole = tuple(decision for decisions in answers for decision in decisions)
    result = AnalysisResult(ours.label, whole, lease.cpu_seconds + ours.cpu_seconds)
    with transaction.atomic():
        if store_result(analysis, asked, result, questions=lease.questions):
            close(lease, LeaseStatus.ACCEPTED)
        else:
            close(lease, LeaseStatus.UNUSED, _("The first part of this match has another label."))
