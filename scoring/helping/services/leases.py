"""Give questions to helpers."""

from collections.abc import Collection
from dataclasses import dataclass, replace

from django.db import transaction
from django.db.models import F, Q
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.work import services as work
from scoring.analysis.queries.asked import questions_of
from scoring.analysis.services.parts import done_in, part_of, stored_parts
from scoring.engines.requests import AnalysisRequest
from scoring.helper import PROTOCOL
from scoring.helping.queries.lendable import LENT, lendable, wanted_labels
from scoring.helping.refusals import HelperRefused
from scoring.helping.services.helpers import require_allowed
from scoring.helping.services.holding import LEASE
from scoring.models import Analysis, Helper, HelperLease, LeaseStatus

MOST_QUESTIONS = 150
"""In one lease: an answer stays below the limit of a request."""
MOST_LEASES = 8
"""Open at the same time, of one helper."""


@dataclass(frozen=True, slots=True)
class LeasedQuestions:
    """A lease and what it asks."""

    lease: HelperLease
    request: AnalysisRequest


def require_protocol(protocol: int) -> None:
    """Raise HelperRefused for another version of the wire."""
    if protocol != PROTOCOL:
        text = _("This helper speaks version %(own)s, this site version %(needed)s. Update Midpoint there.")
        if protocol > PROTOCOL:
            text = _(
                "This helper speaks version %(own)s, this site only %(needed)s. Install the site’s version."
            )
        raise HelperRefused(
            "helper_outdated", text % {"own": protocol, "needed": PROTOCOL}, protocol=PROTOCOL
        )


def claim_lease(*, helper: Helper, labels: Collection[str]) -> LeasedQuestions | None:
    """Give the next questions that the helper can answer with one of these labels; None if none wait.

    Raises HelperNotAllowed for a helper that gets none, HelperRefused with too many leases, and where the
    waiting analyses need other labels.
    """
    require_allowed(helper)
    wanted = wanted_labels(helper)
    kinds = {kind: label for label, kind in wanted.items() if label in labels}
    if not kinds:
        if not wanted:
            return None
        raise HelperRefused(
            "helper_label",
            _("The waiting matches need: %(labels)s. Install this engine in this version.")
            % {"labels": ", ".join(sorted(wanted))},
            labels=sorted(wanted),
        )
    with transaction.atomic():
        # Locked, so that two requests at once cannot both get the last lease.
        locked = Helper.objects.select_for_update(no_key=True, of=("self",)).current()
        fresh = locked.select_related("user", "club").get(pk=helper.pk)
        require_allowed(fresh)
        if fresh.leases.filter(status=LeaseStatus.OPEN, until__gt=now()).count() >= MOST_LEASES:
            raise HelperRefused(
                "too_many_leases",
                ngettext(
                    "This helper is computing %(number)s part already, the maximum.",
                    "This helper is computing %(number)s parts already, the maximum.",
                    MOST_LEASES,
                )
                % {"number": MOST_LEASES},
            )
        analysis = _claimed(fresh, list(kinds))
        return None if analysis is None else _given(fresh, analysis, kinds[analysis.engine, analysis.preset])


def _claimed(helper: Helper, kinds: list[tuple[str, str]]) -> Analysis | None:
    of_kinds = Q()
    for engine, preset in kinds:
        of_kinds |= Q(engine=engine, preset=preset)
    for urgency in LENT:
        if found := work.claim_first(lendable(helper).filter(of_kinds, urgency=urgency), lease=LEASE):
            return found
    return None


def _given(helper: Helper, analysis: Analysis, label: str) -> LeasedQuestions | None:
    asked = questions_of(analysis).request
    first = done_in(stored_parts(analysis))
    part = part_of(asked, first=first, size=MOST_QUESTIONS)
    if not part.questions:  # nothing to judge: a worker finishes it
        with work.pause(analysis):
            return None
    stale = HelperLease.objects.filter(analysis=analysis, status=LeaseStatus.OPEN)
    stale.update(status=LeaseStatus.LOST)
    # A helper's attempt uses up none of the analysis: a computer that is switched off is no failure.
    Analysis.objects.filter(pk=analysis.pk).update(
        attempts_forgiven=F("attempts_forgiven") + 1,
        done_decisions=first,
        all_decisions=len(asked.questions),
    )
    lease = HelperLease.objects.create(
        helper=helper,
        analysis=analysis,
        attempt=analysis.attempt,
        first=first,
        questions=len(part.questions),
        label=label,
        until=now() + LEASE,
    )
    return LeasedQuestions(lease, replace(part, left_out=()))
