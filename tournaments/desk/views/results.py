"""Enter, correct and undo results as a director, with a preview of the effects."""

from typing import Any

from django.contrib import messages
from django.db.models import Prefetch, prefetch_related_objects
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from clubs.access import SignedInRequest, decides
from clubs.http.methods import shows_a_form
from clubs.refusals import with_remedy
from scoring.models import Match, MatchStatus, Seat
from scoring.rules.endings import Ending
from scoring.rules.errors import ScoringError
from scoring.signals import ResultRefused
from tournaments.core.stages.errors import DrawError
from tournaments.desk.forms import DecisionForm, ReopenForm
from tournaments.desk.queries.absences import sides
from tournaments.desk.services.previews import CorrectionPreview, preview_correction, preview_reopening
from tournaments.desk.services.results import (
    correct_result,
    match_of,
    reopen_result,
    report_result,
    require_result,
)
from tournaments.desk.views.desk import REFUSALS
from tournaments.events.access import DIRECTORS, known_pairing, require_director
from tournaments.events.services.events import OvertakenRefused
from tournaments.events.views.moved_events import needs_event_here
from tournaments.log.refusals import DeskRefused
from tournaments.log.seen import length_seen, length_that_must_be_seen
from tournaments.log.services import StaleRefused
from tournaments.models import PairingRow
from tournaments.stages.views.stages import LONGEST_BOARD


@needs_event_here
@decides(DIRECTORS)
@shows_a_form
def result(request: SignedInRequest, pairing: str) -> HttpResponse:
    """Enter or correct a result, after a preview."""
    found, role = known_pairing(request.user, pairing)
    require_director(role)
    try:
        match = match_of(found, board_of(request))
    except DeskRefused as refused:
        messages.error(request, with_remedy(refused))
        return redirect(found.stage)
    names = _names(found, match)
    corrects = match.status == MatchStatus.FINISHED
    recorded = _recorded(match) if corrects else {}
    asked = {"ended": request.GET.get("ended", Ending.PLAYED.value), **recorded}
    form = DecisionForm(found, names, request.POST or None, initial=asked, corrects=corrects)
    context: dict[str, Any] = {
        "pairing": found,
        "match": match,
        "stage": found.stage,
        "event": found.stage.flight.event,
        "form": form,
        "names": names,
        "corrects": corrects,
        "recorded": recorded,
        "endings": _endings(request, form),
        "board": board_of(request) if found.stage.boards > 1 else None,
    }
    status = 200
    if request.method == "POST" and form.is_valid():
        try:
            if "commit" in request.POST:
                _commit(request, found, form)
                if request.GET.get("from") == "desk":
                    return redirect("tournaments:desk", context["event"].ref)
                return redirect(found.stage)
            context["preview"] = _preview(request, found, form)
        except (DeskRefused, DrawError, ScoringError, ResultRefused, StaleRefused) as refused:
            form.add_error(None, with_remedy(refused))
            status = 409
            if isinstance(refused, StaleRefused | ResultRefused | OvertakenRefused):
                context["preview"] = _new_preview(request, found, form)
    return render(request, "tournaments/stages/result.html", context, status=status)


@needs_event_here
@decides(DIRECTORS)
@shows_a_form
def reopen(request: SignedInRequest, pairing: str) -> HttpResponse:
    """Undo a result after a preview of the effects."""
    found, role = known_pairing(request.user, pairing)
    require_director(role)
    form = ReopenForm(request.POST or None)
    board = board_of(request)
    status = 200
    desk = reverse("tournaments:desk", args=[found.stage.flight.event.ref])
    if request.method == "POST" and form.is_valid():
        try:
            reopen_result(
                pairing=found,
                board=board,
                seen=length_that_must_be_seen(request),
                sheet=length_seen(request, "sheet"),
                user=request.user,
                reason=form.cleaned_data["reason"],
                decided="decided" in request.POST,
            )
        except REFUSALS as refused:
            form.add_error(None, with_remedy(refused))
            status = 409
            found, _role = known_pairing(request.user, pairing)
        else:
            messages.success(request, _("Result undone. The match continues."))
            return redirect(desk)
    try:
        preview = preview_reopening(pairing=found, match=require_result(found, board))
    except REFUSALS as refused:
        messages.error(request, with_remedy(refused))
        return redirect(desk)
    context = {
        "pairing": found,
        "event": found.stage.flight.event,
        "form": form,
        "preview": preview,
        "sides": sides(found),
        "board": board if found.stage.boards > 1 else None,
    }
    return render(request, "tournaments/desk/reopen.html", context, status=status)


def _names(pairing: PairingRow, match: Match) -> tuple[str, str]:
    """Who plays: the two entrants, in a team match the players of its board."""
    if pairing.stage.boards > 1:
        seats = Seat.objects.select_related("player__person")
        prefetch_related_objects([match], Prefetch("sides__seats", seats))
        return match.white.name, match.black.name
    a, b = (each.title for each in sides(pairing))
    return a, b


def board_of(request: HttpRequest) -> int:
    """The board of a team match in the request, by default the first."""
    asked = request.GET.get("board", "")
    return int(asked) if asked.isascii() and asked.isdecimal() and len(asked) <= LONGEST_BOARD else 1


def _recorded(match: Match) -> dict[str, int]:
    """The recorded score as initial values; empty for a result without a score."""
    stands = match.result
    if stands.ended != Ending.PLAYED:
        return {}
    return {"a_points": stands.white_points, "b_points": stands.black_points}


def _endings(request: HttpRequest, form: DecisionForm) -> list[tuple[str, str, str]]:
    """The other outcomes: key, label and the address of their form."""
    endings: Any = form.fields["ended"]
    found = []
    for key, words in endings.choices:
        if key != form.asked:
            asked = request.GET.copy()
            asked["ended"] = key
            found.append((key, words, f"{request.path}?{asked.urlencode()}"))
    return found


def _preview(request: SignedInRequest, pairing: PairingRow, form: DecisionForm) -> CorrectionPreview:
    return preview_correction(pairing=pairing, decision=form.decision(), board=board_of(request))


def _new_preview(
    request: SignedInRequest, pairing: PairingRow, form: DecisionForm
) -> CorrectionPreview | None:
    """A new preview; None if the draw no longer allows a result."""
    found, _role = known_pairing(request.user, pairing.ref)
    try:
        return _preview(request, found, form)
    except (DeskRefused, DrawError) as refused:
        form.add_error(None, with_remedy(refused))
        return None


def _commit(request: SignedInRequest, pairing: PairingRow, form: DecisionForm) -> None:
    """Record a first result (with ``desk``, the match as seen) or a correction."""
    if "desk" in request.POST:
        report_result(
            pairing=pairing,
            decision=form.decision(),
            user=request.user,
            seen=length_that_must_be_seen(request, "desk"),
            reason=form.cleaned_data["reason"],
            board=board_of(request),
        )
    else:
        correct_result(
            pairing=pairing,
            decision=form.decision(),
            seen=length_that_must_be_seen(request),
            sheet=length_seen(request, "sheet"),
            user=request.user,
            reason=form.cleaned_data["reason"],
            decided="decided" in request.POST or request.POST.get("commit") == "void",
            stands=request.POST.get("commit") == "stand",
            board=board_of(request),
        )
    messages.success(request, _("Result recorded."))
