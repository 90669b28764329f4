"""API of shared mistakes: the switches, the position of the week, the coach's view."""

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.response import Response

from clubs.access import SignedIn, club_permission
from clubs.http.base import Access, ApiRequest, ApiView, ClubApiRequest
from clubs.http.serializers import Strict
from clubs.models import Club, Membership, Player, Role, Scope, User
from clubs.people.services.names import player_of
from scoring.learning.api.mistakes import AskedOut, MistakeOut
from scoring.learning.queries.shared import (
    answer_of,
    coached_player,
    coached_players,
    current_position,
    earlier_position,
    shared_cards,
    shares_of,
    sharing_of,
)
from scoring.learning.services.sharing import answer_week, share_mistakes
from scoring.models import WeekAnswer, WeekPosition

DIRECTOR = Access(club_permission(Role.DIRECTOR))


class SharingOut(serializers.Serializer[Any]):
    """What you share of your mistakes with a club."""

    club = serializers.CharField(source="club.slug")
    quiz = serializers.BooleanField(help_text="Use your positions, without your name.")
    coach = serializers.BooleanField(help_text="Let directors see your mistakes.")


class NewSharing(Strict):
    """What you share with the club from now on."""

    quiz = serializers.BooleanField()
    coach = serializers.BooleanField()


class MistakeSharing(ApiView):
    access = {"GET": Access(SignedIn)}

    @extend_schema(responses=SharingOut(many=True), summary="List what you share of your mistakes")
    def get(self, request: ApiRequest) -> Response:
        player = Player.objects.filter(user=request.user).first()
        rows = [sharing for _club, sharing in sharing_of(player)] if player else []
        return Response(SharingOut(rows, many=True).data)


class ClubSharing(ApiView):
    access = {"PUT": Access(club_permission(Role.GUEST), Scope.OWN)}

    @extend_schema(request=NewSharing, responses=SharingOut, summary="Share your mistakes with a club")
    def put(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002 - loaded by the permission
        body = self.valid(NewSharing)
        mine = Membership.objects.in_club(request.club).filter(player__user=request.user)
        membership = mine.select_related("player").first()
        if membership is None:  # site administrators have all rights without a membership
            raise Http404(_("You are not in %(club)s.") % {"club": request.club.name})
        return self.one(SharingOut, share_mistakes(player=membership.player, club=request.club, **body))


class AnswerShareOut(serializers.Serializer[Any]):
    """How many members gave an answer."""

    answer = serializers.CharField(source="given")
    members = serializers.IntegerField(source="number")


class WeekAnswerOut(serializers.ModelSerializer[WeekAnswer]):
    """Your answer; ``loss`` is against the best, at least so much unless ``is_exact``."""

    class Meta:
        model = WeekAnswer
        fields = ["given", "right", "loss", "is_exact", "at"]


class WeekPositionOut(serializers.ModelSerializer[WeekPosition]):
    """A position of the week. ``answer`` and ``answers`` are null until you have answered."""

    card = AskedOut()
    answer = serializers.SerializerMethodField()
    answers = serializers.SerializerMethodField()

    class Meta:
        model = WeekPosition
        fields = ["ref", "week", "card", "answer", "answers"]

    @extend_schema_field(WeekAnswerOut(allow_null=True))
    def get_answer(self, _position: WeekPosition) -> Any:
        answer = self.context["answer"]
        return None if answer is None else WeekAnswerOut(answer).data

    @extend_schema_field(AnswerShareOut(many=True, allow_null=True))
    def get_answers(self, position: WeekPosition) -> Any:
        if self.context["answer"] is None and not self.context["is_over"]:
            return None
        return AnswerShareOut(shares_of(position), many=True).data


class WeekWanted(Strict):
    """The Monday of an earlier week."""

    week = serializers.DateField(required=False, default=None, help_text="By default the present week.")


class NewWeekAnswer(Strict):
    """Your answer to the position of the week."""

    answer = serializers.CharField(
        max_length=80, help_text="A play such as `13/8 6/5`, or one of the card’s `answers`."
    )


class WeekPositions(ApiView):
    access = {
        "GET": Access(club_permission(Role.MEMBER)),
        "POST": Access(club_permission(Role.MEMBER), Scope.RECORD),
    }

    def known_parameters(self) -> set[str]:
        return set(WeekWanted().fields)

    @extend_schema(
        parameters=[WeekWanted], responses=WeekPositionOut, summary="Get a club's position of the week"
    )
    def get(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002 - loaded by the permission
        """404 where no member shares mistakes. Of an earlier week, ``answers`` are told to all members."""
        asked = WeekWanted(data=request.query_params)
        asked.is_valid(raise_exception=True)
        if week := asked.validated_data["week"]:
            position = earlier_position(request.club, week.isoformat())
            if position is None:
                raise Http404(_("The club has no position for the week of %(week)s.") % {"week": week})
            return Response(_out(position, request.user, is_over=True))
        return _shown(request.club, request.user)

    @extend_schema(
        request=NewWeekAnswer, responses=WeekPositionOut, summary="Answer the position of the week"
    )
    def post(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002 - loaded by the permission
        """Answered once, it stays. 422 for a play that the roll does not allow."""
        body = self.valid(NewWeekAnswer)
        answer_week(club=request.club, player=player_of(user=request.user), text=body["answer"])
        return _shown(request.club, request.user)


def _shown(club: Club, user: User) -> Response:
    position = current_position(club)
    if position is None:
        raise Http404(_("The club has no position this week."))
    return Response(_out(position, user, is_over=False))


def _out(position: WeekPosition, user: User, *, is_over: bool) -> Any:
    context = {"answer": answer_of(position, user), "is_over": is_over}
    return WeekPositionOut(position, context=context).data


class CoachedOut(serializers.Serializer[Player]):
    """A member who lets directors see their mistakes in the club's matches."""

    ref = serializers.CharField()
    name = serializers.CharField()
    waiting = serializers.IntegerField(help_text="Open mistakes.")
    learned = serializers.IntegerField()
    parked = serializers.IntegerField()


class ClubMistakes(ApiView):
    access = {"GET": DIRECTOR}
    ordering = ("pk",)

    @extend_schema(responses=CoachedOut(many=True), summary="List members who share their mistakes")
    def get(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002 - loaded by the permission
        return self.listed(coached_players(request.club), CoachedOut)


class MemberMistakes(ApiView):
    access = {"GET": DIRECTOR}
    ordering = ("-error", "pk")

    @extend_schema(responses=MistakeOut(many=True), summary="List a member's mistakes, largest first")
    def get(self, request: ClubApiRequest, club: str, player: str) -> Response:  # noqa: ARG002
        """404 for a member who does not share them."""
        found = coached_player(request.club, player)
        if found is None:
            raise Http404(_("No member shares mistakes under the ref %(ref)s.") % {"ref": player})
        cards = shared_cards(request.club, coach=True).filter(player=found).select_related("match")
        return self.listed(cards, MistakeOut)
