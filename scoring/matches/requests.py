"""What a match is opened with."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError

from clubs.http.base import ApiView
from clubs.http.problems import about
from clubs.http.serializers import Strict
from clubs.models import Club, Player
from scoring.profiles.queries.profiles import profile_named


class NewMatch(Strict):
    """A match to be opened: refs of one or two players of the club a side."""

    white = serializers.ListField(child=serializers.CharField(max_length=20), min_length=1, max_length=2)
    black = serializers.ListField(child=serializers.CharField(max_length=20), min_length=1, max_length=2)
    length = serializers.IntegerField(
        min_value=0, max_value=999, help_text="Points to win, 0 for money play."
    )
    profile = serializers.CharField(
        max_length=40, default="wbf", help_text="Name of one of the club's rule profiles."
    )
    handicap_white = serializers.IntegerField(min_value=0, default=0)
    handicap_black = serializers.IntegerField(min_value=0, default=0)
    played_at = serializers.DateTimeField(
        required=False, allow_null=True, default=None, help_text="Time of play; default now."
    )


def players_named(club: Club, refs: list[str], field: str) -> list[Player]:
    """The club's players of these refs, in their order. Raises ValidationError for anybody else."""
    found = {
        player.ref: player
        for player in Player.objects.current().filter(memberships__club=club, ref__in=refs).distinct()
    }
    if unknown := [ref for ref in refs if ref not in found]:
        message = _("There is no player %(refs)s in the club.") % {"refs": ", ".join(unknown)}
        raise ValidationError({field: [ErrorDetail(message, "unknown_player")]})
    return [found[ref] for ref in refs]


def match_arguments(view: ApiView, club: Club) -> dict[str, Any]:
    """The arguments of ``open_match`` in a request's body."""
    body = view.valid(NewMatch)
    with about("profile", body["profile"]):
        profile = profile_named(club, body["profile"])
    return {
        "white": players_named(club, body["white"], "white"),
        "black": players_named(club, body["black"], "black"),
        "length": body["length"],
        "profile": profile,
        "handicap": (body["handicap_white"], body["handicap_black"]),
        "played_at": body["played_at"],
    }
