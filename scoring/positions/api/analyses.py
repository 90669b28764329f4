"""API of positions analysed on request: request, follow, cancel, list your own."""

from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access import Public, SignedIn
from clubs.http.base import Access, ApiRequest, ApiView
from clubs.http.problem_kinds import CONFLICT
from clubs.http.problems import about, refuse
from clubs.http.serializers import Strict
from clubs.models import Scope
from clubs.tasks import wake
from scoring.engines.asked import asked_of, by_score
from scoring.models import Depth, PositionAnalysis
from scoring.notation.xgid import decode_xgid
from scoring.positions.services.positions import cancel_position, request_position


class PositionAnalysisOut(serializers.ModelSerializer[PositionAnalysis]):
    """One question to one engine, with its answer when it is done.

    `question` is the position seen by the player on roll, with cube, score and dice; `decisions` are the
    candidates with equities, chances and, after a rollout, half of their 95% confidence interval. `done` of
    `total` is the progress.
    """

    level = serializers.ChoiceField(choices=Depth.choices)
    question = serializers.DictField()
    decisions = serializers.ListField(child=serializers.DictField())
    url = serializers.SerializerMethodField()

    class Meta:
        model = PositionAnalysis
        fields = [
            *("ref", "status", "level", "engine", "label", "done", "total", "question", "decisions"),
            *("error", "queued_at", "finished_at", "url"),
        ]

    @extend_schema_field({"type": "string", "format": "uri"})
    def get_url(self, analysis: PositionAnalysis) -> str:
        path = reverse("api:position_analysis", args=[analysis.ref])
        address: str = self.context["request"].build_absolute_uri(path)
        return address


class PositionIn(Strict):
    """A position as XGID and how thoroughly to analyse it."""

    xgid = serializers.CharField(
        max_length=100, help_text="With dice: the best play. Without: the cube action of the player on roll."
    )
    level = serializers.ChoiceField(choices=Depth.choices, default=Depth.STANDARD)
    by_score = serializers.BooleanField(
        default=False, help_text="The cube action at every score, with a centred cube; only `standard`."
    )


class PositionAnalyses(ApiView):
    access = {"GET": Access(SignedIn), "POST": Access(SignedIn, Scope.RECORD)}
    ordering = ("-queued_at", "-ref")

    @extend_schema(
        responses=PositionAnalysisOut(many=True), summary="List the positions you asked about, newest first"
    )
    def get(self, request: ApiRequest) -> Response:
        return self.listed(PositionAnalysis.objects.filter(requests__user=request.user), PositionAnalysisOut)

    @extend_schema(
        request=PositionIn,
        responses={200: PositionAnalysisOut, 202: PositionAnalysisOut},
        summary="Analyse a position",
    )
    def post(self, request: ApiRequest) -> Response:
        """200 with the answer if the same question was answered before, else 202: poll its `Location`."""
        body = self.valid(PositionIn)
        with about("xgid", body["xgid"]):
            seen = decode_xgid(body["xgid"].strip())
            question = by_score(seen) if body["by_score"] else asked_of(seen)
        row = request_position(
            question=question, xgid=body["xgid"].strip(), level=Depth(body["level"]), user=request.user
        )
        if row.is_unfinished:
            wake(row)
        response = self.one(PositionAnalysisOut, row, status=202 if row.is_unfinished else 200)
        response.headers["Location"] = response.data["url"]
        return response


class OnePositionAnalysis(ApiView):
    access = {"GET": Access(Public), "DELETE": Access(SignedIn, Scope.RECORD)}

    @extend_schema(responses=PositionAnalysisOut, summary="Get the analysis of a position")
    def get(self, request: Request, position: str) -> Response:  # noqa: ARG002 - a position names no one
        return self.one(PositionAnalysisOut, known_position_analysis(position))

    @extend_schema(responses={204: None}, summary="Cancel your request for an analysis")
    def delete(self, request: ApiRequest, position: str) -> Response:
        """The engine stops when no one else waits for the same answer."""
        if not cancel_position(analysis=known_position_analysis(position), user=request.user):
            raise refuse(CONFLICT, _("This analysis is not yours to stop, or it has ended."))
        return Response(status=204)


def known_position_analysis(ref: str) -> PositionAnalysis:
    """The analysis of a position. Raises Http404."""
    found = PositionAnalysis.objects.filter(ref=ref).first()
    if found is None:
        raise Http404(_("There is no analysis %(ref)s.") % {"ref": ref})
    return found
