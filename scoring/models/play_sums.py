"""Sums of play of each side in each analysis, so that no page adds up decisions."""

from django.db import models

from clubs.models import Player
from scoring.models.analysis import Analysis
from scoring.models.file_analysis import FileAnalysis
from scoring.models.match import Colour, Match, SideRow
from scoring.theory.decisions import DecisionKind
from scoring.theory.mistakes import MistakeKind
from scoring.theory.phases import GamePhase
from scoring.theory.play_sums import ScoreKind


class SidePlay(models.Model):
    """One side's play in one analysed match: its counted decisions, its dice and its luck.

    The columns are those of ``scoring.theory.play_sums``: ``LossTally`` over all decisions, and ``DiceSums``.
    ``worst`` is the largest counted error. The rows go with their analysis, ours or that of a file. A
    chouette's game has none, and neither has an estimate.

    ``match`` is that of the side, ``played_at`` that of the match and ``label`` the exact one of the
    analysis; none changes. ``player`` is the only one at the side, empty for a pair; merged players change
    it. They stand here so that a page finds the newest matches of a club, or of a player, in an index.
    """

    analysis = models.ForeignKey(
        Analysis, null=True, blank=True, on_delete=models.CASCADE, related_name="side_plays"
    )
    file_analysis = models.ForeignKey(
        FileAnalysis, null=True, blank=True, on_delete=models.CASCADE, related_name="side_plays"
    )
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="+", db_index=False)
    label = models.CharField(max_length=120)
    # Checked by the seat: a check of its own would wait for a merge, which waits for the seats of a sum.
    player = models.ForeignKey(
        Player, models.PROTECT, null=True, blank=True, related_name="+", db_index=False, db_constraint=False
    )
    played_at = models.DateTimeField()
    side = models.ForeignKey(SideRow, on_delete=models.CASCADE, related_name="side_plays")
    colour = models.CharField(max_length=5, choices=Colour.choices)
    counted = models.PositiveIntegerField()
    loss = models.FloatField()
    squares = models.FloatField()
    errors = models.PositiveIntegerField()
    blunders = models.PositiveIntegerField()
    worst = models.FloatField()
    rolls = models.PositiveIntegerField()
    pips = models.PositiveIntegerField()
    doubles = models.PositiveIntegerField()
    sixes = models.PositiveIntegerField()
    entries = models.PositiveIntegerField()
    entered = models.PositiveIntegerField()
    entries_expected = models.FloatField()
    entries_variance = models.FloatField()
    luck_rolls = models.PositiveIntegerField()
    luck = models.FloatField()
    luck_squares = models.FloatField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["analysis", "colour"], name="side_play_once"),
            models.UniqueConstraint(fields=["file_analysis", "colour"], name="side_play_of_file_once"),
            models.CheckConstraint(
                condition=models.Q(analysis=None) ^ models.Q(file_analysis=None),
                name="side_play_of_one_analysis",
            ),
        ]
        indexes = [
            models.Index(fields=["match", "label"], name="side_play_of_match"),
            models.Index(fields=["player", "label", "-played_at", "-id"], name="side_play_of_player"),
        ]

    def __str__(self) -> str:
        return f"{self.colour} of {self.match_id} by {self.label}"


class PlaySum(models.Model):
    """Counted decisions of one side in one phase, of one kind, at one kind of score."""

    of = models.ForeignKey(SidePlay, on_delete=models.CASCADE, related_name="cells")
    phase = models.CharField(max_length=8, choices=[(each.value, each.value) for each in GamePhase])
    kind = models.CharField(max_length=8, choices=[(each.value, each.value) for each in DecisionKind])
    score = models.CharField(max_length=13, choices=[(each.value, each.value) for each in ScoreKind])
    counted = models.PositiveIntegerField()
    loss = models.FloatField()
    squares = models.FloatField()
    errors = models.PositiveIntegerField()
    blunders = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["of", "phase", "kind", "score"], name="play_sum_once"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} in the {self.phase} of {self.of_id}"


class MistakeSum(models.Model):
    """Mistakes of one kind that one side made in one phase: how many, and what they lost."""

    of = models.ForeignKey(SidePlay, on_delete=models.CASCADE, related_name="mistakes")
    phase = models.CharField(max_length=8, choices=[(each.value, each.value) for each in GamePhase])
    kind = models.CharField(max_length=16, choices=[(each.value, each.value) for each in MistakeKind])
    counted = models.PositiveIntegerField()
    loss = models.FloatField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["of", "phase", "kind"], name="mistake_sum_once"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} in the {self.phase} of {self.of_id}"


class OpeningReply(models.Model):
    """What one side played to the opening roll, or (``earlier``: roll and play) to the reply to one."""

    of = models.ForeignKey(SidePlay, on_delete=models.CASCADE, related_name="openings")
    earlier = models.CharField(max_length=40, blank=True)
    roll = models.CharField(max_length=2)
    played = models.CharField(max_length=80)
    best = models.CharField(max_length=80)
    error = models.FloatField()

    def __str__(self) -> str:
        return f"{self.roll}: {self.played}"
