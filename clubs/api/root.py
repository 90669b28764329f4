"""The root of the API, its problem types, and 404 for unknown addresses."""

from typing import Any

from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access import Public
from clubs.http.base import METHODS, Access, ApiView
from clubs.http.problem_kinds import KINDS, ProblemType


class RootOut(serializers.Serializer[Any]):
    """The entry points of the API."""

    clubs = serializers.URLField()
    players = serializers.URLField()
    me = serializers.URLField()
    tokens = serializers.URLField()
    problems = serializers.URLField()
    schema = serializers.URLField()
    docs = serializers.URLField()


class Root(ApiView):
    access = {"GET": Access(Public)}

    @extend_schema(responses=RootOut, summary="List the API's entry points")
    def get(self, request: Request) -> Response:
        return Response(
            {name: request.build_absolute_uri(reverse(f"api:{name}")) for name in RootOut().fields}
        )


class ProblemKindOut(serializers.Serializer[Any]):
    """A problem type."""

    type = serializers.SerializerMethodField()
    code = serializers.CharField()
    status = serializers.IntegerField()
    title = serializers.CharField()
    help = serializers.CharField(allow_blank=True, help_text="What to do about it; can be empty.")

    def get_type(self, kind: ProblemType) -> str:
        return reverse("api:problem", args=[kind.code])


class ProblemKindsOut(serializers.Serializer[Any]):
    """All problem types, on one page."""

    items = ProblemKindOut(many=True)
    next = serializers.URLField(allow_null=True)


class Problems(ApiView):
    access = {"GET": Access(Public)}

    @extend_schema(responses=ProblemKindsOut, summary="List the problem types")
    def get(self, _request: Request) -> Response:
        kinds = sorted(KINDS.values(), key=lambda kind: (kind.status, kind.code))
        return Response({"items": ProblemKindOut(kinds, many=True).data, "next": None})


class ProblemKind(ApiView):
    access = {"GET": Access(Public)}

    @extend_schema(
        responses=ProblemKindOut,
        summary="Get a problem type",
        parameters=[OpenApiParameter("code", str, OpenApiParameter.PATH)],
    )
    def get(self, _request: Request, code: str) -> Response:
        if code not in KINDS:
            raise Http404(_("There is no problem type “%(code)s”.") % {"code": code})
        return self.one(ProblemKindOut, KINDS[code])


@extend_schema(exclude=True)
class Nowhere(ApiView):
    """Answers unknown addresses under the API with a 404 problem."""

    access = {method: Access(Public) for method in METHODS}

    def get(self, request: Request, address: str) -> Response:
        message = _("There is nothing at %(path)s.") % {"path": request.path}
        if not address.endswith("/"):
            message += " " + _("Every address ends with a slash.")
        raise Http404(message)

    post = put = patch = delete = get

    def check_parameters(self, request: Request) -> None:
        """Accept any parameters: the address does not exist anyway."""
