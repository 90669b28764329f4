"""A stage by itself, its archive for anybody who wants to check it, and a pairing with its corrections."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.access import SignedInRequest, decides
from clubs.models import Role
from clubs.views.methods import shows_a_form
from scoring.rules.errors import ScoringError
from scoring.signals import ResultRefusedError
from scoring.views.parts import page_or_part
from tournaments.access import known_pairing, known_stage, require_director
from tournaments.draws.errors import DrawError
from tournaments.forms import DecisionForm
from tournaments.models import Pairing
from tournaments.queries.draw_page import stage_page
from tournaments.services.archives import archive_text
from tournaments.services.corrections import CorrectionPreview, correct_result, match_of, preview_correction
from tournaments.services.events import DeskRefusedError
from tournaments.services.stages import StaleError, load
from tournaments.views.events import WHO_MAY_SEE

LONGEST_SEEN = 9  # digits


@decides(WHO_MAY_SEE)
@require_safe
def stage(request: HttpRequest, stage: str) -> HttpResponse:
    """Rounds, standing and reasons of a stage."""
    found, role = known_stage(request.user, stage)
    context = {
        "stage": found,
        "event": found.flight.event,
        "page": stage_page(found, load(found)),
        "directs": role is not None and role >= Role.DIRECTOR,
    }
    return page_or_part(request, "tournaments/stage.html", context, part="stage")


@decides(WHO_MAY_SEE)
@require_safe
def archive(request: HttpRequest, stage: str) -> HttpResponse:
    """The drawn stage as JSON: ``manage.py check_draw`` proves it, anybody can draw it again."""
    found, _role = known_stage(request.user, stage)
    try:
        text = archive_text(found)
    except DeskRefusedError as refused:
        return HttpResponse(str(refused), status=409, content_type="text/plain; charset=utf-8")
    response = HttpResponse(text, content_type="application/json")
    response.headers["Content-Disposition"] = f'attachment; filename="draw-{found.ref}.json"'
    return response


@decides("directors of the event's club")
@shows_a_form
def result(request: SignedInRequest, pairing: str) -> HttpResponse:
    """A director's result: first what it would change, then the deed."""
    found, role = known_pairing(request.user, pairing)
    require_director(role)
    try:
        match = match_of(found)
    except DeskRefusedError as refused:
        messages.error(request, str(refused))
        return redirect(found.stage)
    names = (found.a.title, found.b.title if found.b else "")
    form = DecisionForm(found, names, request.POST or None)
    context: dict[str, Any] = {
        "pairing": found,
        "match": match,
        "stage": found.stage,
        "event": found.stage.flight.event,
        "form": form,
        "names": names,
    }
    status = 200
    if request.method == "POST" and form.is_valid():
        try:
            if "commit" in request.POST:
                _commit(request, found, form)
                return redirect(found.stage)
            context["preview"] = _preview(found, form)
        except (DeskRefusedError, DrawError, ScoringError, ResultRefusedError, StaleError) as refused:
            form.add_error(None, str(refused))
            status = 409
            if isinstance(refused, StaleError | ResultRefusedError):
                context["preview"] = _preview_anew(request, found, form)
    return render(request, "tournaments/result.html", context, status=status)


def _preview(pairing: Pairing, form: DecisionForm) -> CorrectionPreview:
    return preview_correction(pairing=pairing, decision=form.decision())


def _preview_anew(request: SignedInRequest, pairing: Pairing, form: DecisionForm) -> CorrectionPreview | None:
    """What it would change now; None where the draw has left nothing to decide."""
    found, _role = known_pairing(request.user, pairing.ref)
    try:
        return _preview(found, form)
    except (DeskRefusedError, DrawError) as refused:
        form.add_error(None, str(refused))
        return None


def _commit(request: SignedInRequest, pairing: Pairing, form: DecisionForm) -> None:
    seen = request.POST.get("seen", "")
    correct_result(
        pairing=pairing,
        decision=form.decision(),
        seen=int(seen) if seen.isdecimal() and len(seen) <= LONGEST_SEEN else -1,
        user=request.user,
        reason=form.cleaned_data["reason"],
        decided="decided" in request.POST,
    )
    messages.success(request, _("The result is recorded."))
