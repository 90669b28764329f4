"""API of a player's play: sums of the decisions of their analysed matches, of one label."""

from dataclasses import fields
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access import Public, club_permission
from clubs.http.base import Access, ApiView, ClubApiRequest
from clubs.http.problem_kinds import NOT_FOUND
from clubs.http.problems import refuse
from scoring.log.api import known_player
from scoring.log.queries.visible import clubs_seen_by, seen_among
from scoring.models import Match
from scoring.models.match import MatchQuerySet
from scoring.players.queries.group_play import group_play
from scoring.players.queries.play import TallyLine, play_in
from scoring.players.queries.play_rows import labels_among, newest_of_all, newest_of_player, seen_sums
from scoring.players.queries.players import clubs_where_known
from scoring.ratings.queries.ratings import ratings_of
from scoring.theory.mistakes import MistakeKind
from scoring.theory.phases import GamePhase
from scoring.theory.play_sums import DiceSums

LABEL = OpenApiParameter(
    "label", str, description="The label whose analyses count; by default that of most matches."
)


class TallyOut(serializers.Serializer[Any]):
    """Counted decisions, the equity that they lost, and their PR.

    ``margin`` is half of the 95% confidence interval of the PR, null with fewer than 100 decisions.
    """

    counted = serializers.IntegerField()
    loss = serializers.FloatField()
    blunders = serializers.IntegerField()
    pr = serializers.FloatField(allow_null=True)
    margin = serializers.FloatField(allow_null=True)


class PlayLineOut(serializers.Serializer[Any]):
    """One group of decisions; ``matches`` is null where a match can be in several groups."""

    key = serializers.SerializerMethodField()
    matches = serializers.IntegerField(allow_null=True)
    tally = TallyOut()

    def get_key(self, line: TallyLine) -> str:
        if isinstance(line.key, tuple):
            return "-".join(map(str, line.key))
        return "" if line.key is None else str(line.key)


class PlayMistakeOut(serializers.Serializer[Any]):
    """Mistakes of one kind in one phase, and what they lost together."""

    kind = serializers.ChoiceField([each.value for each in MistakeKind])
    phase = serializers.ChoiceField([each.value for each in GamePhase])
    counted = serializers.IntegerField()
    loss = serializers.FloatField()


class OpeningLineOut(serializers.Serializer[Any]):
    """A play to the opening roll, or to the reply (``earlier`` is the opening), and what it cost together."""

    earlier = serializers.CharField(allow_blank=True)
    roll = serializers.CharField()
    played = serializers.CharField()
    best = serializers.CharField()
    games = serializers.IntegerField()
    loss = serializers.FloatField()


class AgainstOut(serializers.Serializer[Any]):
    """A figure of the dice against its expectation and standard deviation."""

    n = serializers.IntegerField()
    seen = serializers.FloatField()
    expected = serializers.FloatField()
    deviation = serializers.FloatField()
    is_few = serializers.BooleanField(help_text="Fewer than 30 rolls: too few to tell.")
    is_chance = serializers.BooleanField(help_text="Within 1.96 standard deviations.")


class PlayDiceOut(serializers.Serializer[Any]):
    """The dice of all rolls but opening rolls; luck of all rolls."""

    doubles = AgainstOut()
    sixes = AgainstOut()
    pips = AgainstOut()
    entries = AgainstOut()
    luck = AgainstOut()


class PlayOut(serializers.Serializer[Any]):
    """A player's play in their newest analysed matches that you can see, at most 1,000, of one label.

    ``labels`` are all labels with their matches. Keys: of ``windows`` the newest so many matches, 0 for all;
    of ``months`` the first day; of ``lengths`` from-to, 0 for no limit (0-0 is money play); of ``opponents``
    how many of the ratings 1400, 1500, 1600 and 1700 the opponent had reached, empty without a rating.
    """

    analysed_by = serializers.CharField(allow_blank=True, help_text="The label.")
    labels = serializers.DictField(child=serializers.IntegerField())
    matches = serializers.IntegerField()
    total = TallyOut()
    windows = PlayLineOut(many=True)
    months = PlayLineOut(many=True)
    phases = PlayLineOut(many=True)
    kinds = PlayLineOut(many=True)
    scores = PlayLineOut(many=True)
    lengths = PlayLineOut(many=True)
    opponents = PlayLineOut(many=True)
    mistakes = PlayMistakeOut(many=True)
    openings = OpeningLineOut(many=True)
    replies = OpeningLineOut(many=True)
    dice = PlayDiceOut()


class PlayerPlay(ApiView):
    access = {"GET": Access(Public)}

    def known_parameters(self) -> set[str]:
        return {LABEL.name}

    @extend_schema(responses=PlayOut, parameters=[LABEL], summary="How a player plays")
    def get(self, request: Request, player: str) -> Response:
        """PR over time, by phase, kind, score, length and opponent; mistakes, openings and dice."""
        found = known_player(request.user, player)
        found = found.merged_into or found
        seen_clubs = clubs_seen_by(request.user)
        clubs = clubs_where_known(found, seen_clubs)
        labels = seen_sums(found, clubs=clubs, viewer=request.user)
        asked = request.query_params.get("label", "")
        if asked and asked not in labels:
            raise refuse(
                NOT_FOUND, _("No analysis of this player has the label %(label)s.") % {"label": asked}
            )
        label = asked or next(iter(labels), "")
        lists = ratings_of(found, seen_clubs)
        rating_list = lists[0].list if lists else None
        play = play_in(newest_of_player(found, labels.get(label, ()), rating_list=rating_list))
        told = {each.name: getattr(play, each.name) for each in fields(play)}
        told["dice"] = play.dice or DiceSums().told
        numbers = {each: len(keys) for each, keys in labels.items()}
        return self.one(PlayOut, told | {"analysed_by": label, "labels": numbers})


class PlayerLineOut(serializers.Serializer[Any]):
    """A player's decisions in all the matches."""

    player = serializers.CharField(source="player_ref")
    name = serializers.CharField(source="player")
    matches = serializers.IntegerField()
    tally = TallyOut()


class PlayedMatchOut(serializers.Serializer[Any]):
    """A match by its ref, with the PR or the luck that it is listed for."""

    match = serializers.CharField(source="match_ref")
    player = serializers.CharField(source="player_ref")
    luck = serializers.FloatField(source="dice.luck")
    rolls = serializers.IntegerField(source="dice.luck_rolls")


class BestMatchOut(serializers.Serializer[Any]):
    """The match of the lowest PR of both players together."""

    match = serializers.CharField(source="match_ref")
    tally = TallyOut()


class BlunderOut(serializers.Serializer[Any]):
    """The biggest blunder: the entry ``seq`` of the match's log, and what it lost."""

    match = serializers.CharField(source="played.match_ref")
    player = serializers.CharField(source="played.player_ref")
    seq = serializers.IntegerField(source="worst.seq")
    error = serializers.FloatField(source="worst.error")


class GroupPlayOut(serializers.Serializer[Any]):
    """The play in the newest analysed matches that you can see, at most 1,000, of one label.

    ``players`` are the best 25 with at least 100 decisions, lowest PR first. ``few`` counts those with fewer;
    ``unranked`` are the 25 of them with most decisions.
    """

    analysed_by = serializers.CharField(allow_blank=True, help_text="The label.")
    labels = serializers.ListField(child=serializers.CharField())
    matches = serializers.IntegerField()
    total = TallyOut()
    players = PlayerLineOut(many=True)
    unranked = PlayerLineOut(many=True)
    few = serializers.IntegerField()
    luckiest = PlayedMatchOut(allow_null=True)
    best = BestMatchOut(allow_null=True)
    blunder = BlunderOut(allow_null=True)


class ClubPlay(ApiView):
    access = {"GET": Access(club_permission())}

    def known_parameters(self) -> set[str]:
        return {LABEL.name}

    @extend_schema(responses=GroupPlayOut, parameters=[LABEL], summary="How a club plays")
    def get(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002 - loaded by the permission
        """PR list, luckiest match, best-played match and biggest blunder."""
        seen = seen_among(Match.objects.in_club(request.club), request.user)
        return self.one(GroupPlayOut, told_of(request, seen, labels_among(seen, viewer=request.user)))


def told_of(request: Request, matches: MatchQuerySet, labels: list[str]) -> dict[str, Any]:
    """The figures of these matches under the label that was asked for; refuses an unknown one."""
    asked = request.query_params.get("label", "")
    if asked and asked not in labels:
        raise refuse(NOT_FOUND, _("No analysis here has the label %(label)s.") % {"label": asked})
    label = asked or next(iter(labels), "")
    play = group_play(newest_of_all(matches, label=label, viewer=request.user))
    told = {each.name: getattr(play, each.name) for each in fields(play)}
    return told | {"analysed_by": label, "labels": labels}
