"""Sessions of cards: begin one, answer, skip, bring parked cards back.

A player's sessions are serialised by the lock of the player's row: two devices that answer at once, or a form
that is sent twice, give one answer.
"""

from datetime import timedelta

from django.db import transaction
from django.utils.timezone import now
from django.utils.translation import gettext as _

from clubs.models import Player
from clubs.refusals import Refused
from scoring.learning.queries.cards import can_be_asked, next_card, open_session, today
from scoring.learning.queries.judged import decision_on
from scoring.learning.queries.questions import Question
from scoring.models import Card, CardAnswer, CardSession, CardState
from scoring.theory.cards import AnswerVerdict, best_of
from scoring.theory.decisions import Decision

SESSION_CARDS = 10
LEFT_AFTER = timedelta(hours=12)
"""A session that was left for so long is over."""


class CardRefused(Refused):
    """A card cannot be answered now; the message is translated."""


@transaction.atomic
def begin_session(*, player: Player) -> CardSession | None:
    """The player's open session, else a new one; None when no card is due."""
    _lock(player)
    session = open_session(player)
    if session is not None and session.started_at > now() - LEFT_AFTER:
        if session.card is not None and not can_be_asked(session.card):
            _go_on(session, but=session.card)
        if session.card is not None:
            return session
    if session is not None and session.finished_at is None:
        _finish(session)
    new = CardSession(player=player)
    card = next_card(new)
    if card is None:
        return None
    new.card = card
    new.save()
    return new


def answer_card(*, player: Player, session: str, card: str, text: str) -> CardAnswer:
    """Answer a card of the player's session; an empty ``text`` skips it. Answered once, it stays.

    Raises what ``Question.read`` raises, and CardRefused where the card is not asked now, or can no longer be
    judged.
    """
    with transaction.atomic():
        asked, found = _asked(player, session, card)
        if isinstance(found, CardAnswer):
            return found
        decision = decision_on(found) if can_be_asked(found) else None
        if decision is not None:
            return _answer(asked, found, decision, text)
        _go_on(asked, but=found)
    raise CardRefused(
        _("The match was changed meanwhile. This card does not count. Go on with the next one.")
    )


@transaction.atomic
def resume_card(*, player: Player, card: Card) -> None:
    """Bring a parked card back; nothing happens to any other."""
    _lock(player)
    parked = Card.objects.of_player(player).filter(pk=card.pk, state=CardState.PARKED)
    parked.update(state=CardState.WAITING, due=today(), in_a_row=0, wrong=0)


def _lock(player: Player) -> None:
    Player.objects.select_for_update(no_key=True, of=("self",)).get(pk=player.pk)


def _asked(player: Player, session: str, card: str) -> tuple[CardSession, Card | CardAnswer]:
    """The session with the card that it asks now, or with the answer that the card has there."""
    _lock(player)
    sessions = CardSession.objects.select_related("player", "card__match__sheet")
    found = sessions.filter(player=player, ref=session).first()
    if found is None:
        raise CardRefused(_("There is no session %(ref)s.") % {"ref": session})
    answer = found.answers.filter(card__ref=card).first()
    if answer is not None:
        return found, answer
    if found.card is None or found.card.ref != card:
        raise CardRefused(_("This form is out of date. Reload the page and try again."))
    return found, found.card


def _answer(session: CardSession, card: Card, decision: Decision, text: str) -> CardAnswer:
    question = Question(card)
    answer = CardAnswer(session=session, card=card, number=session.asked + 1, played=decision.played)
    answer.best, answer.played_loss = best_of(decision), decision.error
    if text:
        given = question.read(text)
        _judge(answer, question.judge(given, decision), question.written(decision, given))
        _progress(card, right=bool(answer.right))
    answer.due = card.due
    answer.save()
    session.asked += 1
    _go_on(session)
    return answer


def _judge(answer: CardAnswer, verdict: AnswerVerdict, written: str) -> None:
    answer.given, answer.right = written, verdict.is_right
    answer.loss, answer.is_exact = verdict.loss, verdict.is_exact


def _progress(card: Card, *, right: bool) -> None:
    progress = card.progress.after(right=right)
    card.in_a_row, card.wrong = progress.in_a_row, progress.wrong
    days = progress.interval
    card.due = None if days is None else today() + timedelta(days=days)
    if progress.is_parked:
        card.state = CardState.PARKED
    else:
        card.state = CardState.LEARNED if progress.is_learned else CardState.WAITING
    card.save(update_fields=["in_a_row", "wrong", "due", "state"])


def _go_on(session: CardSession, *, but: Card | None = None) -> None:
    """Ask the next card, or finish after the last one."""
    session.card = next_card(session, but=but) if session.asked < SESSION_CARDS else None
    if session.card is None:
        _finish(session)
    else:
        session.save(update_fields=["card", "asked"])


def _finish(session: CardSession) -> None:
    session.card, session.finished_at = None, now()
    session.save(update_fields=["card", "asked", "finished_at"])
