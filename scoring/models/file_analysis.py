"""Analyses in match files, stored separately from our own.

Each is under a label of its own: figures of our analyses never include these, and no analysis of ours writes
them.
"""

from django.db import models
from django.utils.translation import gettext_lazy as _

from clubs.models.ref import RefModel
from scoring.models.analysis import JudgedDecision, current_counting
from scoring.models.source import Source
from scoring.theory.decisions import FROM_FILE, EngineLabel


def is_from_file(label: str) -> bool:
    """Whether this is the exact label of an analysis that a match file brings."""
    return EngineLabel.parse(label).version == FROM_FILE


def own_label(program: str) -> str:
    """The exact label of a program's own analysis in its own file.

    >>> own_label("xg")
    'xg file analysis Kazaross-XG2'
    """
    return str(EngineLabel(program, FROM_FILE, "analysis"))


class FileProgram(models.TextChoices):
    """The programs of ``scoring.notation.annotations.Program``."""

    XG = "xg", "eXtreme Gammon"
    GNUBG = "gnubg", "GNU Backgammon"
    STATED = "stated", _("as the file states")


class FileAnalysis(RefModel):
    """The analysis in one file, put to the sheet as it stood at ``head_hash``.

    ``exact_label`` is one of ``scoring.theory.decisions``, in which the file stands for the version: a file
    can state any label, and its figures are never ours.
    ``summary`` has the sums of ``Analysis.summary``, counted by the rule that ``counting`` names.
    ``left_out`` judged moments of the file fit no decision of the sheet.
    """

    source = models.OneToOneField(Source, on_delete=models.CASCADE, related_name="analysis")
    program = models.CharField(max_length=8, choices=FileProgram.choices)
    exact_label = models.CharField(max_length=120)
    head_hash = models.CharField(max_length=64)
    left_out = models.PositiveIntegerField(default=0)
    summary = models.JSONField()
    counting = models.CharField(max_length=24, default=current_counting, editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(program__in=FileProgram.values), name="file_analysis_program_known"
            ),
        ]


class FileDecision(JudgedDecision):
    """A decision as the file judges it. Equities are normalised to money (EMG), the decider's own.

    ``position`` is what the player on roll faced, as ``scoring.rules.position.Position.key``: the judgement
    holds for the event only while that stands.
    """

    analysis = models.ForeignKey(FileAnalysis, on_delete=models.CASCADE, related_name="decisions")
    position = models.CharField(max_length=26)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["analysis", "number"], name="file_decision_number_once"),
            models.CheckConstraint(
                condition=models.Q(error=None) | models.Q(error__gte=0),
                name="file_decision_error_not_negative",
            ),
        ]
