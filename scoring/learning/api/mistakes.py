"""API of the player's own mistakes: list them, answer them in sessions."""

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from django_filters import ChoiceFilter, FilterSet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from clubs.access import SignedIn
from clubs.http.base import Access, ApiRequest, ApiView
from clubs.http.serializers import Strict
from clubs.models import Player, Scope
from scoring.learning.queries.cards import open_session
from scoring.learning.queries.questions import Question
from scoring.learning.services.sessions import SESSION_CARDS, answer_card, begin_session, resume_card
from scoring.learning.words import verdict_words
from scoring.models import Card, CardAnswer, CardSession, CardState


class MistakeOut(serializers.ModelSerializer[Card]):
    """A decision in an analysed match that lost at least 0.050.

    ``event_seq`` is the event that decided, ``xgid`` the position with White at the bottom. ``due`` is the
    day from which the card is asked, null where it does not come back; ``end`` says why a card retired.
    """

    match = serializers.CharField(source="match.ref")
    side = serializers.CharField(source="colour")

    class Meta:
        model = Card
        fields = [
            *("ref", "match", "event_seq", "decision", "side", "xgid", "error"),
            *("state", "end", "due", "in_a_row", "wrong"),
        ]


class MistakeFilter(FilterSet):  # type: ignore[misc]
    """Mistakes of one state."""

    state = ChoiceFilter(choices=CardState.choices)

    class Meta:
        model = Card
        fields = ["state"]


class Mistakes(ApiView):
    access = {"GET": Access(SignedIn)}
    ordering = ("-error", "pk")
    filterset_class = MistakeFilter

    @extend_schema(responses=MistakeOut(many=True), summary="List your mistakes, largest first")
    def get(self, request: ApiRequest) -> Response:
        mine = Card.objects.mistakes().filter(player__user=request.user).select_related("match")
        return self.listed(mine, MistakeOut)


class AskedOut(serializers.Serializer[Card]):
    """A card as it is asked; it tells nothing of the answer."""

    ref = serializers.CharField()
    decision = serializers.CharField(help_text="`checker`, `double` or `response`.")
    side = serializers.CharField(source="colour")
    xgid = serializers.CharField(help_text="The position, with White at the bottom.")
    answers = serializers.SerializerMethodField(
        help_text="The cube actions to choose from; empty for a play."
    )

    def get_answers(self, card: Card) -> list[str]:
        return list(Question(card).answers)


class SessionOut(serializers.Serializer[CardSession]):
    """A session of cards. ``card`` is the one that is asked now, null when the session is over."""

    ref = serializers.CharField()
    asked = serializers.IntegerField(help_text="Cards answered or skipped so far.")
    cards = serializers.SerializerMethodField(help_text="Cards of a session at most.")
    card = AskedOut(allow_null=True)

    def get_cards(self, _session: CardSession) -> int:
        return SESSION_CARDS


class MistakeSession(ApiView):
    access = {"GET": Access(SignedIn), "POST": Access(SignedIn, Scope.RECORD)}

    @extend_schema(responses=SessionOut, summary="Get your open session of mistakes")
    def get(self, request: ApiRequest) -> Response:
        """404 while none is open."""
        player = Player.objects.filter(user=request.user).first()
        session = open_session(player) if player else None
        if session is None or session.card is None:
            raise Http404(_("No session is open."))
        return self.one(SessionOut, session)

    @extend_schema(request=None, responses=SessionOut, summary="Begin or continue a session of mistakes")
    def post(self, request: ApiRequest) -> Response:
        """404 while no card is due."""
        player = Player.objects.filter(user=request.user).first()
        session = begin_session(player=player) if player else None
        if session is None:
            raise Http404(_("No card is due."))
        return self.one(SessionOut, session)


class NewAnswer(Strict):
    """An answer. Leave it out to skip the card."""

    answer = serializers.CharField(
        max_length=80,
        required=False,
        help_text="A play such as `13/8 6/5`, or one of the card’s `answers`.",
    )


class AnswerOut(serializers.ModelSerializer[CardAnswer]):
    """The verdict on an answer; ``right`` and ``loss`` are null for a card that was skipped.

    ``loss`` is the equity lost against ``best``, at least so much unless ``is_exact``.
    """

    verdict = serializers.SerializerMethodField(help_text="The verdict in one sentence; empty if skipped.")

    class Meta:
        model = CardAnswer
        fields = [
            *("ref", "number", "given", "right", "loss", "is_exact", "best", "played", "played_loss"),
            *("due", "verdict"),
        ]

    def get_verdict(self, answer: CardAnswer) -> str:
        return "" if answer.right is None else verdict_words(answer)

    def to_representation(self, instance: CardAnswer) -> dict[str, Any]:
        """A skipped card tells no answer: it comes again."""
        plain: dict[str, Any] = super().to_representation(instance)
        if instance.right is None:
            plain |= {"best": "", "played": "", "played_loss": None}
        return plain


class AnswerMistake(ApiView):
    access = {"POST": Access(SignedIn, Scope.RECORD)}
    one_transaction = False

    @extend_schema(request=NewAnswer, responses=AnswerOut, summary="Answer or skip a card")
    def post(self, request: ApiRequest, session: str, card: str) -> Response:
        """A card is answered once: sent again, the first answer is returned.

        409 for a card that the session does not ask now, 422 for a play that the roll does not allow.
        """
        body = self.valid(NewAnswer)
        player = Player.objects.filter(user=request.user).first()
        if player is None or not CardSession.objects.filter(player=player, ref=session).exists():
            raise Http404(_("There is no session %(ref)s.") % {"ref": session})
        answer = answer_card(player=player, session=session, card=card, text=body.get("answer", ""))
        return self.one(AnswerOut, answer)


class ResumeMistake(ApiView):
    access = {"POST": Access(SignedIn, Scope.RECORD)}

    @extend_schema(request=None, responses=MistakeOut, summary="Bring a parked card back")
    def post(self, request: ApiRequest, card: str) -> Response:
        """Nothing happens to a card that is not parked."""
        mine = Card.objects.select_related("player", "match").filter(player__user=request.user)
        found = mine.filter(ref=card).first()
        if found is None:
            raise Http404(_("There is no card %(ref)s.") % {"ref": card})
        resume_card(player=found.player, card=found)
        return self.one(MistakeOut, mine.get(pk=found.pk))
