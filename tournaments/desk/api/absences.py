"""API of the question about an absent player."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.permissions import SAFE_METHODS
from rest_framework.response import Response

from clubs.access import SignedIn
from clubs.http.base import Access, ApiRequest, ApiView
from clubs.http.serializers import Strict
from tournaments.core.play.absence import AbsenceScope
from tournaments.desk.queries.absences import AbsenceQuestion, question, sides
from tournaments.desk.services.absences import record_absence
from tournaments.events.access import directed_pairing, known_pairing
from tournaments.events.api.base import RUN
from tournaments.models import EntrantRow, PairingRow
from tournaments.stages.api.stages import PairingOut

READ = Access(SignedIn)


class AbsentIn(Strict):
    """The absent entrant."""

    entrant = serializers.CharField(max_length=10, help_text="A ref.")


class AbsenceIn(AbsentIn):
    """The absent entrant, and what they are out of."""

    scope = serializers.ChoiceField(
        choices=[scope.value for scope in AbsenceScope],
        help_text="`match`: this match; `draw`: this draw, but in the consolation; `event`: everything.",
    )
    seen = serializers.IntegerField(
        min_value=0, required=False, help_text="`seen` of the question; 409 if the draw has changed."
    )
    reason = serializers.CharField(max_length=200, default="", allow_blank=True)


class AbsenceAnswerOut(serializers.Serializer[Any]):
    """One answer with what follows from it, or why it does not exist here."""

    scope = serializers.ChoiceField(choices=[scope.value for scope in AbsenceScope])
    title = serializers.CharField()
    consequences = serializers.ListField(child=serializers.CharField(), source="sentences")
    not_offered = serializers.CharField(allow_blank=True, help_text="Empty if it can be chosen.")
    lost = serializers.ListField(
        child=serializers.IntegerField(), help_text="Numbers of the forfeited pairings."
    )


class QuestionOut(serializers.Serializer[AbsenceQuestion]):
    """The three answers about an absent entrant."""

    entrant = serializers.CharField(source="entrant.ref")
    opponent = serializers.CharField(source="opponent.ref")
    answers = AbsenceAnswerOut(many=True)
    seen = serializers.IntegerField()


class PairingAbsence(ApiView):
    access = {"GET": READ, "POST": RUN}

    def known_parameters(self) -> set[str]:
        """The entrant is a query parameter of GET and part of the body of POST."""
        return {"entrant"} if self.request.method in SAFE_METHODS else set()

    @extend_schema(parameters=[AbsentIn], responses=QuestionOut, summary="Preview what an absence leads to")
    def get(self, request: ApiRequest, pairing: str) -> Response:
        """For directors. 409 for a match that is not open."""
        found = directed_pairing(request.user, pairing)
        asked = AbsentIn(data=request.query_params)
        asked.is_valid(raise_exception=True)
        return self.one(QuestionOut, question(found, _side(found, asked.validated_data["entrant"])))

    @extend_schema(request=AbsenceIn, responses=PairingOut, summary="Record that a player is absent")
    def post(self, request: ApiRequest, pairing: str) -> Response:
        """Undo it in the event's log, or with `pairings/{ref}/reopen/`."""
        found = directed_pairing(request.user, pairing)
        data = self.valid(AbsenceIn)
        record_absence(
            pairing=found,
            entrant=_side(found, data["entrant"]),
            scope=AbsenceScope(data["scope"]),
            user=request.user,
            seen=data.get("seen"),
            reason=data["reason"],
        )
        return self.one(PairingOut, known_pairing(request.user, pairing)[0])


def _side(pairing: PairingRow, ref: str) -> EntrantRow:
    for side in sides(pairing):
        if side.ref == ref:
            return side
    message = _("There is no entrant %(ref)s here.") % {"ref": ref}
    raise ValidationError({"entrant": [ErrorDetail(message, "unknown_entrant")]})
