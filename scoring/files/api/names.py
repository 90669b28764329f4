"""API of names in match files, their claims and merges."""

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.response import Response

from clubs.access import SignedIn, club_permission, role_of
from clubs.http.base import Access, ApiRequest, ApiView, ClubApiRequest
from clubs.http.serializers import Strict
from clubs.models import Club, Merge, Player, Role, Scope
from clubs.people.services.merges import undo_merge
from clubs.people.services.names import player_of
from scoring.files.queries.names import people_of
from scoring.files.services.aliases import claim_name, confirm_claim, refuse_claim
from scoring.log.api import PlayerRefOut
from scoring.models import Alias

DIRECTOR = Access(club_permission(Role.DIRECTOR), Scope.DIRECT)


class NameOut(serializers.ModelSerializer[Alias]):
    """A name in files, its player, and the player who claims it."""

    player = PlayerRefOut()
    claimed_by = PlayerRefOut(allow_null=True)

    class Meta:
        model = Alias
        fields = ["ref", "name", "player", "claimed_by", "confirmed_at"]


class NameAssignment(Strict):
    """The player to assign; by default the one who claimed the name."""

    player = serializers.CharField(max_length=10, required=False, help_text="Ref of a player of the club.")


class Names(ApiView):
    access = {"GET": Access(club_permission(Role.DIRECTOR))}
    ordering = ("key", "pk")

    @extend_schema(responses=NameOut(many=True), summary="List the names in a club's files")
    def get(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002 - loaded by the permission
        return self.listed(_names(request.club), NameOut)


class AssignName(ApiView):
    access = {"POST": DIRECTOR}

    @extend_schema(request=NameAssignment, responses=NameOut, summary="Assign a name to a player")
    def post(self, request: ClubApiRequest, club: str, alias: str) -> Response:  # noqa: ARG002
        """Moves the guest's matches to the player; 409 if the two have played each other."""
        chosen, found = self.valid(NameAssignment).get("player"), _name(request.club, alias)
        player = people_of(request.club, found).filter(ref=chosen).first() if chosen else None
        if chosen and player is None:
            message = _("There is no player %(ref)s in the club.") % {"ref": chosen}
            raise ValidationError({"player": [ErrorDetail(message, "unknown_player")]})
        settled = confirm_claim(alias=found, player=player, by=request.user)
        return self.one(NameOut, _name(request.club, settled.ref))


class RefuseName(ApiView):
    access = {"POST": DIRECTOR}

    @extend_schema(request=None, responses=NameOut, summary="Reject a claim to a name")
    def post(self, request: ClubApiRequest, club: str, alias: str) -> Response:  # noqa: ARG002
        refuse_claim(alias=_name(request.club, alias))
        return self.one(NameOut, _name(request.club, alias))


class ClaimName(ApiView):
    access = {"POST": Access(SignedIn, Scope.RECORD)}

    @extend_schema(request=None, responses=NameOut, summary="Claim a name")
    def post(self, request: ApiRequest, alias: str) -> Response:
        """For players of the name's club; a director decides."""
        found = Alias.objects.select_related("club").filter(ref=alias).first()
        if found is None or role_of(request.user, found.club) is None:
            raise _no_name(alias)
        claim_name(alias=found, player=player_of(user=request.user))
        return self.one(NameOut, _name(found.club, alias))


class MergeOut(serializers.ModelSerializer[Merge]):
    """A guest merged into a player; `name` is the guest's."""

    into = PlayerRefOut()
    guest = serializers.CharField(source="guest.ref", help_text="The guest's ref.")
    until = serializers.DateTimeField(help_text="When the merge can no longer be undone.")

    class Meta:
        model = Merge
        fields = ["ref", "guest", "name", "into", "at", "until"]


class Merges(ApiView):
    access = {"GET": Access(club_permission(Role.DIRECTOR))}
    ordering = ("-at", "-pk")

    @extend_schema(responses=MergeOut(many=True), summary="List merges that can be undone, newest first")
    def get(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002 - loaded by the permission
        merges = Merge.objects.in_club(request.club).open().select_related("guest", "into__person")
        return self.listed(merges, MergeOut)


class UndoMerge(ApiView):
    access = {"POST": DIRECTOR}

    @extend_schema(request=None, responses=PlayerRefOut, summary="Undo a merge")
    def post(self, request: ClubApiRequest, club: str, merge: str) -> Response:  # noqa: ARG002
        """Makes the guest a separate player again.

        409 if the merge can no longer be undone.
        """
        found = Merge.objects.in_club(request.club).filter(ref=merge).first()
        if found is None:
            raise Http404(_("There is no merge %(ref)s.") % {"ref": merge})
        guest = undo_merge(merge=found)
        return self.one(PlayerRefOut, Player.objects.with_person().get(pk=guest.pk))


def _names(club: Club) -> Any:
    return Alias.objects.in_club(club).select_related("player__person", "claimed_by__person")


def _name(club: Club, ref: str) -> Alias:
    found: Alias | None = _names(club).filter(ref=ref).first()
    if found is None:
        raise _no_name(ref)
    return found


def _no_name(ref: str) -> Http404:
    return Http404(_("No name has the ref %(ref)s.") % {"ref": ref})
