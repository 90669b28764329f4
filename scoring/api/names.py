"""Names in match files: claimed by members, settled by directors."""

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.response import Response

from clubs.access import SignedIn, club_permission, role_of
from clubs.api.base import Access, ApiRequest, ApiView, ClubApiRequest
from clubs.api.serializers import Strict
from clubs.models import Club, Player, Role, Scope
from clubs.services.people import player_of
from clubs.tasks import wake
from scoring.api.matches import PlayerRefOut
from scoring.models import Alias
from scoring.queries.names import people_of
from scoring.queries.ratings import queued_updates
from scoring.services.aliases import claim_name, confirm_claim, refuse_claim

DIRECTOR = Access(club_permission(Role.DIRECTOR), Scope.DIRECT)


class NameOut(serializers.ModelSerializer[Alias]):
    """A name as it stands in files, whom it means, and who says that it is theirs."""

    player = PlayerRefOut()
    claimed_by = PlayerRefOut(allow_null=True)

    class Meta:
        model = Alias
        fields = ["ref", "name", "player", "claimed_by", "confirmed_at"]


class Meaning(Strict):
    """Whom a name means; the one who claimed it when nobody is named."""

    player = serializers.CharField(max_length=10, required=False, help_text="The ref of one of the people.")


class Names(ApiView):
    access = {"GET": Access(club_permission(Role.DIRECTOR))}
    ordering = ("key", "pk")

    @extend_schema(responses=NameOut(many=True), summary="Every name in a club's files")
    def get(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002 - loaded by the permission
        return self.listed(_names(request.club), NameOut)


class AssignName(ApiView):
    access = {"POST": DIRECTOR}

    @extend_schema(request=Meaning, responses=NameOut, summary="Say whom a name means")
    def post(self, request: ClubApiRequest, club: str, alias: str) -> Response:  # noqa: ARG002
        """The guest's matches go to that player; 409 where both have met at one board."""
        chosen, found = self.valid(Meaning).get("player"), _name(request.club, alias)
        player = people_of(request.club).filter(ref=chosen).first() if chosen else None
        if chosen and player is None:
            message = _("There is no such person in the club.")
            raise ValidationError({"player": [ErrorDetail(message, "unknown_player")]})
        settled = confirm_claim(alias=found, player=player)
        _wake_ratings(settled)
        return self.one(NameOut, _name(request.club, settled.ref))


class RefuseName(ApiView):
    access = {"POST": DIRECTOR}

    @extend_schema(request=None, responses=NameOut, summary="Refuse the claim to a name")
    def post(self, request: ClubApiRequest, club: str, alias: str) -> Response:  # noqa: ARG002
        refuse_claim(alias=_name(request.club, alias))
        return self.one(NameOut, _name(request.club, alias))


class ClaimName(ApiView):
    access = {"POST": Access(SignedIn, Scope.RECORD)}

    @extend_schema(request=None, responses=NameOut, summary="Say that a name is you")
    def post(self, request: ApiRequest, alias: str) -> Response:
        """For people of the name's club; a director decides, unless the name is your own."""
        found = Alias.objects.select_related("club").filter(ref=alias).first()
        if found is None or role_of(request.user, found.club) is None:
            raise _no_name()
        claimed = claim_name(alias=found, player=player_of(user=request.user))
        if claimed.confirmed_at is not None:
            _wake_ratings(claimed)
        return self.one(NameOut, _name(found.club, alias))


def _names(club: Club) -> Any:
    return Alias.objects.in_club(club).select_related("player__person", "claimed_by__person")


def _name(club: Club, ref: str) -> Alias:
    found: Alias | None = _names(club).filter(ref=ref).first()
    if found is None:
        raise _no_name()
    return found


def _no_name() -> Http404:
    return Http404(_("There is no such name."))


def _wake_ratings(alias: Alias) -> None:
    """A merge moved final matches to another player: the lists they rate on are replayed."""
    player: Player = alias.player
    for update in queued_updates(player):
        wake(update)
