"""A club's ratings, and every match's arithmetic behind them."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from clubs.access import club_permission
from clubs.http.base import Access, ApiView, ClubApiRequest
from scoring.log.api import PlayerRefOut, known_player
from scoring.models import Rating, RatingChange


class RatingOut(serializers.ModelSerializer[Rating]):
    """Where a player stands on the club's main list."""

    player = PlayerRefOut()
    provisional = serializers.SerializerMethodField(
        help_text="Whether the player has too few rated matches for a rank."
    )

    class Meta:
        model = Rating
        fields = ["player", "value", "experience", "matches", "last_played_at", "provisional"]

    def get_provisional(self, rating: Rating) -> bool:
        return rating.matches < rating.list.club.ranked_from


class ClubRatings(ApiView):
    access = {"GET": Access(club_permission())}
    ordering = ("-value", "pk")

    @extend_schema(responses=RatingOut(many=True), summary="List a club's ratings, best first")
    def get(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002 - loaded by the permission
        main = Rating.objects.filter(list__club=request.club, list__name="")
        return self.listed(main.select_related("player__person", "list__club"), RatingOut)


class RatingChangeOut(serializers.ModelSerializer[RatingChange]):
    """What one match did to a player's rating. ``probability`` is the player's own chance before it."""

    match = serializers.SlugRelatedField[Any](slug_field="ref", read_only=True)
    opponent = PlayerRefOut()

    class Meta:
        model = RatingChange
        fields = [
            *("number", "match", "played_at", "opponent", "won", "length", "weight", "probability", "k"),
            *("before", "after", "opponent_before", "experience_before", "experience_after"),
        ]


class PlayerRatings(ApiView):
    access = {"GET": Access(club_permission())}
    ordering = ("-played_at", "-match_ref")

    @extend_schema(
        responses=RatingChangeOut(many=True), summary="List a player's rated matches in a club, newest first"
    )
    def get(self, request: ClubApiRequest, club: str, player: str) -> Response:  # noqa: ARG002 - loaded by the permission
        """Those of a guest who turned out to be somebody are found under that player."""
        found = known_player(request.user, player)
        changes = RatingChange.objects.filter(
            list__club=request.club, list__name="", player=found.merged_into or found
        ).select_related("match", "opponent__person")
        return self.listed(changes, RatingChangeOut)
