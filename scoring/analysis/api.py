"""API of analyses: request, follow, list decisions."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access import Public, SignedIn, role_of
from clubs.http.base import Access, ApiRequest, ApiView
from clubs.http.problem_kinds import CONFLICT
from clubs.http.problems import refuse
from clubs.models import Role, Scope
from clubs.tasks import wake
from scoring.analysis.queries.analyses import performance_of
from scoring.analysis.services.analyses import request_analysis
from scoring.log.api import known_analysis, seen_match
from scoring.models import Analysis, Colour, DecisionOwner, DecisionRow, Level

LEVELS = [level.name.lower() for level in Level]


class ErrorRatesOut(serializers.Serializer[Any]):
    """PR of both sides: 500 x loss / counted decisions; null without a counted decision."""

    white = serializers.FloatField(allow_null=True)
    black = serializers.FloatField(allow_null=True)


class AnalysisOut(serializers.ModelSerializer[Analysis]):
    """One run of an engine over a match. ``label`` (engine, version, preset) is known when it is done."""

    match = serializers.SlugRelatedField[Any](slug_field="ref", read_only=True)
    level = serializers.SerializerMethodField(
        help_text="How deep it looks. Error rates of an `estimate` never enter statistics."
    )
    pr = serializers.SerializerMethodField(help_text="Error rates, null until the analysis is done.")
    url = serializers.SerializerMethodField()

    class Meta:
        model = Analysis
        fields = [
            *("ref", "match", "status", "level", "preset", "label", "done_decisions", "all_decisions"),
            *("pr", "error", "queued_at", "finished_at", "url"),
        ]

    @extend_schema_field({"type": "string", "enum": LEVELS})
    def get_level(self, analysis: Analysis) -> str:
        return Level(analysis.level).name.lower()

    @extend_schema_field(ErrorRatesOut(allow_null=True))
    def get_pr(self, analysis: Analysis) -> Any:
        if analysis.summary is None:
            return None
        return {colour: performance_of(analysis.summary, colour).pr for colour in Colour.values}

    @extend_schema_field({"type": "string", "format": "uri"})
    def get_url(self, analysis: Analysis) -> str:
        path = reverse("api:analysis", args=[analysis.ref])
        address: str = self.context["request"].build_absolute_uri(path)
        return address


class MatchAnalyses(ApiView):
    access = {"GET": Access(Public), "POST": Access(SignedIn, Scope.RECORD)}
    ordering = ("-queued_at", "-ref")

    @extend_schema(responses=AnalysisOut(many=True), summary="List a match's analyses, newest first")
    def get(self, request: Request, match: str) -> Response:
        found = seen_match(request.user, match)
        return self.listed(Analysis.objects.filter(match=found).select_related("match"), AnalysisOut)

    @extend_schema(request=None, responses={202: AnalysisOut}, summary="Analyse a match")
    def post(self, request: ApiRequest, match: str) -> Response:
        """For club members. Each version of a match is analysed once."""
        found = seen_match(request.user, match)
        role = role_of(request.user, found.club)
        if role is None or role < Role.MEMBER:
            raise PermissionDenied(
                _("Only members of %(club)s can analyse its matches.") % {"club": found.club}
            )
        analysis = request_analysis(match=found, user=request.user)
        if analysis is None:
            raise refuse(CONFLICT, _("This match has no recorded plays to analyse."))
        wake(analysis)
        response = self.one(AnalysisOut, analysis, status=202)
        response.headers["Location"] = response.data["url"]
        return response


class OneAnalysis(ApiView):
    access = {"GET": Access(Public)}

    @extend_schema(responses=AnalysisOut, summary="Get an analysis with its status and results")
    def get(self, request: Request, analysis: str) -> Response:
        return self.one(AnalysisOut, known_analysis(request.user, analysis))


class OwnerOut(serializers.Serializer[DecisionOwner]):
    """A chouette player who decided: their ref at the table and the cubes."""

    player = serializers.CharField(source="player.ref")
    cubes = serializers.ListField(child=serializers.CharField())


class DecisionOut(serializers.ModelSerializer[DecisionRow]):
    """One decision; ``error`` is the decider's equity loss, candidates best first.

    ``owners`` are those of a chouette whose decision it was; none in a match.
    """

    side = serializers.ChoiceField(source="colour", choices=Colour.choices)
    candidates = serializers.ListField(child=serializers.DictField())
    owners = OwnerOut(many=True)

    class Meta:
        model = DecisionRow
        fields = [
            *("number", "event_seq", "game", "ply", "kind", "side", "played"),
            *("error", "counted", "luck", "legal", "candidates", "owners"),
        ]


class AnalysisDecisions(ApiView):
    access = {"GET": Access(Public)}
    ordering = ("number",)

    @extend_schema(responses=DecisionOut(many=True), summary="List the decisions of an analysis")
    def get(self, request: Request, analysis: str) -> Response:
        found = known_analysis(request.user, analysis)
        decisions = DecisionRow.objects.filter(analysis=found).prefetch_related("owners__player")
        return self.listed(decisions, DecisionOut)
