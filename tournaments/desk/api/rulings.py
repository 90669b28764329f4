"""API of rulings, appeals and conduct reports."""

from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.response import Response

from clubs.access import SignedIn
from clubs.http.base import Access, ApiRequest, ApiView
from clubs.http.serializers import Strict
from clubs.models import Player, Scope
from scoring.profiles.queries.profile_words import clauses
from tournaments.desk.api.desk import DeskEventOut
from tournaments.desk.forms import LONGEST_TEXT
from tournaments.desk.services.rulings import appeal, decide_appeal, report_conduct, rule_on
from tournaments.events.access import directed_event
from tournaments.log.kinds import PRIVATE
from tournaments.log.queries.desk_log import lines
from tournaments.models import Event, PairingRow
from tournaments.words.clauses import CLAUSES

RUN = Access(SignedIn, Scope.DIRECT)
READ = Access(SignedIn)
LONGEST_RULE = 200


class RulingIn(Strict):
    """A ruling: what happened, the rule and the decision."""

    happened = serializers.CharField(max_length=LONGEST_TEXT)
    decision = serializers.CharField(max_length=LONGEST_TEXT)
    clause = serializers.ChoiceField(
        choices=list(CLAUSES), default="", allow_blank=True, help_text="A clause of the event's rules."
    )
    rule = serializers.CharField(
        max_length=LONGEST_RULE, default="", allow_blank=True, help_text="Another rule, as text."
    )
    pairing = serializers.CharField(max_length=10, required=False, help_text="Ref of a pairing.")


class ClauseOut(serializers.Serializer[Any]):
    """One clause of the rules, as text."""

    clause = serializers.ChoiceField(choices=list(CLAUSES))
    words = serializers.CharField()


class ClausesOut(serializers.Serializer[Any]):
    """The clauses of an event's rules."""

    profile = serializers.CharField()
    clauses = ClauseOut(many=True)


class AppealIn(Strict):
    """An appeal: committee and reason."""

    committee = serializers.ListField(
        child=serializers.CharField(max_length=10), min_length=3, max_length=5, help_text="Refs of players."
    )
    reason = serializers.CharField(max_length=LONGEST_TEXT, default="", allow_blank=True)


class AppealDecisionIn(Strict):
    """The committee's decision."""

    upheld = serializers.BooleanField(help_text="Whether the ruling is upheld.")
    decision = serializers.CharField(max_length=LONGEST_TEXT)


class ConductIn(Strict):
    """A conduct report: players and text."""

    about = serializers.ListField(
        child=serializers.CharField(max_length=10), min_length=1, max_length=20, help_text="Refs of players."
    )
    text = serializers.CharField(max_length=LONGEST_TEXT)


class Rulings(ApiView):
    access = {"GET": READ, "POST": RUN}

    @extend_schema(responses=ClausesOut, summary="List the clauses a ruling can cite")
    def get(self, request: ApiRequest, event: str) -> Response:
        """For directors."""
        profile = directed_event(request.user, event).rules
        told = [{"clause": name, "words": words} for name, words in clauses(profile).items()]
        return self.one(ClausesOut, {"profile": profile.name, "clauses": told})

    @extend_schema(request=RulingIn, responses=DeskEventOut, summary="Record a ruling")
    def post(self, request: ApiRequest, event: str) -> Response:
        data = self.valid(RulingIn)
        found = directed_event(request.user, event)
        ref = data.pop("pairing", None)
        pairing = PairingRow.objects.filter(stage__flight__event=found, ref=ref).first() if ref else None
        if ref and pairing is None:
            message = _("There is no match %(ref)s in this event.") % {"ref": ref}
            raise ValidationError({"pairing": [ErrorDetail(message, "unknown_pairing")]})
        entry = rule_on(event=found, user=request.user, pairing=pairing, **data)
        return self.one(DeskEventOut, entry)


class Appeals(ApiView):
    access = {"POST": RUN}

    @extend_schema(request=AppealIn, responses=DeskEventOut, summary="Appeal a ruling")
    def post(self, request: ApiRequest, event: str, seq: int) -> Response:
        """Three or five members without an interest in the match."""
        data = self.valid(AppealIn)
        found = directed_event(request.user, event)
        entry = appeal(
            event=found,
            ruling=seq,
            committee=_players(data["committee"], "committee", event=found),
            user=request.user,
            reason=data["reason"],
        )
        return self.one(DeskEventOut, entry)


class AppealDecision(ApiView):
    access = {"POST": RUN}

    @extend_schema(request=AppealDecisionIn, responses=DeskEventOut, summary="Record a committee's decision")
    def post(self, request: ApiRequest, event: str, seq: int) -> Response:
        data = self.valid(AppealDecisionIn)
        entry = decide_appeal(
            event=directed_event(request.user, event), ruling=seq, user=request.user, **data
        )
        return self.one(DeskEventOut, entry)


class Conduct(ApiView):
    access = {"GET": RUN, "POST": RUN}
    ordering = ("-seq", "pk")

    @extend_schema(responses=DeskEventOut(many=True), summary="List conduct reports, for directors")
    def get(self, request: ApiRequest, event: str) -> Response:
        return self.listed(lines(directed_event(request.user, event), kinds=PRIVATE), DeskEventOut)

    @extend_schema(request=ConductIn, responses=DeskEventOut, summary="Write a conduct report")
    def post(self, request: ApiRequest, event: str) -> Response:
        data = self.valid(ConductIn)
        found = directed_event(request.user, event)
        about = _players(data["about"], "about", event=found)
        entry = report_conduct(event=found, about=about, text=data["text"], user=request.user)
        return self.one(DeskEventOut, entry)


def _players(refs: list[str], field: str, *, event: Event) -> list[Player]:
    """Players of the event or its club by ref, in order.

    Responds 400 for an unknown ref.
    """
    known_here = Q(entries__flight__event=event) | Q(memberships__club=event.club_id)
    rows = Player.objects.current().filter(known_here, ref__in=refs).with_person().distinct()
    known = {player.ref: player for player in rows}
    if unknown := [ref for ref in refs if ref not in known]:
        message = _("There is no player %(ref)s in this event or club.") % {"ref": unknown[0]}
        raise ValidationError({field: [ErrorDetail(message, "unknown_player")]})
    return [known[ref] for ref in refs]
