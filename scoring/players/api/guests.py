"""API of players without an account and their claim codes."""

from typing import Any

from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from clubs.access import club_permission
from clubs.clubs.services.clubs import make_claim_code, take_in
from clubs.clubs.services.erasures import erase_unclaimed
from clubs.http.base import Access, ApiView, ClubApiRequest
from clubs.models import Club, Player, Role, Scope
from scoring.players.queries.guests import guests_of

DIRECTOR = Access(club_permission(Role.DIRECTOR), Scope.DIRECT)


class GuestOut(serializers.Serializer[Player]):
    """A player without an account."""

    ref = serializers.CharField()
    name = serializers.CharField()
    unclaimed = serializers.SerializerMethodField(
        help_text="Whether the player is known only from files, matches or chouettes and is not in the club."
    )

    def get_unclaimed(self, player: Any) -> bool:
        return not player.in_club


class ClaimCodeOut(serializers.Serializer[Any]):
    """A new claim code, shown only once; the account that accepts it becomes the guest."""

    code = serializers.CharField()
    link = serializers.URLField()
    expires_at = serializers.DateTimeField()


class Guests(ApiView):
    access = {"GET": Access(club_permission(Role.DIRECTOR))}
    ordering = ("by_name", "pk")

    @extend_schema(responses=GuestOut(many=True), summary="List a club's players without an account")
    def get(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002 - loaded by the permission
        return self.listed(guests_of(request.club), GuestOut)


class ClaimCode(ApiView):
    access = {"POST": DIRECTOR}

    @extend_schema(request=None, responses={201: ClaimCodeOut}, summary="Create a claim code for a guest")
    def post(self, request: ClubApiRequest, club: str, player: str) -> Response:  # noqa: ARG002
        """The code replaces an earlier one. Accept it with `POST /me/clubs/` or its link."""
        invitation, code = make_claim_code(
            club=request.club, guest=guest_named(request.club, player), made_by=request.user
        )
        link = request.build_absolute_uri(reverse("clubs:join", args=[code]))
        body = {"code": code, "link": link, "expires_at": invitation.expires_at}
        return Response(ClaimCodeOut(body).data, status=201)


class AddGuest(ApiView):
    access = {"POST": DIRECTOR}

    @extend_schema(request=None, responses=GuestOut, summary="Add an unclaimed player to the club as a guest")
    def post(self, request: ClubApiRequest, club: str, player: str) -> Response:  # noqa: ARG002
        """409 if the name looks like that of a player in the club."""
        take_in(club=request.club, player=guest_named(request.club, player))
        return self.one(GuestOut, guest_named(request.club, player))


class EraseGuest(ApiView):
    access = {"POST": Access(club_permission(Role.OWNER), Scope.OWN)}

    @extend_schema(request=None, responses={204: None}, summary="Delete an unclaimed player")
    def post(self, request: ClubApiRequest, club: str, player: str) -> Response:  # noqa: ARG002
        """Deletes the name, keeps the matches; cannot be undone. 409 for a club's member."""
        erase_unclaimed(club=request.club, player=guest_named(request.club, player))
        return Response(status=204)


def guest_named(club: Club, ref: str) -> Player:
    """The club's guest of a ref. Raises Http404."""
    found = guests_of(club).filter(ref=ref).first()
    if found is None:
        raise Http404(_("There is no guest %(ref)s in the club.") % {"ref": ref})
    return found
