"""Invitations by e-mail, sent and withdrawn by owners."""

from typing import Any

from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from clubs.access import club_permission
from clubs.api.base import Access, ApiView, ClubApiRequest
from clubs.api.serializers import RoleField, Strict
from clubs.models import Invitation, Role, Scope
from clubs.services.clubs import invite, withdraw_invitation

OWNER = Access(club_permission(Role.OWNER), Scope.OWN)


class InvitationOut(serializers.ModelSerializer[Invitation]):
    """An open invitation; its link is in the mail alone."""

    role = RoleField()

    class Meta:
        model = Invitation
        fields = ["ref", "email", "role", "created_at", "expires_at"]


class NewInvitation(Strict):
    """Whom to invite, and to which role."""

    email = serializers.EmailField(max_length=254)
    role = RoleField(default=Role.MEMBER)


class Invitations(ApiView):
    access = {"GET": OWNER, "POST": OWNER}
    ordering = ("-created_at", "pk")

    @extend_schema(responses=InvitationOut(many=True), summary="A club's open invitations, the newest first")
    def get(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002 - loaded by the permission
        return self.listed(Invitation.objects.open().filter(club=request.club), InvitationOut)

    @extend_schema(request=NewInvitation, responses={201: InvitationOut}, summary="Invite by e-mail")
    def post(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002
        """Replaces an earlier invitation to the address. 409 for somebody who is in the club already."""

        def link(token: str) -> str:
            address: str = request.build_absolute_uri(reverse("clubs:join", args=[token]))
            return address

        invitation = invite(
            club=request.club, invited_by=request.user, link=link, **self.valid(NewInvitation)
        )
        names: dict[str, Any] = {"club": request.club.slug, "invitation": invitation.ref}
        return self.created(InvitationOut, invitation, "api:invitation", **names)


class OneInvitation(ApiView):
    access = {"GET": OWNER, "DELETE": OWNER}

    @extend_schema(responses=InvitationOut, summary="An open invitation")
    def get(self, request: ClubApiRequest, club: str, invitation: str) -> Response:  # noqa: ARG002
        found = Invitation.objects.open().filter(club=request.club, ref=invitation).first()
        if found is None:
            raise _none()
        return self.one(InvitationOut, found)

    @extend_schema(responses={204: None}, summary="Withdraw an invitation")
    def delete(self, request: ClubApiRequest, club: str, invitation: str) -> Response:  # noqa: ARG002
        try:
            withdraw_invitation(club=request.club, ref=invitation)
        except Invitation.DoesNotExist as error:
            raise _none() from error
        return Response(status=204)


def _none() -> Http404:
    return Http404(_("There is no such invitation: it was used or withdrawn, or has expired."))
