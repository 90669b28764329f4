"""API of helpers for their owners and for directors. Tokens are created on the website only."""

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from clubs.access import SignedIn, club_permission
from clubs.http.base import Access, ApiRequest, ApiView, ClubApiRequest
from clubs.http.serializers import Strict
from clubs.models import Role, Scope
from scoring.helping.queries.helpers import club_helpers, own_helpers
from scoring.helping.services.helpers import allow_helper, end_helper, pause_helper
from scoring.models import Helper, HelperStatus


class HelperOut(serializers.ModelSerializer[Helper]):
    """A member's computer that analyses matches. ``reason`` says why it is paused."""

    club = serializers.SlugRelatedField[Any](slug_field="slug", read_only=True)
    matches_done = serializers.IntegerField(help_text="Matches of which answers were accepted.")

    class Meta:
        model = Helper
        fields = ["ref", "name", "club", "prefix", "status", "reason", "asked_at", "seen_at", "matches_done"]


class ClubHelperOut(HelperOut):
    """The same with its owner."""

    owner = serializers.SerializerMethodField(help_text="The member's name.")

    class Meta(HelperOut.Meta):
        fields = [*HelperOut.Meta.fields, "owner"]

    def get_owner(self, helper: Helper) -> str:
        return helper.user.player.name


class HelperDecision(Strict):
    """A director's decision."""

    status = serializers.ChoiceField([HelperStatus.ALLOWED.value, HelperStatus.PAUSED.value])
    reason = serializers.CharField(required=False, max_length=200, help_text="For its owner, when paused.")


class MyHelpers(ApiView):
    access = {"GET": Access(SignedIn)}
    ordering = ("-asked_at", "pk")

    @extend_schema(responses=HelperOut(many=True), summary="List your analysis helpers, newest first")
    def get(self, request: ApiRequest) -> Response:
        return self.listed(own_helpers(request.user), HelperOut)


class MyHelper(ApiView):
    access = {"DELETE": Access(SignedIn, Scope.OWN)}

    @extend_schema(responses={204: None}, summary="End one of your analysis helpers")
    def delete(self, request: ApiRequest, helper: str) -> Response:
        """Its token no longer works, and others compute what it was computing."""
        try:
            end_helper(user=request.user, ref=helper)
        except Helper.DoesNotExist as error:
            raise Http404(_("You have no helper %(ref)s.") % {"ref": helper}) from error
        return Response(status=204)


class ClubHelpers(ApiView):
    access = {"GET": Access(club_permission(Role.DIRECTOR))}
    ordering = ("-asked_at", "pk")

    @extend_schema(responses=ClubHelperOut(many=True), summary="List a club's analysis helpers, newest first")
    def get(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002
        return self.listed(club_helpers(request.club), ClubHelperOut)


class ClubHelper(ApiView):
    access = {"PATCH": Access(club_permission(Role.DIRECTOR), Scope.DIRECT)}

    @extend_schema(request=HelperDecision, responses=ClubHelperOut, summary="Allow or pause a helper")
    def patch(self, request: ClubApiRequest, club: str, helper: str) -> Response:  # noqa: ARG002
        body = self.valid(HelperDecision)
        decided: dict[str, Any] = {"club": request.club, "ref": helper, "by": request.user}
        try:
            if body["status"] == HelperStatus.ALLOWED:
                allow_helper(**decided)
            else:
                pause_helper(**decided, reason=body.get("reason", ""))
        except Helper.DoesNotExist as error:
            raise Http404(_("This club has no helper %(ref)s.") % {"ref": helper}) from error
        return self.one(ClubHelperOut, club_helpers(request.club).get(ref=helper))
