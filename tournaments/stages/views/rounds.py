"""The page of the next round, where a director publishes it."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from clubs.access import SignedInRequest, decides
from clubs.http.methods import shows_a_form
from clubs.refusals import with_remedy
from tournaments.core.play import acts
from tournaments.core.stages.errors import DrawError
from tournaments.events.access import DIRECTORS, known_stage, require_director
from tournaments.events.views.moved_events import needs_event_here
from tournaments.log.refusals import DeskRefused
from tournaments.log.seen import length_seen
from tournaments.log.services import StaleRefused
from tournaments.models import PairingRow, StageRow, StageStatus
from tournaments.stages.queries.round_absences import has_absences, rounds_left
from tournaments.stages.services.labels import as_listed_when_due
from tournaments.stages.services.rounds import (
    DrawnPair,
    NextRound,
    Pairs,
    RematchRefused,
    let_rounds_wait,
    next_round,
    pair_round,
    withdraw_round,
)
from tournaments.stages.services.stages import load


@needs_event_here
@decides(DIRECTORS)
@shows_a_form
def next_round_page(request: SignedInRequest, stage: str) -> HttpResponse:
    """Show or publish the next round, or set whether rounds wait.

    From the desk (``?from=desk``) it returns there after publishing.
    """
    found, role = known_stage(request.user, stage)
    require_director(role)
    pairs = list(zip(request.POST.getlist("a"), request.POST.getlist("b"), strict=False))
    at_desk = request.GET.get("from") == "desk"
    context: dict[str, Any] = {"event": found.flight.event, "at_desk": at_desk}
    status = 200
    if request.method == "POST":
        try:
            _act(request, found, pairs)
        except (DeskRefused, DrawError, StaleRefused) as refused:
            context["refused"], status = with_remedy(refused), 409
            context["rematches"] = refused.meetings if isinstance(refused, RematchRefused) else ()
        else:
            if "withdraw" in request.POST:
                messages.success(request, _("Round withdrawn. Publish it again when it is right."))
            if {"wait", "withdraw"} & request.POST.keys():
                return redirect(request.get_full_path())
            if at_desk:
                return redirect("tournaments:desk", found.flight.event.ref)
            return redirect(found)
    found, _role = known_stage(request.user, stage)
    coming = None
    if found.in_rounds and found.drawn_at is not None:
        value = as_listed_when_due(found, load(found))
        coming = next_round(found, value)
        if found.status == StageStatus.RUNNING and acts.may_withdraw_round(value):
            context["published"] = value.rounds
        if found.status == StageStatus.RUNNING and has_absences(found) and rounds_left(value):
            context["absences"] = len(value.absent)
    context["confirmed"] = "unconfirmed" in request.POST
    context |= {"stage": found, "coming": coming, "rows": _rows(coming, pairs)}
    if coming is not None:
        context |= {"open": _linked(found, coming.open), "unconfirmed": _linked(found, coming.unconfirmed)}
    return render(request, "tournaments/stages/round.html", context, status=status)


def _act(request: SignedInRequest, stage: StageRow, pairs: Pairs) -> None:
    seen = length_seen(request)
    if "wait" in request.POST:
        let_rounds_wait(stage=stage, wait=request.POST["wait"] == "yes", user=request.user, seen=seen)
        return
    if "withdraw" in request.POST:
        withdraw_round(stage=stage, user=request.user, seen=seen)
        return
    pair_round(
        stage=stage,
        user=request.user,
        pairs=pairs if request.POST.get("pair") == "by hand" else None,
        seen=seen,
        unconfirmed="unconfirmed" in request.POST,
        rematches="rematches" in request.POST,
    )


def _linked(stage: StageRow, meetings: Sequence[DrawnPair]) -> list[tuple[DrawnPair, str]]:
    """Published matches with pairing refs (one query)."""
    rows = PairingRow.objects.current().filter(stage=stage, number__in=[each.number for each in meetings])
    refs = dict(rows.values_list("number", "ref"))
    return [(each, refs[each.number]) for each in meetings]


def _rows(coming: NextRound | None, typed: Pairs) -> Pairs:
    """The pairs in the form: as typed, or as the format would publish."""
    if coming is None:
        return []
    return typed or [(each.a.ref, each.b.ref if each.b else "") for each in coming.due]
