"""API of invitations by email, sent and withdrawn by owners."""

from typing import Any

from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.response import Response

from clubs.access import club_permission
from clubs.clubs.services.clubs import invite, withdraw_invitation
from clubs.http.base import Access, ApiView, ClubApiRequest
from clubs.http.serializers import RoleField, Strict
from clubs.models import Club, Invitation, Player, Role, Scope
from clubs.models.invitation import InvitationQuerySet

OWNER = Access(club_permission(Role.OWNER), Scope.OWN)


class InvitationOut(serializers.ModelSerializer[Invitation]):
    """An open invitation, without its link. Without an email it is a claim code."""

    role = RoleField()
    guest = serializers.SlugRelatedField[Any](
        slug_field="ref",
        read_only=True,
        allow_null=True,
        help_text="The guest whose matches the new member receives.",
    )

    class Meta:
        model = Invitation
        fields = ["ref", "email", "role", "guest", "created_at", "expires_at"]


class NewInvitation(Strict):
    """The address to invite, and the role."""

    email = serializers.EmailField(max_length=254)
    role = RoleField(default=Role.MEMBER)
    guest = serializers.CharField(
        max_length=10, required=False, help_text="Ref of the guest whose matches the new member receives."
    )


class Invitations(ApiView):
    access = {"GET": OWNER, "POST": OWNER}
    ordering = ("-created_at", "pk")

    @extend_schema(responses=InvitationOut(many=True), summary="List a club's open invitations, newest first")
    def get(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002 - loaded by the permission
        return self.listed(_open(request.club), InvitationOut)

    @extend_schema(request=NewInvitation, responses={201: InvitationOut}, summary="Invite by email")
    def post(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002
        """Replaces an earlier invitation. 409 if the address is already in the club."""

        def link(token: str) -> str:
            address: str = request.build_absolute_uri(reverse("clubs:join", args=[token]))
            return address

        body = self.valid(NewInvitation)
        guest = _guest(request.club, body.pop("guest", None))
        invitation = invite(club=request.club, invited_by=request.user, link=link, guest=guest, **body)
        names: dict[str, Any] = {"club": request.club.slug, "invitation": invitation.ref}
        return self.created(InvitationOut, invitation, "api:invitation", **names)


class OneInvitation(ApiView):
    access = {"GET": OWNER, "DELETE": OWNER}

    @extend_schema(responses=InvitationOut, summary="Get an open invitation")
    def get(self, request: ClubApiRequest, club: str, invitation: str) -> Response:  # noqa: ARG002
        found = _open(request.club).filter(ref=invitation).first()
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


def _open(club: Club) -> InvitationQuerySet:
    return Invitation.objects.open().filter(club=club).select_related("guest")


def _guest(club: Club, ref: str | None) -> Player | None:
    if ref is None:
        return None
    found = Player.objects.with_person().filter(ref=ref, memberships__club=club, user=None).first()
    if found is None:
        message = _("There is no guest %(ref)s in the club.") % {"ref": ref}
        raise ValidationError({"guest": [ErrorDetail(message, "unknown_player")]})
    return found


def _none() -> Http404:
    return Http404(_("This invitation is no longer valid: it was used or withdrawn, or it has expired."))
