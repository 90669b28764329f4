"""API of house rules for chouettes."""

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
from scoring.models import HouseRules
from scoring.profiles.queries.house_words import house_in_words
from scoring.profiles.queries.houses import House, houses_of
from scoring.profiles.services.houses import LONGEST_NAME, LONGEST_TITLE, keep_house, retire_house
from scoring.rules.codec import to_plain


class HouseOut(serializers.Serializer[Any]):
    """House rules, also in sentences."""

    name = serializers.CharField()
    title = serializers.SerializerMethodField()
    values = serializers.SerializerMethodField()
    rules = serializers.SerializerMethodField()

    def get_title(self, house: House) -> str:
        return house_in_words(house.name, house.title, house.options).title

    @extend_schema_field(OBJECT)
    def get_values(self, house: House) -> Any:
        return to_plain(house.options, full=True)

    @extend_schema_field({"type": "array", "items": {"type": "string"}})
    def get_rules(self, house: House) -> list[str]:
        return house_in_words(house.name, house.title, house.options).rules


class HousesOut(serializers.Serializer[Any]):
    """All house rules of a club, on one page."""

    items = HouseOut(many=True)
    next = serializers.URLField(allow_null=True)


class NewHouse(Strict):
    """House rules to save; `values` as in `HouseOut`."""

    name = serializers.SlugField(max_length=LONGEST_NAME)
    title = serializers.CharField(max_length=LONGEST_TITLE)
    values = serializers.DictField()


class ClubHouses(ApiView):
    access = {
        "GET": Access(club_permission()),
        "POST": Access(club_permission(Role.DIRECTOR), Scope.DIRECT),
    }

    @extend_schema(responses=HousesOut, summary="List a club's house rules")
    def get(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002
        return self.one(HousesOut, {"items": houses_of(request.club), "next": None})

    @extend_schema(request=NewHouse, responses=HouseOut, summary="Save a club's house rules")
    def post(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002
        return self.one(HouseOut, keep_house(club=request.club, **self.valid(NewHouse)))


class OneClubHouse(ApiView):
    access = {
        "GET": Access(club_permission()),
        "DELETE": Access(club_permission(Role.DIRECTOR), Scope.DIRECT),
    }

    @extend_schema(responses=HouseOut, summary="Get house rules")
    def get(self, request: ClubApiRequest, club: str, house: str) -> Response:  # noqa: ARG002
        found = next((each for each in houses_of(request.club) if each.name == house), None)
        if found is None:
            raise Http404(_("There are no house rules %(name)s.") % {"name": house})
        return self.one(HouseOut, found)

    @extend_schema(request=None, responses={204: None}, summary="Retire a club's house rules")
    def delete(self, request: ClubApiRequest, club: str, house: str) -> Response:  # noqa: ARG002
        """New tables can no longer use them; open tables keep them.

        Saving them again restores them.
        """
        row = get_object_or_404(HouseRules.objects.in_club(request.club), name=house)
        retire_house(club=request.club, name=row.name)
        return Response(status=204)
