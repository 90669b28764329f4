"""API of the list of forbidden pairs of a division, for its directors."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access import SignedIn
from clubs.http.base import Access, ApiRequest, ApiView
from clubs.http.serializers import Strict
from clubs.models import Scope
from tournaments.events.access import known_flight, require_director
from tournaments.events.api.base import RUN
from tournaments.models import Flight, ForbiddenKind, ForbiddenPairs
from tournaments.stages.queries.forbidden import list_of, version_of
from tournaments.stages.services.forbidden import MOST_NAMED, allow, forbid


class ForbiddenPairsOut(serializers.Serializer[Any]):
    """A line of the list: each two of its entrants are a forbidden pair."""

    ref = serializers.CharField()
    kind = serializers.ChoiceField(choices=ForbiddenKind.choices)
    never = serializers.BooleanField(help_text="False: they are kept apart where possible.")
    entrants = serializers.SerializerMethodField(help_text="Refs; empty for a rule.")

    def get_entrants(self, line: ForbiddenPairs) -> list[str]:
        return [each.entrant.ref for each in line.entrants.all()]


class ForbiddenListOut(serializers.Serializer[Any]):
    """The list of a division in the order in which it was made."""

    version = serializers.CharField(help_text="Send it as `seen` with a change.")
    lines = ForbiddenPairsOut(many=True)


class SeenListIn(Strict):
    """The list that the director saw."""

    seen = serializers.CharField(
        max_length=16, required=False, help_text="The `version` you last saw; 409 if the list has changed."
    )


class ForbiddenPairsIn(SeenListIn):
    """A new line: entrants by ref for `names`, none for a rule by `club` or `title`."""

    kind = serializers.ChoiceField(choices=ForbiddenKind.choices, default=ForbiddenKind.NAMES)
    never = serializers.BooleanField(
        default=False, help_text="Without it they are kept apart where possible."
    )
    entrants = serializers.ListField(
        child=serializers.CharField(max_length=10), default=list, max_length=MOST_NAMED, help_text="Refs."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["kind"] != ForbiddenKind.NAMES and attrs["entrants"]:
            message = _("A rule by %(kind)s names no entrants. Leave them out, or use the kind names.")
            message %= {"kind": attrs["kind"]}
            raise ValidationError({"entrants": [ErrorDetail(message, "rule_with_entrants")]})
        return attrs


class _ListView(ApiView):
    def directed(self, request: Request, ref: str) -> Flight:
        flight, role = known_flight(request.user, ref)
        require_director(role)
        return flight

    def told(self, flight: Flight) -> Response:
        lines = list_of(flight)
        return self.one(ForbiddenListOut, {"version": version_of(lines), "lines": lines})


class ForbiddenList(_ListView):
    access = {"GET": Access(SignedIn), "POST": RUN}

    @extend_schema(responses=ForbiddenListOut, summary="Get the forbidden pairs of a division")
    def get(self, request: Request, flight: str) -> Response:
        """Directors only."""
        return self.told(self.directed(request, flight))

    @extend_schema(request=ForbiddenPairsIn, responses=ForbiddenListOut, summary="Forbid pairs")
    def post(self, request: ApiRequest, flight: str) -> Response:
        """Add a line; the same names or rule again change how strict it is.

        Draws in progress follow from their next round.
        """
        found, data = self.directed(request, flight), self.valid(ForbiddenPairsIn)
        forbid(
            flight=found,
            kind=ForbiddenKind(data["kind"]),
            never=data["never"],
            entrants=data["entrants"],
            user=request.user,
            seen=data.get("seen"),
        )
        return self.told(found)


class ForbiddenLine(_ListView):
    access = {"DELETE": Access(SignedIn, Scope.DIRECT)}

    def known_parameters(self) -> set[str]:
        """A removal has no body: what was seen is a query parameter."""
        return {"seen"}

    @extend_schema(parameters=[SeenListIn], responses=ForbiddenListOut, summary="Allow forbidden pairs")
    def delete(self, request: ApiRequest, flight: str, line: str) -> Response:
        """Remove a line of the list; 409 if it is not there any more, or the list is not as `seen`."""
        found = self.directed(request, flight)
        asked = SeenListIn(data=request.query_params)
        asked.is_valid(raise_exception=True)
        allow(flight=found, line=line, user=request.user, seen=asked.validated_data.get("seen"))
        return self.told(found)
