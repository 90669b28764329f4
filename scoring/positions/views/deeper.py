"""Deeper analyses of a decision in a match: shown beside the stored one, never in its place."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from clubs.access import SignedInRequest, decides, signed_in
from clubs.http.destinations import sent_back_to
from clubs.http.methods import shows_a_form
from clubs.models import Role, User
from clubs.tasks import wake
from scoring.analysis.queries.privacy import require_analysis
from scoring.engines.asked import Wanted
from scoring.log.queries.sheets import steps_of
from scoring.models import Match, PositionAnalysis
from scoring.notation.transcript import Step
from scoring.positions.queries.deeper import deeper_at, question_at
from scoring.positions.services.positions import (
    PositionRefused,
    cancel_position,
    depth_named,
    request_position,
)
from scoring.sheets.views.visible_match import visible_match


@decides("viewers of the match's club; its members ask")
@shows_a_form
def deeper(request: HttpRequest, match: str, step: int) -> HttpResponse:
    """The deeper analyses of one decision, as a part of a page; a POST by a member asks for one.

    ``decision`` is ``play`` or ``cube``, ``level`` is ``deep`` or ``rollout``; ``stored`` says that the page
    shows a stored verdict above.
    403 where the players keep the analyses.
    """
    found, role = visible_match(request, match)
    require_analysis(request.user, found.pk)
    shown = _step(found, step)
    sent = request.POST if request.method == "POST" else request.GET
    wanted = Wanted.CUBE if sent.get("decision") == Wanted.CUBE else Wanted.PLAY
    members = request.user.is_authenticated and role is not None and role >= Role.MEMBER
    refusal = ""
    if request.method == "POST":
        if not members:
            refusal = _("Only members of %(club)s can analyse its matches.") % {"club": found.club}
        else:
            refusal = _ask(request, shown, wanted)
        if not request.headers.get("HX-Request"):
            if refusal:
                messages.error(request, refusal)
            return redirect("scoring:step", match=found.ref, step=step)
    context = {
        "deeper": deeper_at(shown, wanted),
        "stored": "stored" in sent,
        "match": found,
        "step": step,
        "may_ask": members,
        "refusal": refusal,
    }
    return render(request, "scoring/positions/_deeper.html", context)


def _step(match: Match, number: int) -> Step:
    steps = steps_of(match.sheet)
    if not 1 <= number <= len(steps):
        raise Http404(_("The match %(ref)s has no step %(step)s.") % {"ref": match.ref, "step": number})
    return steps[number - 1]


def _ask(request: HttpRequest, step: Step, wanted: Wanted) -> str:
    """Ask for the analysis; the reason if it is refused, else ""."""
    question = question_at(step, wanted)
    if question is None:
        return _("There is nothing to analyse at this step.")
    user = request.user
    assert isinstance(user, User)  # noqa: S101 - members are signed in
    try:
        level = depth_named(request.POST.get("level", ""))
        row = request_position(question=question.asked, xgid=question.xgid, level=level, user=user)
    except PositionRefused as refused:
        return str(refused)
    wake(row)
    return ""


@signed_in
@require_POST
def cancel(request: SignedInRequest, position: str) -> HttpResponse:
    """Withdraw a request for an analysis; the engine stops when no one else waits for it."""
    row = PositionAnalysis.objects.filter(ref=position).first()
    if row is None:
        raise Http404(_("There is no analysis %(ref)s.") % {"ref": position})
    if not cancel_position(analysis=row, user=request.user):
        messages.info(request, _("This analysis is not yours to stop, or it has ended."))
    return redirect(sent_back_to(request, reverse("scoring:matches")))
