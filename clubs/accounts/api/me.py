"""API of the signed-in user."""

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.response import Response

from clubs.access import SignedIn, club_permission
from clubs.accounts.queries import personal_data
from clubs.clubs.api.clubs import ClubOut, seen_as
from clubs.clubs.services.clubs import accept_invitation, end_membership
from clubs.http.base import Access, ApiRequest, ApiView, ClubApiRequest
from clubs.http.serializers import RoleField, Strict
from clubs.models import Invitation, Membership, Player, Role, Scope, User
from clubs.models.person import NAME_LENGTH
from clubs.people.services.names import player_of, rename_person


class MeOut(serializers.Serializer[Any]):
    """Your account. ``player`` and ``name`` are null until you have a player."""

    email = serializers.EmailField()
    site_administrator = serializers.BooleanField()
    player = serializers.CharField(allow_null=True, help_text="The ref of your player.")
    name = serializers.CharField(allow_null=True, help_text="As shown on scoresheets and in results.")


class NewName(Strict):
    """The name that others see."""

    name = serializers.CharField(max_length=NAME_LENGTH)


class Me(ApiView):
    access = {"GET": Access(SignedIn), "PATCH": Access(SignedIn, Scope.OWN)}

    @extend_schema(responses=MeOut, summary="Get your account")
    def get(self, request: ApiRequest) -> Response:
        return self.one(MeOut, _oneself(request.user))

    @extend_schema(request=NewName, responses=MeOut, summary="Change your name")
    def patch(self, request: ApiRequest) -> Response:
        if body := self.valid(NewName, partial=True):
            rename_person(user=request.user, **body)
        return self.one(MeOut, _oneself(request.user))


class MyData(ApiView):
    access = {"GET": Access(SignedIn)}

    @extend_schema(responses=OpenApiTypes.OBJECT, summary="Download your data")
    def get(self, request: ApiRequest) -> Response:
        return Response(personal_data(request.user))


class MyClubOut(serializers.ModelSerializer[Membership]):
    """Your membership in a club."""

    club = serializers.SerializerMethodField()
    role = RoleField()

    class Meta:
        model = Membership
        fields = ["club", "role", "joined_at"]

    @extend_schema_field(ClubOut)
    def get_club(self, membership: Membership) -> Any:
        return ClubOut(seen_as(Role(membership.role), membership.club), context=self.context).data


class Joining(Strict):
    """The code at the end of an invitation link."""

    invitation = serializers.CharField(
        max_length=200, help_text="The code at the end of the invitation link."
    )


class MyClubs(ApiView):
    access = {"GET": Access(SignedIn), "POST": Access(SignedIn, Scope.RECORD)}
    ordering = ("club__name", "pk")

    @extend_schema(responses=MyClubOut(many=True), summary="List your clubs and roles")
    def get(self, request: ApiRequest) -> Response:
        mine = Membership.objects.filter(player__user=request.user).select_related("club")
        return self.listed(mine, MyClubOut)

    @extend_schema(request=Joining, responses={201: MyClubOut}, summary="Accept an invitation to a club")
    def post(self, request: ApiRequest) -> Response:
        """If you already have a higher role, you keep it."""
        body = self.valid(Joining)
        try:
            membership = accept_invitation(token=body["invitation"], user=request.user)
        except Invitation.DoesNotExist as error:
            message = _("This invitation is no longer valid: it was used or withdrawn, or it has expired.")
            raise ValidationError({"invitation": [ErrorDetail(message, "no_invitation")]}) from error
        return self.created(MyClubOut, membership, "api:my_club", club=membership.club.slug)


class MyClub(ApiView):
    access = {
        "GET": Access(club_permission(Role.GUEST)),
        "DELETE": Access(club_permission(Role.GUEST), Scope.RECORD),
    }

    @extend_schema(responses=MyClubOut, summary="Get your membership in a club")
    def get(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002 - loaded by the permission
        people = Membership.objects.in_club(request.club).select_related("club")
        membership = people.filter(player__user=request.user).first()
        if membership is None:  # site administrators have all rights without a membership
            raise _not_a_member(request)
        return self.one(MyClubOut, membership)

    @extend_schema(responses={204: None}, summary="Leave a club")
    def delete(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002
        """Your matches are kept. 409 for the only owner of a club."""
        try:
            end_membership(club=request.club, player_ref=player_of(user=request.user).ref)
        except Membership.DoesNotExist as error:
            raise _not_a_member(request) from error
        return Response(status=204)


def _not_a_member(request: ClubApiRequest) -> Http404:
    return Http404(_("You are not in %(club)s.") % {"club": request.club.name})


def _oneself(user: User) -> dict[str, Any]:
    player = Player.objects.with_person().filter(user=user).first()
    return {
        "email": user.email,
        "site_administrator": user.is_superuser,
        "player": player and player.ref,
        "name": player and player.name,
    }
