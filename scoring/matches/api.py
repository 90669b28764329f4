"""Matches: who played, how it ended, and the sheet that it was recorded on."""

from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from django_filters import CharFilter, ChoiceFilter, FilterSet
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access import Public, club_permission
from clubs.http.base import Access, ApiView, ClubApiRequest
from clubs.models import Role, Scope
from scoring.analysis.queries.privacy import can_see_analysis
from scoring.files.queries.flag_words import flag_words
from scoring.log.api import PlayerRefOut, known_match
from scoring.log.queries.visible import seen_among
from scoring.matches.requests import NewMatch, match_arguments
from scoring.models import Colour, Match, MatchStatus, Result, SideRow, Source
from scoring.sheets.services.openings import open_match


class SideOut(serializers.Serializer[SideRow]):
    """One side: its players in order and its points, null before there is a result."""

    players = PlayerRefOut(many=True)
    points = serializers.IntegerField(allow_null=True, help_text="Capped at the match length.")


class MatchOut(serializers.ModelSerializer[Match]):
    """A match. White is the left column of a match record; ``length`` 0 is a money session."""

    club = serializers.SlugRelatedField[Any](slug_field="slug", read_only=True)
    white = serializers.SerializerMethodField()
    black = serializers.SerializerMethodField()
    winner = serializers.SerializerMethodField(help_text="`white`, `black` or null.")
    ended = serializers.SerializerMethodField(help_text="The outcome; null until the match ends.")
    final = serializers.SerializerMethodField(help_text="Whether the result needs no more confirmation.")
    final_at = serializers.SerializerMethodField()
    final_by = serializers.SerializerMethodField(
        help_text="How it became final: `confirmed` by the sides, by a `director` or after the `window`."
    )
    url = serializers.SerializerMethodField()
    page = serializers.SerializerMethodField()

    class Meta:
        model = Match
        fields = [
            *("ref", "club", "length", "played_at", "status", "white", "black"),
            *("winner", "ended", "final", "final_at", "final_by", "url", "page"),
        ]

    @extend_schema_field(SideOut)
    def get_white(self, match: Match) -> Any:
        return self._side(match, Colour.WHITE)

    @extend_schema_field(SideOut)
    def get_black(self, match: Match) -> Any:
        return self._side(match, Colour.BLACK)

    def get_winner(self, match: Match) -> str | None:
        result = _result(match)
        return (result.winner or None) if result else None

    def get_ended(self, match: Match) -> str | None:
        result = _result(match)
        return (result.ended or None) if result else None

    def get_final(self, match: Match) -> bool:
        result = _result(match)
        return result is not None and result.final_at is not None

    @extend_schema_field({"type": "string", "format": "date-time", "nullable": True})
    def get_final_at(self, match: Match) -> str | None:
        result = _result(match)
        return result.final_at.isoformat() if result and result.final_at else None

    def get_final_by(self, match: Match) -> str | None:
        result = _result(match)
        return (result.final_by or None) if result else None

    @extend_schema_field({"type": "string", "format": "uri"})
    def get_url(self, match: Match) -> str:
        address: str = self.context["request"].build_absolute_uri(reverse("api:match", args=[match.ref]))
        return address

    @extend_schema_field({"type": "string", "format": "uri"})
    def get_page(self, match: Match) -> str:
        address: str = self.context["request"].build_absolute_uri(match.get_absolute_url())
        return address

    def _side(self, match: Match, colour: str) -> dict[str, Any]:
        result = _result(match)
        players = [{"ref": player.ref, "name": player.name} for player in match.side(colour).players]
        return {"players": players, "points": getattr(result, f"{colour}_points") if result else None}


class FlagOut(serializers.Serializer[Any]):
    """What was noticed or guessed when a file was read: where, a code, a value, and both in a sentence."""

    line = serializers.IntegerField(help_text="From 1; in a binary file the number of the entry.")
    game = serializers.IntegerField(default=0, help_text="0 if it concerns the whole file.")
    turn = serializers.IntegerField(default=0, help_text="The row number in the file; 0 without one.")
    code = serializers.CharField()
    detail = serializers.CharField()
    text = serializers.SerializerMethodField(help_text="In the language of the request.")

    def get_text(self, flag: dict[str, Any]) -> str:
        return flag_words(flag)


class CommentOut(serializers.Serializer[Any]):
    """A comment in a file: on the match (game 0), on a game, or on an entry of the sheet."""

    game = serializers.IntegerField()
    event_seq = serializers.IntegerField(allow_null=True)
    text = serializers.CharField()


class SourceOut(serializers.ModelSerializer[Source]):
    """A file that the match was read from."""

    flags = FlagOut(many=True)
    facts = serializers.SerializerMethodField(
        help_text="Facts in the file: `Event`, `Site`, `Round`, `Annotator`."
    )
    comments = CommentOut(many=True, help_text="Empty where the players keep the analysis to themselves.")

    class Meta:
        model = Source
        fields = ["filename", "format", "sha256", "at", "flags", "facts", "comments"]

    @extend_schema_field({"type": "object", "additionalProperties": {"type": "string"}})
    def get_facts(self, source: Source) -> dict[str, str]:
        return dict(source.facts)


class MatchDetailOut(MatchOut):
    """A match with the files that it was read from."""

    sources = serializers.SerializerMethodField()

    class Meta(MatchOut.Meta):
        fields = [*MatchOut.Meta.fields, "sources"]

    @extend_schema_field(SourceOut(many=True))
    def get_sources(self, match: Match) -> Any:
        sources = list(Source.objects.filter(match=match).defer("content").order_by("at"))
        if not can_see_analysis(self.context["request"].user, match):
            for source in sources:
                source.comments = []
        return SourceOut(sources, many=True).data


class MatchFilter(FilterSet):  # type: ignore[misc]
    player = CharFilter(method="of_player", label="The ref of a player in the match.")
    status = ChoiceFilter(choices=MatchStatus.choices)

    class Meta:
        model = Match
        fields = ["player", "status"]

    def of_player(self, matches: QuerySet[Match], _name: str, ref: str) -> QuerySet[Match]:
        return matches.filter(seats__player__ref=ref)


class ClubMatches(ApiView):
    access = {
        "GET": Access(club_permission()),
        "POST": Access(club_permission(Role.MEMBER), Scope.RECORD),
    }
    ordering = ("-played_at", "-ref")
    filterset_class = MatchFilter

    @extend_schema(responses=MatchOut(many=True), summary="List a club's matches, newest first")
    def get(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002 - loaded by the permission
        shown = seen_among(Match.objects.in_club(request.club), request.user)
        return self.listed(shown.with_players(), MatchOut)

    @extend_schema(request=NewMatch, responses={201: MatchOut}, summary="Create a match with its scoresheet")
    def post(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002
        match = open_match(club=request.club, user=request.user, **match_arguments(self, request.club))
        loaded = Match.objects.with_players().get(pk=match.pk)
        return self.created(MatchOut, loaded, "api:match", match=match.ref)


class OneMatch(ApiView):
    access = {"GET": Access(Public)}

    @extend_schema(responses=MatchDetailOut, summary="A match")
    def get(self, request: Request, match: str) -> Response:
        """With the files that it was read from, and what was guessed when they were."""
        return self.one(MatchDetailOut, known_match(request.user, match)[0])


def _result(match: Match) -> Result | None:
    """Load with ``with_players()``: this must not query."""
    return getattr(match, "result", None)
