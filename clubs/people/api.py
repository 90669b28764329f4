"""API of players in the user's clubs; apps above decide about single players."""

from typing import Any

from django.db.models import Q, QuerySet, Value
from django.db.models.functions import Coalesce
from django.urls import reverse
from django_filters import CharFilter, FilterSet
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.response import Response

from clubs.access import SignedIn
from clubs.http.base import Access, ApiRequest, ApiView
from clubs.models import Membership, Player, User
from clubs.models.player import PlayerQuerySet
from clubs.people.search import named as with_name


class PlayerOut(serializers.ModelSerializer[Player]):
    """A player. An erased one keeps the ref, with a placeholder as name."""

    name = serializers.CharField(read_only=True)
    has_login = serializers.SerializerMethodField()
    erased = serializers.SerializerMethodField()
    merged_into: Any = serializers.SlugRelatedField(
        slug_field="ref",
        read_only=True,
        allow_null=True,
        help_text="The player this one was merged into.",
    )
    url = serializers.SerializerMethodField()

    class Meta:
        model = Player
        fields = ["ref", "name", "has_login", "erased", "merged_into", "url"]

    def get_has_login(self, player: Player) -> bool:
        return player.user_id is not None

    def get_erased(self, player: Player) -> bool:
        return player.erased_at is not None

    @extend_schema_field({"type": "string", "format": "uri"})
    def get_url(self, player: Player) -> str:
        address: str = self.context["request"].build_absolute_uri(reverse("api:player", args=[player.ref]))
        return address


class PlayerFilter(FilterSet):  # type: ignore[misc]
    name = CharFilter(method="named", label="Part of the name, ignoring case and accents.")
    club = CharFilter(method="of_club", label="Slug or ref of a club.")

    class Meta:
        model = Player
        fields = ["name", "club"]

    def named(self, players: PlayerQuerySet, _name: str, value: str) -> PlayerQuerySet:
        return with_name(players, value)

    def of_club(self, players: QuerySet[Player], _name: str, value: str) -> QuerySet[Player]:
        inside = Membership.objects.filter(Q(club__slug=value) | Q(club__ref=value))
        if not self.request.user.is_superuser:
            inside = inside.filter(club__memberships__player__user=self.request.user)
        return players.filter(pk__in=inside.values("player"))


class Players(ApiView):
    access = {"GET": Access(SignedIn)}
    ordering = ("by_name", "pk")
    filterset_class = PlayerFilter

    @extend_schema(responses=PlayerOut(many=True), summary="List the players of your clubs")
    def get(self, request: ApiRequest) -> Response:
        return self.listed(players_known_to(request.user).current(), PlayerOut)


def players_known_to(user: User) -> Any:
    """The user's own player and all players in the user's clubs.

    All players for a site administrator.
    """
    named = Player.objects.with_person().select_related("merged_into")
    players = named.annotate(by_name=Coalesce("person__sort_key", Value("")))
    if user.is_superuser:
        return players
    shared = Membership.objects.filter(club__memberships__player__user=user).values("player")
    return players.filter(Q(user=user) | Q(pk__in=shared))
