"""Broadcast overlays: a match on a transparent page for OBS and similar programs."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.access import decides
from scoring.models import Match
from scoring.sheets.queries.scoresheet import view_for
from tournaments.events.access import WHO_MAY_SEE, known_event, known_pairing
from tournaments.models import Board, Event, PairingRow, PairingState


@decides(WHO_MAY_SEE)
@require_safe
def overlay(request: HttpRequest, pairing: str) -> HttpResponse:
    """Overlay of one pairing: names, score, cube, clock and last play, live."""
    found, _role = known_pairing(request.user, pairing)
    return _shown(request, found.stage.flight.event, found)


@decides(WHO_MAY_SEE)
@require_safe
def featured(request: HttpRequest, event: str) -> HttpResponse:
    """Overlay of the featured match at one address per event; empty without one."""
    found, _role = known_event(request.user, event)
    return _shown(request, found, _featured(found))


def _featured(event: Event) -> PairingRow | None:
    open_ones = PairingRow.objects.filter(stage__flight__event=event, state=PairingState.OPEN, featured=True)
    return open_ones.select_related("stage").order_by("-called_at", "number").first()


def _shown(request: HttpRequest, event: Event, pairing: PairingRow | None) -> HttpResponse:
    match = _match(pairing) if pairing is not None else None
    context: dict[str, Any] = {"event": event, "pairing": pairing, "match": match}
    if match is not None:
        view = view_for(match.sheet, match, None)
        played = [line["words"] for line in view["lines"] if not line["undone"] and line["by"]]
        context |= {"view": view, "last": played[-1] if played else ""}
        cube = view["game"]["cube"]
        context["cube_on"] = cube["owner"] if cube["in_use"] else ""
    return render(request, "tournaments/display/overlay.html", context)


def _match(pairing: PairingRow) -> Match:
    boards = Board.objects.filter(pairing=pairing).order_by("number").values("match")[:1]
    match = Match.objects.filter(pk__in=boards).with_players().select_related("sheet", "club").first()
    if match is None:
        raise Http404(_("This pairing has no match."))
    return match
