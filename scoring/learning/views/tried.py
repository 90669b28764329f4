"""Try another play at a step of a match, and see what it costs."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from clubs.access import decides
from clubs.http.methods import shows_a_form
from clubs.models import Role, User
from clubs.tasks import wake
from scoring.analysis.queries.privacy import require_analysis
from scoring.learning.queries.questions import arrows_of
from scoring.learning.queries.tried import AskedRoll, TriedPlay, decision_at, roll_at, tried
from scoring.learning.views.touched import board_script
from scoring.learning.words import tried_words
from scoring.log.queries.words import text_of
from scoring.matches.queries.match_page import MatchPage
from scoring.matches.views.wanted import seat_of
from scoring.models import Depth, Match
from scoring.positions.services.positions import PositionRefused, request_position
from scoring.rules.errors import ScoringError
from scoring.sheets.views.visible_match import visible_match


@decides("viewers of the match's club who can see its analysis; its members ask the engine")
@shows_a_form
def try_play(request: HttpRequest, match: str, step: int) -> HttpResponse:
    """The roll of a step to play otherwise, and with ``answer`` what that play costs.

    A POST by a member asks the engine about the play. 422 for a play that cannot be read or made, 403 where
    the players keep the analysis.
    """
    found, role = visible_match(request, match)
    require_analysis(request.user, found.pk)
    page = MatchPage(found, step, judged=True, viewer=seat_of(request, found), role=role)
    roll = roll_at(page) if page.number == step else None
    text = (request.POST if request.method == "POST" else request.GET).get("answer", "").strip()
    error, play = "", None
    if roll and text:
        try:
            play = tried(page, roll, text)
        except ScoringError as refused:
            error = text_of(refused)
    members = request.user.is_authenticated and role is not None and role >= Role.MEMBER
    if request.method == "POST":
        _ask(request, found, play, members=members)
        return redirect(
            f"{reverse('scoring:try_play', args=[found.ref, step])}?{urlencode({'answer': text})}"
        )
    context = {
        "match": found,
        "club": found.club,
        "page": page,
        "step": step,
        "text": text,
        "error": error,
        "may_ask": members,
        **_shown(page, roll, play),
    }
    return render(request, "scoring/learning/try.html", context, status=422 if error else 200)


def _shown(page: MatchPage, roll: AskedRoll | None, play: TriedPlay | None) -> dict[str, Any]:
    if roll is None:
        return {}
    question = roll.question
    if play is None:
        return {"question": question, **board_script(question)}
    decision = decision_at(page)
    played = decision.played if decision else ""
    return {
        "question": question,
        "tried": play,
        "played": played,
        "said": tried_words(play.text, play.verdict, play.best),
        "board": question.drawn(*arrows_of(play.best, play.text, played)),
    }


def _ask(request: HttpRequest, match: Match, play: TriedPlay | None, *, members: bool) -> None:
    """Ask the engine about the play; a message says why not."""
    user = request.user
    if not members or not isinstance(user, User):
        messages.error(request, _("Only members of %(club)s can analyse its matches.") % {"club": match.club})
    elif play is None:
        messages.error(request, _("There is nothing to analyse at this step."))
    else:
        try:
            row = request_position(
                question=play.asked.asked, xgid=play.asked.xgid, level=Depth.STANDARD, user=user
            )
        except PositionRefused as refused:
            messages.error(request, str(refused))
        else:
            wake(row)
