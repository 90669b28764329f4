"""My mistakes: the overview, a session of cards, the verdict on an answer."""

from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from clubs.access import SignedInRequest, signed_in
from clubs.http.methods import shows_a_form
from clubs.http.parts import page_or_part
from clubs.models import Player, WorkStatus
from clubs.tasks import wake
from scoring.learning.queries.cards import (
    card_stretch,
    counts_of,
    last_session,
    newest_fill,
    next_day,
    open_session,
)
from scoring.learning.queries.questions import Question, arrows_of
from scoring.learning.queries.shared import may_coach
from scoring.learning.queries.steps import decision_url
from scoring.learning.services.filling import ask_to_fill
from scoring.learning.services.sessions import (
    SESSION_CARDS,
    CardRefused,
    answer_card,
    begin_session,
    resume_card,
)
from scoring.learning.views.touched import board_script
from scoring.learning.words import match_words, next_words, return_words, verdict_words
from scoring.log.queries.words import text_of
from scoring.models import Card, CardAnswer, CardSession, CardState
from scoring.rules.errors import ScoringError
from scoring.theory.cards import LIMIT


@signed_in
@never_cache
@require_safe
def mistakes(request: SignedInRequest) -> HttpResponse:
    """The player's mistakes: how many are due, and all of them by state; looks for earlier ones at first."""
    player = _player(request)
    if player is None:
        return render(request, "scoring/learning/mistakes.html", {"limit": LIMIT})
    fill = newest_fill(player)
    if fill is None:
        with transaction.atomic():
            if fill := ask_to_fill(player=player):
                wake(fill)
    wanted = request.GET.get("state", "")
    state = wanted if wanted in CardState.values else CardState.WAITING.value
    after, before = request.GET.get("after", ""), request.GET.get("before", "")
    counts = counts_of(player)
    context = {
        "player": player,
        "counts": counts,
        "limit": LIMIT,
        "states": [(each.value, each.label, getattr(counts, each.value)) for each in CardState],
        "state": state,
        "stretch": card_stretch(player, state=state, after=after, before=before),
        "session": open_session(player),
        "filling": fill if fill and fill.status in {WorkStatus.QUEUED, WorkStatus.RUNNING} else None,
        "next_words": next_words(next_day(player)) if counts.all and not counts.due else "",
    }
    return page_or_part(request, "scoring/learning/mistakes.html", context, part="list")


@signed_in
@never_cache
@shows_a_form
def mistake_session(request: SignedInRequest) -> HttpResponse:
    """The card that is asked now, or how the last session went; a POST begins a session."""
    player = _player(request)
    if request.method == "POST":
        if player is None or begin_session(player=player) is None:
            messages.info(request, _("No card is due."))
            return redirect("scoring:mistakes")
        return redirect("scoring:mistake_session")
    session = open_session(player) if player else None
    if session is not None and session.card is not None:
        return render(request, "scoring/learning/card.html", _asked(session, session.card))
    last = last_session(player) if player else None
    if player is None or last is None:
        return redirect("scoring:mistakes")
    context = {"session": last, "answers": _given(last), "next_words": next_words(next_day(player))}
    context["due"] = counts_of(player).due
    return render(request, "scoring/learning/session_over.html", context)


@signed_in
@require_POST
def answer_mistake(request: SignedInRequest, session: str, card: str) -> HttpResponse:
    """Answer the card, or skip it; what cannot be read or played is asked again with the reason."""
    own = CardSession.objects.select_related("player")
    player = get_object_or_404(own, ref=session, player__user=request.user).player
    text = "" if "skip" in request.POST else request.POST.get("answer", "").strip()
    if not text and "skip" not in request.POST:
        return _again(request, player, session, card, _("Move the checkers, or type a play."), text)
    try:
        answer = answer_card(player=player, session=session, card=card, text=text)
    except CardRefused as refused:
        messages.info(request, str(refused))
        return redirect("scoring:mistake_session")
    except ScoringError as error:
        return _again(request, player, session, card, text_of(error), text)
    if answer.right is None:
        return redirect("scoring:mistake_session")
    return redirect("scoring:mistake_answer", answer=answer.ref)


@signed_in
@never_cache
@require_safe
def mistake_answer(request: SignedInRequest, answer: str) -> HttpResponse:
    """The verdict on an answer: best, the answer, what was played, and when the card comes back."""
    given = CardAnswer.objects.select_related("session", "card__match__club", "card__match__result")
    found = get_object_or_404(
        given.exclude(right=None).prefetch_related("card__match__sides__seats__player__person"),
        ref=answer,
        session__player__user=request.user,
    )
    question = Question(found.card)
    state = CardState.PARKED if found.due is None and not found.right else CardState.WAITING
    context = {
        "answer": found,
        "question": question,
        "board": question.drawn(*arrows_of(found.best, found.given, found.played)),
        "verdict": verdict_words(found),
        "in_match": match_words(found),
        "returns": return_words(state, found.due, found.at.date()),
        "dots": dots_of(found.session, upto=found.number),
        "number": found.number,
        "match": found.card.match,
        "cards": SESSION_CARDS,
    }
    return render(request, "scoring/learning/answer.html", context)


@signed_in
@require_POST
def resume_mistake(request: SignedInRequest, card: str) -> HttpResponse:
    """Bring a parked card back."""
    found = get_object_or_404(Card.objects.select_related("player"), ref=card, player__user=request.user)
    resume_card(player=found.player, card=found)
    messages.success(request, _("The card is due again."))
    return redirect("scoring:mistakes")


@signed_in
@require_safe
def mistake_match(request: SignedInRequest, card: str) -> HttpResponse:
    """Leads to the decision of a card on the page of its match, for its player and their coach."""
    found = get_object_or_404(Card.objects.select_related("player", "match__sheet", "match__club"), ref=card)
    if found.player.user_id != request.user.pk and not may_coach(request.user, found):
        raise Http404(_("There is no card %(ref)s.") % {"ref": card})
    return redirect(decision_url(found))


def _player(request: SignedInRequest) -> Player | None:
    return Player.objects.with_person().filter(user=request.user).first()


def _again(
    request: HttpRequest, player: Player, session: str, card: str, error: str, text: str
) -> HttpResponse:
    """The same card with the reason why its answer was not taken."""
    found = open_session(player)
    if found is None or found.card is None or (found.ref, found.card.ref) != (session, card):
        messages.info(request, _("This form is out of date. Reload the page and try again."))
        return redirect("scoring:mistake_session")
    context = _asked(found, found.card) | {"error": error, "text": text}
    return render(request, "scoring/learning/card.html", context, status=422)


def _asked(session: CardSession, card: Card) -> dict[str, Any]:
    question = Question(card)
    return {
        "session": session,
        "card": card,
        "question": question,
        "dots": dots_of(session, upto=session.asked),
        "number": session.asked + 1,
        "cards": SESSION_CARDS,
        **board_script(question),
    }


def dots_of(session: CardSession, *, upto: int) -> list[str]:
    """A mark for each card of a session: "right", "wrong", "skipped", or "" for one that is to come."""
    answers = session.answers.filter(number__lte=upto).order_by("number")
    names = {True: "right", False: "wrong", None: "skipped"}
    given = [names[right] for right in answers.values_list("right", flat=True)]
    return given + [""] * (SESSION_CARDS - len(given))


def _given(session: CardSession) -> list[tuple[CardAnswer, str]]:
    answers = session.answers.exclude(right=None).select_related("card").order_by("number")
    return [(answer, verdict_words(answer)) for answer in answers]
