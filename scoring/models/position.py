"""Positions that are analysed on request, and positions that a user has saved."""

from datetime import timedelta

from django.db import models
from django.utils.timezone import now
from django.utils.translation import gettext_lazy as _

from clubs.models import User
from clubs.models.ref import RefModel
from clubs.models.work import Work, WorkStatus

UNFINISHED = (WorkStatus.QUEUED, WorkStatus.RUNNING)


class Depth(models.TextChoices):
    """How thoroughly a position is analysed."""

    STANDARD = "standard", _("Standard")
    DEEP = "deep", _("Deep")
    ROLLOUT = "rollout", _("Rollout")


class PositionAnalysis(Work):
    """One question to one engine: a position with or without dice, its cube, score and rules, at one depth.

    ``question`` is the plain form of ``scoring.engines.asked.Asked``, ``digest`` its SHA-256: the same
    question is answered once for everyone. ``done`` of ``total`` is the progress, in questions or in the
    games of a rollout. ``decisions`` are the plain values of ``scoring.theory.decisions.Decision``, seen by
    the player on roll; they and ``label`` are there when the row is done.
    """

    TASK = "scoring.analyse_position"
    NAME = _("Positions analysed on request")
    QUEUE = "analysis"
    QUICK_QUEUE = "estimates"
    MAX_ATTEMPTS = 3
    LEASE = timedelta(seconds=60)

    question = models.JSONField()
    digest = models.CharField(max_length=64, editable=False)
    level = models.CharField(max_length=10, choices=Depth.choices)
    engine = models.CharField(max_length=24)
    preset = models.CharField(max_length=24)
    label = models.CharField(max_length=120, blank=True)
    decisions = models.JSONField(default=list, blank=True)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    cpu_seconds = models.FloatField(default=0.0)
    version = models.PositiveBigIntegerField(default=1, editable=False)

    class Meta(Work.Meta):
        constraints = [
            *Work.Meta.constraints,
            models.UniqueConstraint(
                fields=["digest", "level", "engine", "preset"], name="position_question_once"
            ),
            models.CheckConstraint(
                condition=~models.Q(status=WorkStatus.DONE) | ~models.Q(label=""),
                name="position_done_has_a_label",
            ),
        ]

    @property
    def task_and_queue(self) -> tuple[str, str]:
        """A standard analysis takes a second: it does not wait behind matches."""
        return self.TASK, self.QUICK_QUEUE if self.level == Depth.STANDARD else self.QUEUE

    @property
    def is_unfinished(self) -> bool:
        return self.status in UNFINISHED

    @property
    def is_standing(self) -> bool:
        """Whether it is done or on its way: what failed or was cancelled can be requested again."""
        return self.is_unfinished or self.status == WorkStatus.DONE


class PositionRequest(models.Model):
    """A user who has asked for an analysis; several can wait for the same one.

    ``started`` says whether it was this user who made an engine work, which the daily limit counts.
    """

    analysis = models.ForeignKey(PositionAnalysis, on_delete=models.CASCADE, related_name="requests")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    xgid = models.CharField(max_length=100)
    started = models.BooleanField(default=False)
    asked_at = models.DateTimeField(default=now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["analysis", "user"], name="position_request_once")]
        indexes = [models.Index(fields=["user", "-asked_at"], name="position_requests_of_user")]

    def __str__(self) -> str:
        return f"{self.analysis_id} for {self.user_id}"


class SavedPositionQuerySet(models.QuerySet["SavedPosition"]):
    def found_by(self, text: str) -> "SavedPositionQuerySet":
        """Those whose name, note or XGID has every word of a search."""
        found = self
        for word in text.split():
            one = models.Q(name__icontains=word) | models.Q(note__icontains=word)
            found = found.filter(one | models.Q(xgid__contains=word))
        return found


class SavedPosition(RefModel):
    """A position that a user keeps for themselves, with a name and a note."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    xgid = models.CharField(max_length=100)
    name = models.CharField(max_length=80)
    note = models.TextField(max_length=2000, blank=True)
    saved_at = models.DateTimeField(default=now)

    objects = SavedPositionQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "xgid"], name="saved_position_once")]
        indexes = [models.Index(fields=["user", "-saved_at", "-ref"], name="saved_positions_of_user")]

    def __str__(self) -> str:
        return self.name
