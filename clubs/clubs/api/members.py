"""API of a club's members and guests."""

from typing import Any

from django.db.models import QuerySet, Value
from django.db.models.functions import Coalesce
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _
from django_filters import CharFilter, ChoiceFilter, FilterSet
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated, PermissionDenied
from rest_framework.response import Response

from clubs.access import club_permission, sees_lists
from clubs.clubs.services.clubs import add_player, change_role, end_membership, give_title
from clubs.clubs.services.erasures import erase_guest
from clubs.http.base import Access, ApiView, ClubApiRequest
from clubs.http.serializers import RoleField, Strict
from clubs.models import Club, Membership, Player, Role, Scope, Title
from clubs.models.person import NAME_LENGTH
from clubs.people.api import PlayerOut
from clubs.people.search import named


class MemberOut(serializers.ModelSerializer[Membership]):
    """A membership in a club."""

    player = PlayerOut()
    role = RoleField()
    title = serializers.SerializerMethodField(help_text="A code such as G3; null for no title.")
    title_by = serializers.SerializerMethodField(help_text="Ref of the player who set the title.")
    url = serializers.SerializerMethodField()

    class Meta:
        model = Membership
        fields = ["player", "role", "joined_at", "title", "title_by", "title_at", "url"]

    def get_title(self, membership: Membership) -> str | None:
        return None if membership.title is None else Title(membership.title).name

    def get_title_by(self, membership: Membership) -> str | None:
        player = getattr(membership.title_by, "player", None)
        return None if player is None else str(player.ref)

    @extend_schema_field({"type": "string", "format": "uri"})
    def get_url(self, membership: Membership) -> str:
        request = self.context["request"]
        path = reverse("api:member", args=[request.club.slug, membership.player.ref])
        address: str = request.build_absolute_uri(path)
        return address


class NewMember(Strict):
    """A player without an account; players with one are invited."""

    name = serializers.CharField(max_length=NAME_LENGTH)
    role = RoleField(among=[Role.GUEST, Role.MEMBER], default=Role.GUEST)


class NewRole(Strict):
    """A new role."""

    role = RoleField()


class TitleIn(Strict):
    """A player's title; null for none."""

    title = serializers.ChoiceField(choices=[title.name for title in Title], allow_null=True)


class MemberFilter(FilterSet):  # type: ignore[misc]
    name = CharFilter(method="named", label="Part of the name, ignoring case and accents.")
    role = ChoiceFilter(method="with_role", choices=[(role.name.lower(), role.label) for role in Role])

    class Meta:
        model = Membership
        fields = ["name", "role"]

    def named(self, people: QuerySet[Membership], _name: str, value: str) -> QuerySet[Membership]:
        return people.filter(player__in=named(Player.objects.all(), value).values("pk"))

    def with_role(self, people: QuerySet[Membership], _name: str, value: str) -> QuerySet[Membership]:
        return people.filter(role=Role[value.upper()])


def enter_list(request: ClubApiRequest) -> None:
    """Refuse the member list to a viewer who cannot see it."""
    if not request.user.is_authenticated:
        raise NotAuthenticated
    raise PermissionDenied(_("Only members can see the member list. Ask an owner for an invitation."))


class Members(ApiView):
    access = {
        "GET": Access(club_permission()),
        "POST": Access(club_permission(Role.DIRECTOR), Scope.DIRECT),
    }
    ordering = ("-role", "by_name", "pk")
    filterset_class = MemberFilter

    @extend_schema(responses=MemberOut(many=True), summary="List a club's members, highest roles first")
    def get(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002 - loaded by the permission
        """Members only, unless `lists_open_to` of the club is `everyone`."""
        if not sees_lists(request.role, request.club):
            enter_list(request)
        return self.listed(people_of(request.club), MemberOut)

    @extend_schema(
        request=NewMember, responses={201: MemberOut}, summary="Add a guest or member without an account"
    )
    def post(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002
        membership = add_player(club=request.club, **self.valid(NewMember))
        return self.created(
            MemberOut, membership, "api:member", club=request.club.slug, player=membership.player.ref
        )


class Member(ApiView):
    access = {
        "GET": Access(club_permission(Role.GUEST)),
        "PATCH": Access(club_permission(Role.OWNER), Scope.OWN),
        "DELETE": Access(club_permission(Role.OWNER), Scope.OWN),
    }

    @extend_schema(responses=MemberOut, summary="Get a membership")
    def get(self, request: ClubApiRequest, club: str, player: str) -> Response:  # noqa: ARG002
        membership = people_of(request.club).filter(player__ref=player).first()
        if membership is None:
            raise no_member(player)
        return self.one(MemberOut, membership)

    @extend_schema(request=NewRole, responses=MemberOut, summary="Change a member's role")
    def patch(self, request: ClubApiRequest, club: str, player: str) -> Response:  # noqa: ARG002
        """409 for the only owner, and for a directing role without an account."""
        try:
            membership = change_role(club=request.club, player_ref=player, **self.valid(NewRole))
        except Membership.DoesNotExist as error:
            raise no_member(player) from error
        return self.one(MemberOut, membership)

    @extend_schema(responses={204: None}, summary="Remove a member")
    def delete(self, request: ClubApiRequest, club: str, player: str) -> Response:  # noqa: ARG002
        """The player's matches are kept. 409 for the only owner of a club."""
        try:
            end_membership(club=request.club, player_ref=player)
        except Membership.DoesNotExist as error:
            raise no_member(player) from error
        return Response(status=204)


class MemberTitle(ApiView):
    access = {"POST": Access(club_permission(Role.DIRECTOR), Scope.DIRECT)}

    @extend_schema(request=TitleIn, responses=MemberOut, summary="Record a player's title")
    def post(self, request: ClubApiRequest, club: str, player: str) -> Response:  # noqa: ARG002
        code = self.valid(TitleIn)["title"]
        title = None if code is None else Title[code]
        try:
            give_title(club=request.club, player_ref=player, title=title, user=request.user)
        except Membership.DoesNotExist as error:
            raise no_member(player) from error
        return self.one(MemberOut, people_of(request.club).get(player__ref=player))


class EraseMember(ApiView):
    access = {"POST": Access(club_permission(Role.OWNER), Scope.OWN)}

    @extend_schema(request=None, responses={204: None}, summary="Erase a guest")
    def post(self, request: ClubApiRequest, club: str, player: str) -> Response:  # noqa: ARG002
        """Erases the name; the matches are kept.

        This cannot be undone. 409 for a player with an account.
        """
        try:
            erase_guest(club=request.club, player_ref=player)
        except Membership.DoesNotExist as error:
            raise no_member(player) from error
        return Response(status=204)


def people_of(club: Club) -> QuerySet[Any]:
    """A club's memberships with players and ``by_name``, the key that sorts names."""
    people = Membership.objects.in_club(club).with_player()
    people = people.select_related("player__merged_into", "title_by__player")
    return people.annotate(by_name=Coalesce("player__person__sort_key", Value("")))


def no_member(ref: str) -> Http404:
    return Http404(_("There is no player %(ref)s in the club.") % {"ref": ref})
