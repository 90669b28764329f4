"""Analyses of matches, decision by decision."""

from dataclasses import asdict
from datetime import timedelta
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from clubs.models import Club
from clubs.models.work import Work, WorkStatus
from scoring.models.chouette import ChouettePlayer
from scoring.models.match import Colour, Match
from scoring.theory.counting import XG_COUNTING
from scoring.theory.decisions import Decision, DecisionKind


def current_counting() -> str:
    """The rule by which decisions are counted now."""
    return str(XG_COUNTING)


class Level(models.IntegerChoices):
    """How deep an analysis looks; of two that are done, a page shows the deeper one.

    An estimate is there within seconds of the last roll. It never enters pooled error rates.
    """

    ESTIMATE = 10, _("estimate")
    STANDARD = 20, _("standard")
    DEEP = 30, _("deep")


class Urgency(models.IntegerChoices):
    """What is analysed before what; within one urgency the clubs take turns."""

    ESTIMATE = 0
    REQUESTED = 1
    PLAYED = 2
    IMPORTED = 3
    IDLE = 4
    """Only while nothing else waits."""


class AnalysisQuerySet(models.QuerySet["Analysis"]):
    def newest_first(self) -> "AnalysisQuerySet":
        return self.order_by("-queued_at", "-ref")

    def done(self) -> "AnalysisQuerySet":
        return self.filter(status=WorkStatus.DONE)

    def deepest_first(self) -> "AnalysisQuerySet":
        return self.order_by("-level", "-finished_at", "-pk")

    def without_estimates(self) -> "AnalysisQuerySet":
        """Those that count: an estimate is shown on its match's page alone."""
        return self.filter(level__gt=Level.ESTIMATE)


class Analysis(Work):
    """One run of an engine over one match as its sheet stood at ``head_seq``.

    ``engine`` and ``preset`` are what was asked for. ``label`` (with the engine's version and the match
    equity table) is known when the run is done; error rates are pooled only within one label, and only while
    they are counted by one rule: ``counting`` names the one of ``summary`` and the decisions.
    ``done_decisions`` of ``all_decisions`` is the progress. ``summary`` has, for each colour and game, the
    sums that the pages show.

    A message for one of these rows wakes a worker, which takes the row whose turn it is
    (``scoring.analysis.services.turns``): ``urgency``, then the club that was served longest ago, then age.
    A match is analysed in parts of ``part_size`` questions.
    """

    TASK = "scoring.analyse_match"
    NAME = _("Analyses")
    QUEUE = "analysis"
    ESTIMATING = "scoring.estimate_match", "estimates"
    MAX_ATTEMPTS = 3
    LEASE = timedelta(seconds=60)
    WAKE_AT_MOST = 8
    MESSAGE_LASTS = timedelta(minutes=2)

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="+", editable=False)
    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="analyses")
    head_seq = models.PositiveIntegerField()
    head_hash = models.CharField(max_length=64)
    level = models.PositiveSmallIntegerField(choices=Level.choices, default=Level.STANDARD)
    urgency = models.PositiveSmallIntegerField(choices=Urgency.choices, default=Urgency.PLAYED)
    engine = models.CharField(max_length=24, default="", blank=True)
    preset = models.CharField(max_length=24)
    part_size = models.PositiveIntegerField(null=True, blank=True, editable=False)
    label = models.CharField(max_length=120, blank=True)
    counting = models.CharField(max_length=24, default=current_counting, editable=False)
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    done_decisions = models.PositiveIntegerField(default=0)
    all_decisions = models.PositiveIntegerField(default=0)
    version = models.PositiveBigIntegerField(default=1, editable=False)
    summary = models.JSONField(null=True, blank=True)

    objects = AnalysisQuerySet.as_manager()

    class Meta(Work.Meta):
        constraints = [
            *Work.Meta.constraints,
            models.UniqueConstraint(
                fields=["match", "head_hash", "engine", "preset"],
                condition=models.Q(status__in=[WorkStatus.QUEUED, WorkStatus.RUNNING, WorkStatus.DONE]),
                name="analysis_once_a_head_and_engine",
            ),
            models.CheckConstraint(
                condition=~models.Q(status=WorkStatus.DONE) | ~models.Q(label=""),
                name="analysis_done_has_a_label",
            ),
        ]
        indexes = [
            *Work.Meta.indexes,
            models.Index(
                fields=["urgency", "club", "available_at", "id"],
                condition=models.Q(status=WorkStatus.QUEUED),
                name="analysis_turns",
            ),
        ]

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self.club_id:
            self.club_id = self.match.club_id
        super().save(*args, **kwargs)

    @property
    def task_and_queue(self) -> tuple[str, str]:
        """Estimates have a queue of their own, which the worker of quick tasks serves, too."""
        return self.ESTIMATING if self.level == Level.ESTIMATE else super().task_and_queue

    @property
    def exact_label(self) -> str:
        """The label, as an analysis in a file has it, too."""
        return self.label

    @property
    def is_estimate(self) -> bool:
        return self.level == Level.ESTIMATE

    @property
    def is_idle(self) -> bool:
        """Whether it waits until no other analysis does, for nobody in particular."""
        return self.urgency == Urgency.IDLE


class AnalysisPart(models.Model):
    """The decisions of some consecutive questions of an analysis that is not done yet.

    ``first`` is the number of the first question, from 0. ``label`` and ``decisions`` are plain values of
    ``scoring.codec``.
    """

    analysis = models.ForeignKey(Analysis, on_delete=models.CASCADE, related_name="parts")
    first = models.PositiveIntegerField()
    questions = models.PositiveIntegerField()
    label = models.JSONField()
    decisions = models.JSONField()
    cpu_seconds = models.FloatField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["analysis", "first"], name="analysis_part_once"),
        ]

    def __str__(self) -> str:
        return f"{self.analysis_id} from {self.first}"


class AnalysisTurn(models.Model):
    """When a worker last took an analysis of a club."""

    club = models.OneToOneField(Club, on_delete=models.CASCADE, related_name="+")
    served_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.club_id} at {self.served_at}"


class DecisionQuerySet(models.QuerySet["DecisionRow"]):
    def counted(self) -> "DecisionQuerySet":
        return self.filter(counted=True)

    def in_order(self) -> "DecisionQuerySet":
        return self.order_by("number")


class JudgedDecision(models.Model):
    """One decision of one side: what was played, what the engine would have played, and what that cost.

    The columns are those of ``scoring.theory.decisions.Decision``: ``error`` is raw, normalised to the
    cube, for the player who decided; null where there was nothing to choose. ``candidates`` come best first.
    ``event_seq`` is the event that was decided by; ``number`` the place in the analysis.
    """

    number = models.PositiveIntegerField()
    event_seq = models.PositiveIntegerField()
    game = models.PositiveSmallIntegerField()
    ply = models.PositiveIntegerField()
    kind = models.CharField(max_length=8, choices=[(each.value, each.value) for each in DecisionKind])
    colour = models.CharField(max_length=5, choices=Colour.choices)
    played = models.CharField(max_length=80, blank=True)
    candidates = models.JSONField(default=list)
    error = models.FloatField(null=True, blank=True)
    counted = models.BooleanField()
    luck = models.FloatField(null=True, blank=True)
    legal = models.BooleanField(default=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.kind} at {self.event_seq}"

    @classmethod
    def of(cls, decision: Decision, *, number: int, event_seq: int, **own: Any) -> Self:
        """The row of a decision, not saved; ``own`` are the row's other columns, and those that differ."""
        columns = {
            "number": number,
            "event_seq": event_seq,
            "game": decision.game,
            "ply": decision.ply,
            "kind": decision.kind,
            "colour": decision.side,
            "played": decision.played,
            "candidates": [asdict(candidate) for candidate in decision.candidates],
            "error": decision.error,
            "counted": decision.counted,
            "luck": decision.luck,
            "legal": decision.legal,
        }
        return cls(**columns | own)


class DecisionRow(JudgedDecision):
    """A decision as our own engine judges it."""

    analysis = models.ForeignKey(Analysis, on_delete=models.CASCADE, related_name="decisions")

    objects = DecisionQuerySet.as_manager()

    class Meta:
        db_table = "scoring_decision"
        constraints = [
            models.UniqueConstraint(fields=["analysis", "number"], name="decision_number_once"),
            models.CheckConstraint(
                condition=models.Q(error=None) | models.Q(error__gte=0), name="decision_error_not_negative"
            ),
        ]
        indexes = [models.Index(fields=["analysis", "event_seq"], name="decision_of_event")]


class DecisionOwner(models.Model):
    """A chouette player who made a decision; several can share one, each for their cube.

    ``cubes`` are the keys of ``scoring.rules.chouette.game_state.TableCube``. A play is the acting captain's
    or the box's, at the captain's cube.
    """

    decision = models.ForeignKey(DecisionRow, on_delete=models.CASCADE, related_name="owners")
    player = models.ForeignKey(ChouettePlayer, on_delete=models.PROTECT, related_name="decisions")
    cubes = models.JSONField(default=list)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["decision", "player"], name="decision_owner_once"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} of {self.decision_id}"
