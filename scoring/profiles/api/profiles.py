"""API of a club's rules profiles."""

from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.response import Response

from clubs.access import club_permission
from clubs.http.base import Access, ApiView, ClubApiRequest
from clubs.http.serializers import OBJECT, Strict
from clubs.models import Role, Scope
from scoring.models import ClubProfile
from scoring.profiles.queries.profile_words import sentences
from scoring.profiles.queries.profiles import profiles_of
from scoring.profiles.services.profiles import keep_profile, retire_profile
from scoring.rules.profiles import profile_to_plain


class ProfileOut(serializers.Serializer[Any]):
    """A rules profile, also in sentences."""

    name = serializers.CharField()
    title = serializers.CharField()
    values = serializers.SerializerMethodField()
    rules = serializers.SerializerMethodField()

    @extend_schema_field(OBJECT)
    def get_values(self, profile: Any) -> dict[str, Any]:
        return profile_to_plain(profile)

    def get_rules(self, profile: Any) -> list[str]:
        return sentences(profile)


class ProfilesOut(serializers.Serializer[Any]):
    """All rules profiles of a club, on one page."""

    items = ProfileOut(many=True)
    next = serializers.URLField(allow_null=True)


class NewProfile(Strict):
    """A rules profile to save; `values` as in `ProfileOut`."""

    values = serializers.DictField()


class ClubProfiles(ApiView):
    access = {
        "GET": Access(club_permission()),
        "POST": Access(club_permission(Role.DIRECTOR), Scope.DIRECT),
    }

    @extend_schema(responses=ProfilesOut, summary="List a club's rules profiles")
    def get(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002 - loaded by the permission
        return self.one(ProfilesOut, {"items": profiles_of(request.club), "next": None})

    @extend_schema(request=NewProfile, responses=ProfileOut, summary="Save a club's rules profile")
    def post(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002
        profile = keep_profile(club=request.club, values=self.valid(NewProfile)["values"])
        return self.one(ProfileOut, profile)


class OneClubProfile(ApiView):
    access = {
        "GET": Access(club_permission()),
        "DELETE": Access(club_permission(Role.DIRECTOR), Scope.DIRECT),
    }

    @extend_schema(responses=ProfileOut, summary="Get a rules profile")
    def get(self, request: ClubApiRequest, club: str, profile: str) -> Response:  # noqa: ARG002
        found = next((each for each in profiles_of(request.club) if each.name == profile), None)
        if found is None:
            raise Http404(_("There are no rules %(name)s.") % {"name": profile})
        return self.one(ProfileOut, found)

    @extend_schema(request=None, responses={204: None}, summary="Retire a club's rules profile")
    def delete(self, request: ClubApiRequest, club: str, profile: str) -> Response:  # noqa: ARG002
        """New matches can no longer use it; matches in progress keep it.

        Saving it again restores it.
        """
        row = get_object_or_404(ClubProfile.objects.in_club(request.club), name=profile)
        retire_profile(club=request.club, name=row.name)
        return Response(status=204)
