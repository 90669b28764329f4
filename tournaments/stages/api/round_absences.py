"""API of absences from the next round."""

from typing import Any

from django.core.exceptions import PermissionDenied
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
from tournaments.events.access import is_director, known_stage
from tournaments.log.refusals import DeskRefused
from tournaments.models import EntrantRow, StageRow
from tournaments.stages.queries.round_absences import has_absences, own_entrants_of, round_absences
from tournaments.stages.services.round_absences import join_round, miss_round
from tournaments.stages.services.stages import load


class RoundAbsenceIn(Strict):
    """An entrant (you by default), and whether they are absent from the next round, which can be named."""

    entrant = serializers.CharField(max_length=10, required=False)
    absent = serializers.BooleanField(default=True, help_text="False undoes an absence.")
    round = serializers.IntegerField(
        min_value=1,
        max_value=100_000,
        required=False,
        help_text="The round that is meant: 409 if it is not the next one.",
    )


class RoundAbsencesOut(serializers.Serializer[Any]):
    """The next round, and who is absent from it."""

    round = serializers.IntegerField()
    absent = serializers.ListField(child=serializers.CharField(), help_text="Refs of entrants.")


class StageAbsences(ApiView):
    access = {"GET": Access(SignedIn), "POST": Access(SignedIn, Scope.RECORD)}
    refused = ("GET",)

    @extend_schema(responses=RoundAbsencesOut, summary="Get who is absent from the next round")
    def get(self, request: Request, stage: str) -> Response:
        """409 for a format without absences, and before the draw."""
        found, _role = known_stage(request.user, stage)
        return self._told(found)

    @extend_schema(
        request=RoundAbsenceIn, responses=RoundAbsencesOut, summary="Report an absence from the next round"
    )
    def post(self, request: ApiRequest, stage: str) -> Response:
        """For players of the draw; directors name the entrant. It counts for one round."""
        found, role = known_stage(request.user, stage)
        own = own_entrants_of(found, request.user)
        if not own and not is_director(role):
            raise PermissionDenied(_("Only players of this draw and directors can report absences."))
        data = self.valid(RoundAbsenceIn)
        drawn = EntrantRow.objects.filter(numbers__stage=found).with_players()
        named = drawn.filter(ref=data["entrant"]) if "entrant" in data else drawn.filter(pk__in=own)
        entrant = named.first()
        if entrant is None:
            message = _("There is no entrant %(ref)s here.") % {"ref": data.get("entrant", "")}
            if "entrant" not in data:
                message = _("Name the entrant: you are not in this draw.")
            raise ValidationError({"entrant": [ErrorDetail(message, "unknown_entrant")]})
        if entrant.pk not in own and not is_director(role):
            raise PermissionDenied(_("Only directors can report the absence of another player."))
        change = miss_round if data["absent"] else join_round
        change(stage=found, entrant=entrant, user=request.user, number=data.get("round"))
        return self._told(known_stage(request.user, stage)[0])

    def _told(self, stage: StageRow) -> Response:
        if not has_absences(stage) or stage.drawn_at is None:
            raise DeskRefused(_("%(stage)s has no absences.") % {"stage": stage.name}, code="no_absences")
        value = load(stage)
        absent = [row.entrant.ref for row in round_absences(stage, value) if row.absent]
        return self.one(RoundAbsencesOut, {"round": value.rounds + 1, "absent": absent})
