"""The page on which players and directors report absences from the next round."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from clubs.access import SignedInRequest, decides
from clubs.http.methods import shows_a_form
from clubs.models import Role
from clubs.refusals import with_remedy
from tournaments.core.stages.errors import DrawError
from tournaments.events.access import is_director, known_stage
from tournaments.events.views.moved_events import needs_event_here
from tournaments.log.refusals import DeskRefused
from tournaments.models import EntrantRow, StageRow, StageStatus
from tournaments.stages.queries.round_absences import (
    has_absences,
    own_entrants_of,
    round_absences,
    rounds_left,
)
from tournaments.stages.services.round_absences import join_round, miss_round
from tournaments.stages.services.stages import load

DIGITS = 6
"""Of a round's number, that a form can send."""


@needs_event_here
@decides("the players of the draw and directors of the club")
@shows_a_form
def absent(request: SignedInRequest, stage: str) -> HttpResponse:
    """Report an absence from the next round, or undo it."""
    found, role = known_stage(request.user, stage)
    if not has_absences(found) or found.drawn_at is None:
        raise Http404(_("This draw has no absences."))
    own = own_entrants_of(found, request.user)
    if not own:
        _require_director(role, _("Only players of this draw and directors can report absences."))
    refused = ""
    if request.method == "POST":
        entrant = _named(found, request.POST.get("entrant", ""))
        if entrant is not None and entrant.pk not in own:
            _require_director(role, _("Only directors can report the absence of another player."))
        try:
            return _reported(request, found, entrant)
        except (DeskRefused, DrawError) as error:
            refused = with_remedy(error)
            found, role = known_stage(request.user, stage)
    value = load(found)
    rows = round_absences(found, value)
    if not is_director(role):
        rows = [row for row in rows if row.entrant.pk in own]
    context: dict[str, Any] = {
        "event": found.flight.event,
        "stage": found,
        "number": value.rounds + 1,
        "more": found.status == StageStatus.RUNNING and rounds_left(value),
        "rows": rows,
        "own": own,
        "directs": is_director(role),
        "refused": refused,
    }
    return render(request, "tournaments/stages/absent.html", context, status=409 if refused else 200)


def _require_director(role: Role | None, message: str) -> None:
    if not is_director(role):
        raise PermissionDenied(message)


def _named(stage: StageRow, ref: str) -> EntrantRow | None:
    return EntrantRow.objects.filter(numbers__stage=stage, ref=ref).with_players().first()


def _reported(request: SignedInRequest, stage: StageRow, entrant: EntrantRow | None) -> HttpResponse:
    if entrant is None:
        raise DeskRefused(_("Choose the absent player."), code="nobody")
    typed = request.POST.get("round", "")
    if not (typed.isascii() and typed.isdigit() and len(typed) < DIGITS):
        raise DeskRefused(_("This form is out of date. Reload the page and try again."), code="out_of_date")
    number = int(typed)
    said = {"name": entrant.title, "round": number}
    if request.POST.get("absent") == "no":
        join_round(stage=stage, entrant=entrant, user=request.user, number=number)
        messages.success(request, _("%(name)s plays round %(round)s.") % said)
    else:
        miss_round(stage=stage, entrant=entrant, user=request.user, number=number)
        messages.success(request, _("%(name)s is absent from round %(round)s.") % said)
    return redirect(request.get_full_path())
