"""API for the first steps of a new club."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from clubs.access import club_permission
from clubs.clubs.services.clubs import put_steps_away
from clubs.http.base import Access, ApiView, ClubApiRequest
from clubs.http.serializers import Strict
from clubs.models import Club, Role, Scope
from tournaments.pages.queries.first_steps import FirstStep, first_steps


class FirstStepOut(serializers.Serializer[FirstStep]):
    """A step, done as soon as what it asks for has happened."""

    key = serializers.ChoiceField(["club", "people", "event", "phones", "mail"])
    title = serializers.CharField()
    done = serializers.BooleanField()
    said = serializers.CharField(help_text="What is known of it.")


class FirstStepsOut(serializers.Serializer[Any]):
    """The steps in order."""

    put_away = serializers.BooleanField(help_text="Whether the club's page leaves them out.")
    complete = serializers.BooleanField()
    steps = FirstStepOut(many=True)


class FirstStepsIn(Strict):
    """Whether the club's page leaves the steps out."""

    put_away = serializers.BooleanField()


class ClubFirstSteps(ApiView):
    access = {
        "GET": Access(club_permission(Role.DIRECTOR)),
        "PATCH": Access(club_permission(Role.DIRECTOR), Scope.DIRECT),
    }

    @extend_schema(responses=FirstStepsOut, summary="Get the first steps of a club")
    def get(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002 - loaded by the permission
        return self._shown(request, request.club)

    @extend_schema(request=FirstStepsIn, responses=FirstStepsOut, summary="Put the first steps away")
    def patch(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002
        away = self.valid(FirstStepsIn)["put_away"]
        return self._shown(request, put_steps_away(club=request.club, away=away))

    def _shown(self, request: ClubApiRequest, club: Club) -> Response:
        found = first_steps(club, request.role or Role.DIRECTOR)
        shown = {"put_away": club.steps_put_away, "complete": found.complete, "steps": found.steps}
        return Response(FirstStepsOut(shown).data)
