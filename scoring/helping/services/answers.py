"""Take a helper's answer: check it against the replay, and keep it until its sample is checked."""

import secrets
from typing import Any

from django.db import transaction
from django.utils.timezone import now
from django.utils.translation import gettext as _

from clubs.work import services as work
from scoring.analysis.queries.asked import engine_of, questions_of
from scoring.analysis.services.parts import part_of
from scoring.codec import from_plain, to_plain
from scoring.engines.answers import check_label, reading_answer
from scoring.engines.comparison import compare
from scoring.engines.errors import EngineDisagrees
from scoring.engines.registry import ENGINES
from scoring.helper.words import check_words
from scoring.helping.services.helpers import require_allowed
from scoring.helping.services.holding import reject, standing
from scoring.models import Analysis, HelperLease, LeaseStatus
from scoring.theory.decisions import Decision, EngineLabel

ANSWERED = (LeaseStatus.CHECKING, LeaseStatus.ACCEPTED, LeaseStatus.REJECTED, LeaseStatus.UNUSED)


def take_answer(*, lease: HelperLease, label: str, cpu_seconds: float, answers: Any) -> HelperLease:
    """Keep the plain decisions of a lease for the check of its sample, or reject them.

    The same answer sent again changes nothing. Raises HelperRefused after the lease's end. What breaks a
    rule is rejected, and its helper paused: no error.
    """
    if lease.status in ANSWERED:
        return lease
    require_allowed(lease.helper)
    with standing(lease) as analysis:
        try:
            decisions = _checked(lease, analysis, label, cpu_seconds, answers)
        except EngineDisagrees as wrong:
            reject(lease, analysis, reason=_("An answer broke a rule: %(what)s") % {"what": wrong})
            return lease
        with transaction.atomic():
            with work.pause(analysis) as current:
                current.done_decisions = lease.first + lease.questions
            lease.status, lease.answered_at = LeaseStatus.CHECKING, now()
            lease.answer, lease.cpu_seconds = to_plain(decisions), cpu_seconds
            # Drawn now, so that the helper could not know what is computed again.
            lease.seed = secrets.token_hex(16)
            lease.save(update_fields=["status", "answered_at", "answer", "cpu_seconds", "seed"])
    return lease


def decisions_of(lease: HelperLease) -> list[list[Decision]]:
    """The decisions of a kept answer, by question."""
    decisions: list[list[Decision]] = from_plain(list[list[Decision]], lease.answer, "answers")
    return decisions


def _checked(
    lease: HelperLease, analysis: Analysis, label: str, cpu_seconds: float, answers: Any
) -> list[list[Decision]]:
    if label != lease.label:
        raise EngineDisagrees(f"the label {label[:80]!r} instead of {lease.label!r}")
    with reading_answer():
        check_label(EngineLabel.parse(label), cpu_seconds, engine=engine_of(analysis))
        decisions: list[list[Decision]] = from_plain(list[list[Decision]], answers, "answers")
        part = part_of(questions_of(analysis).request, first=lease.first, size=lease.questions)
        compare(part.questions, decisions)
        check_words(part.questions, decisions, ENGINES[engine_of(analysis)].settings[analysis.preset])
    return decisions
