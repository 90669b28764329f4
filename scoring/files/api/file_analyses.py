"""Analyses that came with match files: under their own labels, beside ours and never mixed with them."""

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
from scoring.log.api import known_file_analysis, seen_match
from scoring.models import Colour, FileAnalysis, FileDecision


class FileAnalysisOut(serializers.ModelSerializer[FileAnalysis]):
    """The analysis in one file, ``label`` in the language of the request.

    ``pr`` is counted by the program's own rule and pools with nothing else. ``left_out`` judged moments of
    the file fit no decision of the match. ``is_current`` is false once the sheet has changed since.
    """

    match = serializers.CharField(source="source.match.ref")
    filename = serializers.CharField(source="source.filename")
    sha256 = serializers.CharField(source="source.sha256")
    pr = serializers.SerializerMethodField(help_text="Error rates of both sides.")
    is_current = serializers.SerializerMethodField()
    decisions = serializers.SerializerMethodField(help_text="Where its decisions are.")

    class Meta:
        model = FileAnalysis
        fields = [
            *("ref", "match", "program", "label", "filename", "sha256"),
            *("pr", "left_out", "is_current", "decisions"),
        ]

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

    @extend_schema(responses=FileAnalysisOut(many=True), summary="Analyses that came with a match's files")
    def get(self, request: Request, match: str) -> Response:
        """What eXtreme Gammon or GNU Backgammon had stored in the file; `analyses` has our own."""
        found = FileAnalysis.objects.filter(source__match=seen_match(request.user, match))
        loaded = found.select_related("source__match__sheet").defer("source__content")
        return self.listed(loaded, FileAnalysisOut)


class FileDecisionOut(serializers.ModelSerializer[FileDecision]):
    """One decision as the file judges it. Equities are EMG, the decider's own; candidates come best first.

    A candidate has `action`, `equity`, `level` (depth in the program's own words), `probabilities` (win,
    gammon, backgammon, lost gammon, lost backgammon; 0 to 1), `played` and the `position` after a play.
    `position` of the decision is what the player on roll faced: 26 characters, the opponent's bar first.
    """

    candidates = serializers.ListField(child=serializers.DictField())

    class Meta:
        model = FileDecision
        fields = [
            *("number", "event_seq", "game", "ply", "kind", "colour", "position", "played"),
            *("error", "counted", "luck", "legal", "candidates"),
        ]


class FileAnalysisDecisions(ApiView):
    access = {"GET": Access(Public)}
    ordering = ("number",)

    @extend_schema(responses=FileDecisionOut(many=True), summary="List the decisions analysed in a file")
    def get(self, request: Request, file_analysis: str) -> Response:
        found = known_file_analysis(request.user, file_analysis)
        return self.listed(FileDecision.objects.filter(analysis=found), FileDecisionOut)
