"""Which analyses a helper can get."""

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q
from django.utils.timezone import now

from clubs.models import WorkStatus
from scoring.analysis.queries.engines import of_installation
from scoring.analysis.queries.privacy import shown_to
from scoring.helper.labels import label_of
from scoring.models import Analysis, Helper, HelperLease, LeaseStatus, Seat, Urgency
from scoring.models.analysis import AnalysisQuerySet

LENT = (Urgency.IMPORTED, Urgency.IDLE)
"""What is lent, the most urgent first: nobody waits for it at the board."""
MOST_LOST = 2
"""Leases of one analysis that can run out; then our own workers do it."""
TRIED = (LeaseStatus.CHECKING, LeaseStatus.REJECTED, LeaseStatus.UNUSED)


def lendable(helper: Helper) -> AnalysisQuerySet:
    """The waiting analyses that the helper can get, of its club.

    Only of matches whose analyses everyone can see who can see the match, and none of its owner.
    """
    leases = HelperLease.objects.filter(analysis=OuterRef("pk"))
    ran_out = leases.filter(Q(status=LeaseStatus.LOST) | Q(status=LeaseStatus.OPEN, until__lt=now()))
    own = Seat.objects.filter(match=OuterRef("match"), player__user=helper.user)
    found = _waiting(helper).filter(shown_to(AnonymousUser(), "match"), match__in_chouette=False)
    return found.filter(
        ~Exists(own),
        ~Exists(leases.filter(status__in=TRIED)),
        ~Exists(ran_out.order_by("pk")[MOST_LOST - 1 :]),
    )


def wanted_labels(helper: Helper) -> dict[str, tuple[str, str]]:
    """Engine and preset that the club's waiting analyses ask for, by the label that this site gives them.

    Raises EngineError if an engine of this machine fails.
    """
    kinds = _waiting(helper).order_by("engine", "preset").values_list("engine", "preset").distinct()
    usual = of_installation().engine
    labels = {(engine, preset): label_of(engine or usual, preset) for engine, preset in kinds}
    return {str(label): kind for kind, label in labels.items() if label is not None}


def _waiting(helper: Helper) -> AnalysisQuerySet:
    due = {"status": WorkStatus.QUEUED, "available_at__lte": now()}
    return Analysis.objects.filter(**due, club=helper.club, urgency__in=LENT)
