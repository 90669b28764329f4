"""API of analyses stored in match files, kept apart from Midpoint's own."""

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access import Public
from clubs.http.base import Access, ApiView
from scoring.analysis.api import ErrorRatesOut
from scoring.analysis.queries.analyses import performance_of
from scoring.analysis.queries.label_words import label_words
from scoring.analysis.queries.privacy import require_analysis
from scoring.log.api import known_file_analysis, seen_match
from scoring.models import Colour, FileAnalysis, FileDecision


class FileAnalysisOut(serializers.ModelSerializer[FileAnalysis]):
    """The analysis in one file, ``label`` in the language of the request.

    ``exact_label`` is the label that error rates pool within, ``counting`` the rule of what counts.
    ``left_out`` counts decisions of the file that match none of the match. ``is_current`` is false once the
    scoresheet has changed.
    """

    match = serializers.CharField(source="source.match.ref")
    label = serializers.SerializerMethodField()  # type: ignore[assignment]
    exact_label = serializers.CharField(
        help_text="Program, `file`, what it did (or the version and preset that the file states) and match "
        "equity table."
    )
    filename = serializers.CharField(source="source.filename")
    sha256 = serializers.CharField(source="source.sha256")
    pr = serializers.SerializerMethodField(help_text="Error rates of both sides.")
    is_current = serializers.SerializerMethodField()
    decisions = serializers.SerializerMethodField(help_text="Address of its decisions.")

    class Meta:
        model = FileAnalysis
        fields = [
            *("ref", "match", "program", "label", "exact_label", "counting", "filename", "sha256"),
            *("pr", "left_out", "is_current", "decisions"),
        ]

    def get_label(self, analysis: FileAnalysis) -> str:
        return label_words(analysis.exact_label)

    @extend_schema_field(ErrorRatesOut)
    def get_pr(self, analysis: FileAnalysis) -> Any:
        return {colour: performance_of(analysis.summary, colour).pr for colour in Colour.values}

    def get_is_current(self, analysis: FileAnalysis) -> bool:
        return analysis.head_hash == analysis.source.match.sheet.head_hash

    @extend_schema_field({"type": "string", "format": "uri"})
    def get_decisions(self, analysis: FileAnalysis) -> str:
        path = reverse("api:file_analysis_decisions", args=[analysis.ref])
        address: str = self.context["request"].build_absolute_uri(path)
        return address


class MatchFileAnalyses(ApiView):
    access = {"GET": Access(Public)}
    ordering = ("ref",)

    @extend_schema(responses=FileAnalysisOut(many=True), summary="List the analyses in a match's files")
    def get(self, request: Request, match: str) -> Response:
        """Analyses by eXtreme Gammon, GNU Backgammon or the program that an OGXM file states.

        Midpoint's own are under `analyses`.
        """
        shown = seen_match(request.user, match)
        require_analysis(request.user, shown.pk)
        found = FileAnalysis.objects.filter(source__match=shown)
        loaded = found.select_related("source__match__sheet").defer("source__content")
        return self.listed(loaded, FileAnalysisOut)


class FileDecisionOut(serializers.ModelSerializer[FileDecision]):
    """One analysed decision.

    Equities are EMG for the deciding player; candidates come best first.

    A candidate has `action`, `equity`, `level` (depth as the program calls it), `probabilities` (win, gammon,
    backgammon, lost gammon, lost backgammon; 0 to 1), `played` and the `position` after a play. The
    decision's `position` is for the player on roll: 26 characters, the opponent's bar first.
    """

    side = serializers.ChoiceField(source="colour", choices=Colour.choices)
    candidates = serializers.ListField(child=serializers.DictField())

    class Meta:
        model = FileDecision
        fields = [
            *("number", "event_seq", "game", "ply", "kind", "side", "position", "played"),
            *("error", "counted", "luck", "legal", "candidates"),
        ]


class FileAnalysisDecisions(ApiView):
    access = {"GET": Access(Public)}
    ordering = ("number",)

    @extend_schema(responses=FileDecisionOut(many=True), summary="List the decisions analysed in a file")
    def get(self, request: Request, file_analysis: str) -> Response:
        found = known_file_analysis(request.user, file_analysis)
        require_analysis(request.user, found.source.match_id)
        return self.listed(FileDecision.objects.filter(analysis=found), FileDecisionOut)
