"""API of leagues, ladders and teams.

Match times, line-ups, challenges, seasons and starts.
"""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, PermissionDenied, ValidationError
from rest_framework.response import Response

from clubs.access import SignedIn
from clubs.http.base import Access, ApiRequest, ApiView
from clubs.http.serializers import Strict
from clubs.models import Scope
from tournaments.events.access import known_event, known_pairing, known_stage, require_director
from tournaments.events.api.base import RUN, EventTime
from tournaments.events.api.events import EventOut
from tournaments.events.services.events import set_starts
from tournaments.leagues.services import agree_date, challenge, next_season, propose_date
from tournaments.models import EntrantRow, PairingRow, StageRow
from tournaments.stages.api.stages import PairingOut, StageOut
from tournaments.stages.services.ties import set_line_up

RECORD = Access(SignedIn, Scope.RECORD)


class TimeSeen(Strict):
    """The times you last saw; 409 if they have changed."""

    proposed_at = EventTime(required=False, allow_null=True)
    agreed_at = EventTime(required=False, allow_null=True)


class TimeIn(Strict):
    """The time to propose; without `at`, accept the opponent's proposal."""

    at = EventTime(required=False)
    seen = TimeSeen(required=False)


class LineUpIn(Strict):
    """The line-up of a team, board 1 first."""

    entrant = serializers.CharField(max_length=10)
    players = serializers.ListField(
        child=serializers.CharField(max_length=10), min_length=1, max_length=20, help_text="Refs of players."
    )
    seen = serializers.ListField(
        child=serializers.CharField(max_length=10),
        max_length=20,
        required=False,
        help_text="The line-up you last saw; 409 if it has changed.",
    )


class ChallengeIn(Strict):
    """The challenger (you by default) and the challenged entrant."""

    challenger = serializers.CharField(max_length=10, required=False)
    challenged = serializers.CharField(max_length=10)


class SeasonIn(Strict):
    """The start of the next season, and how many entrants go up and down."""

    starts_at = EventTime()
    moves = serializers.IntegerField(min_value=0, max_value=20)


class StartsIn(Strict):
    """The earliest start of each round, round 1 first."""

    starts = serializers.ListField(child=EventTime(), max_length=60)
    seen = serializers.ListField(
        child=EventTime(),
        max_length=60,
        required=False,
        help_text="The starts you last saw; 409 if they have changed.",
    )

    def validate_starts(self, starts: list[Any]) -> list[Any]:
        if starts != sorted(starts):
            raise ValidationError(_("A round cannot start before the previous one."), code="order")
        return starts


class PairingTime(ApiView):
    access = {"POST": RECORD}

    @extend_schema(request=TimeIn, responses=PairingOut, summary="Propose or accept a match time")
    def post(self, request: ApiRequest, pairing: str) -> Response:
        """For players of the pairing."""
        found, _role = known_pairing(request.user, pairing)
        own = next((each for each in _sides(found) if _is_of(request, each)), None)
        if own is None:
            raise PermissionDenied(_("Only the two sides can agree on a time."))
        data = self.valid(TimeIn)
        at, seen = data.get("at"), data.get("seen")
        if at is None:
            agree_date(pairing=found, entrant=own, seen=seen)
        else:
            propose_date(pairing=found, entrant=own, at=at, seen=seen)
        return self.one(PairingOut, known_pairing(request.user, pairing)[0])


class PairingLineUp(ApiView):
    access = {"POST": RECORD}

    @extend_schema(request=LineUpIn, responses=PairingOut, summary="Set a team's line-up")
    def post(self, request: ApiRequest, pairing: str) -> Response:
        """For the team's players and directors, before the first board starts."""
        found, role = known_pairing(request.user, pairing)
        own = next((each for each in _sides(found) if _is_of(request, each)), None)
        if own is None:
            require_director(role)
        data = self.valid(LineUpIn)
        entrant = next((each for each in _sides(found) if each.ref == data["entrant"]), None)
        if entrant is None:
            message = _("There is no entrant %(ref)s here.") % {"ref": data["entrant"]}
            raise ValidationError({"entrant": [ErrorDetail(message, "unknown_entrant")]})
        if entrant != own:
            require_director(role)
        known = {player.ref: player for player in entrant.players}
        if unknown := [ref for ref in data["players"] if ref not in known]:
            message = _("There is no player %(ref)s in the team.") % {"ref": unknown[0]}
            raise ValidationError({"players": [ErrorDetail(message, "unknown_player")]})
        players = [known[ref] for ref in data["players"]]
        set_line_up(pairing=found, entrant=entrant, players=players, user=request.user, seen=data.get("seen"))
        return self.one(PairingOut, known_pairing(request.user, pairing)[0])


class StageChallenge(ApiView):
    access = {"POST": RECORD}

    @extend_schema(request=ChallengeIn, responses=StageOut, summary="Challenge a player on a ladder")
    def post(self, request: ApiRequest, stage: str) -> Response:
        """For players on the ladder; directors name the challenger."""
        found, role = known_stage(request.user, stage)
        entrants = {each.ref: each for each in _entrants(found)}
        own = next((each for each in entrants.values() if _is_of(request, each)), None)
        if own is None:
            require_director(role)
        data = self.valid(ChallengeIn)
        for name in ("challenger", "challenged"):
            if name in data and data[name] not in entrants:
                message = _("There is no entrant %(ref)s here.") % {"ref": data[name]}
                raise ValidationError({name: [ErrorDetail(message, "unknown_entrant")]})
        challenger = entrants[data["challenger"]] if "challenger" in data else own
        if challenger is None:
            raise ValidationError({"challenger": [ErrorDetail(_("Choose the challenger."), "required")]})
        if challenger != own:
            require_director(role)
        challenge(
            stage=found, challenger=challenger, challenged=entrants[data["challenged"]], user=request.user
        )
        return self.one(StageOut, known_stage(request.user, stage)[0])


class NextSeason(ApiView):
    access = {"POST": RUN}

    @extend_schema(request=SeasonIn, responses={201: EventOut}, summary="Announce the next season")
    def post(self, request: ApiRequest, event: str) -> Response:
        """The divisions of the league are its flights, the highest first.

        `moves` entrants go up and down.
        """
        found, role = known_event(request.user, event)
        require_director(role)
        made = next_season(event=found, user=request.user, **self.valid(SeasonIn))
        return self.created(EventOut, made, "api:event", event=made.ref)


class StageStarts(ApiView):
    access = {"POST": RUN}

    @extend_schema(request=StartsIn, responses=StageOut, summary="Set the start times of the rounds")
    def post(self, request: ApiRequest, stage: str) -> Response:
        found, role = known_stage(request.user, stage)
        require_director(role)
        data = self.valid(StartsIn)
        set_starts(stage=found, starts=data["starts"], user=request.user, seen=data.get("seen"))
        return self.one(StageOut, known_stage(request.user, stage)[0])


def _sides(pairing: PairingRow) -> list[EntrantRow]:
    return list(EntrantRow.objects.filter(pk__in=[pairing.a_id, pairing.b_id]).with_players())


def _entrants(stage: StageRow) -> list[EntrantRow]:
    return list(EntrantRow.objects.filter(numbers__stage=stage).with_players())


def _is_of(request: ApiRequest, entrant: EntrantRow) -> bool:
    return request.user.pk in {player.user_id for player in entrant.players}
