"""Consent to share mistakes with a club, and its position of the week."""

from datetime import date

from django.db import transaction
from django.db.models import Value
from django.db.models.functions import MD5, Concat
from django.utils.translation import gettext as _

from clubs.models import Club, Player
from scoring.learning.queries.cards import today
from scoring.learning.queries.judged import decision_on, judged_among
from scoring.learning.queries.questions import Question
from scoring.learning.queries.shared import current_position, shared_cards, week_of
from scoring.learning.services.sessions import CardRefused
from scoring.models import CardEnd, CardSharing, CardState, WeekAnswer, WeekPosition


@transaction.atomic
def share_mistakes(*, player: Player, club: Club, coach: bool, quiz: bool) -> CardSharing:
    """Set what a member shares with a club. Without ``quiz`` their position of this week is taken away."""
    Club.objects.select_for_update(no_key=True, of=("self",)).get(pk=club.pk)
    kept = CardSharing.objects.filter(player=player, club=club).first()
    sharing = kept or CardSharing(player=player, club=club)
    sharing.coach, sharing.quiz = coach, quiz
    sharing.save()
    choose_position(club=club)
    return sharing


@transaction.atomic
def choose_position(*, club: Club, day: date | None = None) -> WeekPosition | None:
    """The club's position of the week, chosen now if there is none; None without a mistake to choose.

    It follows from the week and the mistakes that members share, and was never shown before. One that was
    corrected away, whose match was voided or whose player no longer shares it is replaced.
    """
    Club.objects.select_for_update(no_key=True, of=("self",)).get(pk=club.pk)
    week = week_of(day or today())
    cards = judged_among(shared_cards(club, quiz=True))
    standing = WeekPosition.objects.filter(club=club, week=week).first()
    if standing is not None:
        if cards.exclude(end=CardEnd.CORRECTED).filter(pk=standing.card_id).exists():
            return standing
        standing.delete()
    shown = WeekPosition.objects.filter(club=club).values("card")
    order = MD5(Concat("ref", Value(week.isoformat())))
    card = cards.exclude(state=CardState.RETIRED).exclude(pk__in=shown).order_by(order, "pk").first()
    return None if card is None else WeekPosition.objects.create(club=club, week=week, card=card)


def choose_positions() -> int:
    """Choose the position of the week of each club whose members share mistakes; return how many stand."""
    clubs = Club.objects.filter(pk__in=CardSharing.objects.filter(quiz=True).values("club"))
    return sum(choose_position(club=club) is not None for club in clubs.order_by("pk"))


def answer_week(*, club: Club, player: Player, text: str) -> WeekAnswer:
    """A member's answer to the position of this week; answered once, it stays.

    Raises what ``Question.read`` raises, and CardRefused where there is no position or it cannot be judged.
    """
    with transaction.atomic():
        Player.objects.select_for_update(no_key=True, of=("self",)).get(pk=player.pk)
        position = current_position(club)
        decision = decision_on(position.card) if position else None
        if position is None or decision is None:
            raise CardRefused(_("No position can be answered now. Come back later."))
        known = WeekAnswer.objects.filter(position=position, player=player).first()
        if known is not None:
            return known
        question = Question(position.card)
        given = question.read(text)
        verdict = question.judge(given, decision)
        return WeekAnswer.objects.create(
            position=position,
            player=player,
            given=question.written(decision, given),
            right=verdict.is_right,
            loss=verdict.loss,
            is_exact=verdict.is_exact,
        )
