"""What members share of their mistakes: the switches, the position of the week, the coach's view."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from clubs.access import ClubRequest, SignedInRequest, club_role, signed_in
from clubs.http.methods import shows_a_form
from clubs.http.parts import page_or_part
from clubs.models import Club, Membership, Player, Role
from clubs.people.services.names import player_of
from scoring.learning.queries.cards import card_stretch, today
from scoring.learning.queries.judged import decision_on
from scoring.learning.queries.questions import Question, arrows_of
from scoring.learning.queries.shared import (
    answer_of,
    coached_player,
    coached_players,
    current_position,
    earlier_position,
    shared_cards,
    shares_of,
    sharing_of,
    week_of,
    weeks_beside,
)
from scoring.learning.services.sessions import CardRefused
from scoring.learning.services.sharing import answer_week, share_mistakes
from scoring.learning.views.touched import board_script
from scoring.learning.words import action_words, best_words, verdict_words
from scoring.log.queries.words import text_of
from scoring.models import CardAnswer, CardState, WeekAnswer, WeekPosition
from scoring.rules.errors import ScoringError
from scoring.theory.cards import best_of


@signed_in
@never_cache
@shows_a_form
def mistake_sharing(request: SignedInRequest) -> HttpResponse:
    """What the player shares with each club; a POST sets it for one."""
    player = Player.objects.filter(user=request.user).first()
    if request.method == "POST":
        mine = Membership.objects.select_related("club", "player").filter(player__user=request.user)
        membership = get_object_or_404(mine, club__ref=request.POST.get("club", ""))
        consents = {name: name in request.POST for name in ("coach", "quiz")}
        share_mistakes(player=membership.player, club=membership.club, **consents)
        messages.success(request, _("Saved."))
        return redirect("scoring:mistake_sharing")
    return render(request, "scoring/learning/sharing.html", {"clubs": sharing_of(player) if player else []})


@club_role(Role.MEMBER)
@never_cache
@shows_a_form
def week_position(request: ClubRequest, club: Club) -> HttpResponse:
    """The club's position of the week: asked once, then the verdict and what everyone answered.

    ``week``, a Monday, shows the position of an earlier week with its verdict.
    """
    if request.method == "POST":
        return _answered(request, club)
    asked = request.GET.get("week", "")
    if not asked:
        return _shown(request, club, {})
    position = earlier_position(club, asked)
    if position is None:
        raise Http404(_("The club has no position for the week of %(week)s.") % {"week": asked})
    answer = answer_of(position, request.user) or WeekAnswer(position=position)
    question = Question(position.card)
    context = {"club": club, "role": request.role, "position": position, "question": question}
    context |= _verdict(position, question, answer) | _weeks(club, position) | {"is_over": True}
    return render(request, "scoring/learning/week_position.html", context)


def _weeks(club: Club, position: WeekPosition | None) -> dict[str, Any]:
    """Where the buttons to the positions of other weeks lead."""
    before, after = weeks_beside(club, position.week if position else week_of(today()))
    return {"before": before, "after": after, "this_week": week_of(today())}


def _answered(request: ClubRequest, club: Club) -> HttpResponse:
    text = request.POST.get("answer", "").strip()
    try:
        answer_week(club=club, player=player_of(user=request.user), text=text)
    except CardRefused as refused:
        messages.info(request, str(refused))
    except ScoringError as error:
        return _shown(request, club, {"error": text_of(error), "text": text}, status=422)
    return redirect("scoring:week_position", club=club.slug)


def _shown(request: ClubRequest, club: Club, more: dict[str, Any], *, status: int = 200) -> HttpResponse:
    position = current_position(club)
    context = {"club": club, "role": request.role, "position": position, **_weeks(club, position), **more}
    if position is not None:
        answer = answer_of(position, request.user)
        question = Question(position.card)
        context |= {"question": question}
        context |= board_script(question) if answer is None else _verdict(position, question, answer)
    return render(request, "scoring/learning/week_position.html", context, status=status)


def _verdict(position: WeekPosition, question: Question, answer: WeekAnswer) -> dict[str, Any]:
    decision = decision_on(position.card)
    best, played = (best_of(decision), decision.played) if decision else ("", "")
    given = CardAnswer(
        given=answer.given,
        right=answer.right,
        loss=answer.loss,
        is_exact=answer.is_exact,
        best=best,
        played=played,
        played_loss=decision.error if decision else None,
    )
    return {
        "answer": given,
        "board": question.drawn(*arrows_of(best, answer.given, played)),
        "verdict": verdict_words(given) if given.given else best_words(best) if best else "",
        "shares": [(action_words(each.given), each) for each in shares_of(position)],
    }


@club_role(Role.DIRECTOR)
@never_cache
@require_safe
def club_mistakes(request: ClubRequest, club: Club) -> HttpResponse:
    """Members who let directors see their mistakes."""
    context = {"club": club, "players": coached_players(club).order_by("person__sort_key", "pk")}
    return render(request, "scoring/learning/club_mistakes.html", context)


@club_role(Role.DIRECTOR)
@never_cache
@require_safe
def member_mistakes(request: ClubRequest, club: Club, player: str) -> HttpResponse:
    """A member's mistakes in the club's matches, if they share them with directors."""
    found = coached_player(club, player)
    if found is None:
        raise Http404(_("No member shares mistakes under the ref %(ref)s.") % {"ref": player})
    wanted = request.GET.get("state", "")
    state = wanted if wanted in CardState.values else CardState.WAITING.value
    after, before = request.GET.get("after", ""), request.GET.get("before", "")
    context = {
        "club": club,
        "player": found,
        "state": state,
        "states": [
            (each.value, each.label, getattr(found, each.value))
            for each in (CardState.WAITING, CardState.LEARNED, CardState.PARKED)
        ],
        "stretch": card_stretch(
            found, state=state, among=shared_cards(club, coach=True), after=after, before=before
        ),
    }
    return page_or_part(request, "scoring/learning/member_mistakes.html", context, part="list")
