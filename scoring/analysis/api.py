"""API of analyses: request, follow, list decisions."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access import Public, SignedIn, club_permission, role_of
from clubs.http.base import Access, ApiRequest, ApiView, ClubApiRequest
from clubs.http.problem_kinds import CONFLICT
from clubs.http.problems import refuse
from clubs.http.serializers import Strict
from clubs.models import Club, Role, Scope
from clubs.tasks import wake
from scoring.analysis.queries.analyses import performance_of
from scoring.analysis.queries.engines import EngineChoice, of_club, offered
from scoring.analysis.queries.label_words import label_words
from scoring.analysis.queries.privacy import require_analysis
from scoring.analysis.services.analyses import request_by_member
from scoring.analysis.services.club_engines import choose_engine
from scoring.log.api import known_analysis, seen_match
from scoring.models import Analysis, ClubEngine, Colour, DecisionOwner, DecisionRow, Level
from scoring.theory.play_rating import PlayRating, play_rating

LEVELS = [level.name.lower() for level in Level]


class AnalysisWanted(Strict):
    """What to analyse with; the club's choice where nothing is named."""

    engine = serializers.CharField(required=False, max_length=24, help_text="`gnubg` or `gammonview`.")
    preset = serializers.CharField(required=False, max_length=24, help_text="E.g. `fast` or `deep`.")


class ErrorRatesOut(serializers.Serializer[Any]):
    """PR of both sides: 500 x loss / counted decisions; null without a counted decision."""

    white = serializers.FloatField(allow_null=True)
    black = serializers.FloatField(allow_null=True)


class PlayRatingsOut(serializers.Serializer[Any]):
    """GNU Backgammon's word for the PR of each side; null without a counted decision."""

    white = serializers.ChoiceField(list(PlayRating), allow_null=True)
    black = serializers.ChoiceField(list(PlayRating), allow_null=True)


class AnalysisOut(serializers.ModelSerializer[Analysis]):
    """One run of an engine over a match.

    ``engine`` and ``preset`` are what was asked for. ``label`` (engine, version, preset, match equity table)
    is known when it is done, in words as ``label_words``; ``counting`` is the rule of what counts. Error
    rates of two labels, or of two rules, do not compare.
    """

    match = serializers.SlugRelatedField[Any](slug_field="ref", read_only=True)
    level = serializers.SerializerMethodField(
        help_text="How deep it looks. Error rates of an `estimate` never enter statistics."
    )
    label_words = serializers.SerializerMethodField(help_text="The label as players say it.")
    pr = serializers.SerializerMethodField(help_text="Error rates, null until the analysis is done.")
    play_rating = serializers.SerializerMethodField(help_text="The error rates in words.")
    url = serializers.SerializerMethodField()

    class Meta:
        model = Analysis
        fields = [
            *(
                "ref",
                "match",
                "status",
                "level",
                "engine",
                "preset",
                "label",
                "label_words",
                "counting",
                "done_decisions",
                "all_decisions",
            ),
            *("pr", "play_rating", "error", "queued_at", "finished_at", "url"),
        ]

    @extend_schema_field({"type": "string", "enum": LEVELS})
    def get_level(self, analysis: Analysis) -> str:
        return Level(analysis.level).name.lower()

    def get_label_words(self, analysis: Analysis) -> str:
        return label_words(analysis.label)

    @extend_schema_field(ErrorRatesOut(allow_null=True))
    def get_pr(self, analysis: Analysis) -> Any:
        if analysis.summary is None:
            return None
        return {colour: performance_of(analysis.summary, colour).pr for colour in Colour.values}

    @extend_schema_field(PlayRatingsOut(allow_null=True))
    def get_play_rating(self, analysis: Analysis) -> Any:
        rates = self.get_pr(analysis)
        return rates and {colour: play_rating(pr) for colour, pr in rates.items()}

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
        """403 where the players keep them to themselves."""
        found = seen_match(request.user, match)
        require_analysis(request.user, found.pk)
        return self.listed(Analysis.objects.filter(match=found).select_related("match"), AnalysisOut)

    @extend_schema(request=AnalysisWanted, responses={202: AnalysisOut}, summary="Analyse a match")
    def post(self, request: ApiRequest, match: str) -> Response:
        """For club members. Each version of a match is analysed once by an engine and preset."""
        found = seen_match(request.user, match)
        role = role_of(request.user, found.club)
        if role is None or role < Role.MEMBER:
            raise PermissionDenied(
                _("Only members of %(club)s can analyse its matches.") % {"club": found.club}
            )
        require_analysis(request.user, found.pk)
        analysis = request_by_member(match=found, user=request.user, **self.valid(AnalysisWanted))
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
        found = known_analysis(request.user, analysis)
        require_analysis(request.user, found.match_id)
        return self.one(AnalysisOut, found)


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
        require_analysis(request.user, found.match_id)
        decisions = DecisionRow.objects.filter(analysis=found).prefetch_related("owners__player")
        return self.listed(decisions, DecisionOut)


class EngineOut(serializers.Serializer[EngineChoice]):
    """An engine and one of its presets."""

    engine = serializers.CharField()
    preset = serializers.CharField()
    words = serializers.CharField()


class ClubEngineOut(serializers.Serializer[Any]):
    """What the club's matches are analysed by, and what this installation offers."""

    used = EngineOut()
    follows_installation = serializers.BooleanField(help_text="Whether the club has no choice of its own.")
    offered = EngineOut(many=True)


class ClubEngineIn(Strict):
    """The club's choice; an empty engine follows the installation."""

    engine = serializers.CharField(allow_blank=True, max_length=24)
    preset = serializers.CharField(required=False, allow_blank=True, max_length=24)


class ClubAnalysisEngine(ApiView):
    access = {
        "GET": Access(club_permission(Role.MEMBER)),
        "PUT": Access(club_permission(Role.OWNER), Scope.DIRECT),
    }

    @extend_schema(responses=ClubEngineOut, summary="Get a club's analysis engine")
    def get(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002
        return self._told(request.club)

    @extend_schema(request=ClubEngineIn, responses=ClubEngineOut, summary="Choose a club's analysis engine")
    def put(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002
        """For owners. Matches that are analysed already keep their label."""
        choose_engine(club=request.club, **self.valid(ClubEngineIn))
        return self._told(request.club)

    def _told(self, club: Club) -> Response:
        follows = not ClubEngine.objects.filter(club=club).exists()
        told = {"used": of_club(club), "follows_installation": follows, "offered": offered()}
        return self.one(ClubEngineOut, told)
