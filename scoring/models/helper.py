"""Computers of members that analyse matches for their club."""

from django.conf import settings
from django.db import models
from django.utils.timezone import now
from django.utils.translation import gettext_lazy as _

from clubs.models import Club
from clubs.models.ref import RefModel
from scoring.models.analysis import Analysis

NAME_LENGTH = 60


class HelperStatus(models.TextChoices):
    """Whether a helper gets matches."""

    WAITING = "waiting", _("Awaiting approval")
    ALLOWED = "allowed", _("Allowed")
    PAUSED = "paused", _("Paused")
    ENDED = "ended", _("Ended")


class HelperQuerySet(models.QuerySet["Helper"]):
    def current(self) -> "HelperQuerySet":
        """Those that have not ended."""
        return self.exclude(status=HelperStatus.ENDED)

    def with_counts(self) -> "HelperQuerySet":
        """With ``matches_done`` and ``questions_done``, of accepted answers."""
        accepted = models.Q(leases__status=LeaseStatus.ACCEPTED)
        return self.annotate(
            matches_done=models.Count("leases__analysis__match", filter=accepted, distinct=True),
            questions_done=models.Sum("leases__questions", filter=accepted, default=0),
        )


class Helper(RefModel):
    """A member's computer, known by its token's SHA-256; it analyses matches of one club.

    ``reason`` says why it is paused. ``seen_at`` is when it last sent a request, to the minute. The row of an
    ended helper stays: its answers keep their origin.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="helpers")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="helpers")
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    prefix = models.CharField(max_length=12)
    digest = models.CharField(max_length=64, unique=True)
    status = models.CharField(max_length=8, choices=HelperStatus.choices, default=HelperStatus.WAITING)
    reason = models.CharField(max_length=500, blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    asked_at = models.DateTimeField(default=now)
    seen_at = models.DateTimeField(null=True, blank=True)

    objects = HelperQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~models.Q(name=""), name="helper_has_a_name"),
            models.CheckConstraint(
                condition=models.Q(status__in=HelperStatus.values), name="helper_status_known"
            ),
            models.CheckConstraint(
                condition=~models.Q(status=HelperStatus.PAUSED) | ~models.Q(reason=""),
                name="helper_paused_has_a_reason",
            ),
        ]
        indexes = [
            models.Index(fields=["user", "-asked_at"], name="helpers_of_user"),
            models.Index(fields=["club", "-asked_at"], name="helpers_of_club"),
        ]


class LeaseStatus(models.TextChoices):
    """What became of the questions that a helper was given."""

    OPEN = "open", _("Computing")
    CHECKING = "checking", _("Being checked")
    ACCEPTED = "accepted", _("Accepted")
    REJECTED = "rejected", _("Rejected")
    UNUSED = "unused", _("Not used")
    LOST = "lost", _("Lost")
    RELEASED = "released", _("Released")


STANDING_LEASES = (LeaseStatus.OPEN, LeaseStatus.CHECKING)


class HelperLease(RefModel):
    """Some consecutive questions of an analysis, given to a helper until ``until``.

    ``attempt`` is the attempt of the analysis that holds its row. ``first`` and ``questions`` are as in
    ``AnalysisPart``. ``answer``, plain decisions by question, is kept while the sample is checked; ``seed``
    draws that sample and is made after the answer has come.
    """

    helper = models.ForeignKey(Helper, on_delete=models.CASCADE, related_name="leases")
    analysis = models.ForeignKey(Analysis, on_delete=models.CASCADE, related_name="leases")
    attempt = models.PositiveIntegerField()
    first = models.PositiveIntegerField()
    questions = models.PositiveIntegerField()
    label = models.CharField(max_length=120)
    status = models.CharField(max_length=8, choices=LeaseStatus.choices, default=LeaseStatus.OPEN)
    until = models.DateTimeField()
    given_at = models.DateTimeField(default=now)
    answered_at = models.DateTimeField(null=True, blank=True)
    answer = models.JSONField(null=True, blank=True)
    cpu_seconds = models.FloatField(default=0.0)
    seed = models.CharField(max_length=32, blank=True)
    reason = models.CharField(max_length=500, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["analysis"],
                condition=models.Q(status__in=STANDING_LEASES),
                name="helper_lease_once_an_analysis",
            ),
            models.UniqueConstraint(fields=["analysis", "attempt"], name="helper_lease_once_an_attempt"),
            models.CheckConstraint(
                condition=models.Q(status__in=LeaseStatus.values), name="helper_lease_status_known"
            ),
            models.CheckConstraint(
                condition=models.Q(questions__gt=0, cpu_seconds__gte=0), name="helper_lease_has_questions"
            ),
            models.CheckConstraint(
                condition=models.Q(status=LeaseStatus.CHECKING, answer__isnull=False, seed__gt="")
                | (~models.Q(status=LeaseStatus.CHECKING) & models.Q(answer=None)),
                name="helper_lease_answer_while_checking",
            ),
            models.CheckConstraint(
                condition=~models.Q(status__in=[LeaseStatus.REJECTED, LeaseStatus.UNUSED])
                | ~models.Q(reason=""),
                name="helper_lease_has_a_reason",
            ),
        ]
        indexes = [models.Index(fields=["helper", "status"], name="helper_leases_by_status")]
