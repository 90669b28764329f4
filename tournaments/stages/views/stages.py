"""Pages of a stage: its address, paths, pairings and audit file."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.access import decides
from clubs.models import Player, User
from tournaments.events.access import WHO_MAY_SEE, known_pairing, known_stage, may_direct
from tournaments.following.queries import follows_of
from tournaments.log.refusals import DeskRefused
from tournaments.stages.queries.draw_page import round_of
from tournaments.stages.queries.pairing_page import boards_of, names_of
from tournaments.stages.queries.stage_picture import picture_of
from tournaments.stages.queries.ways import way_of
from tournaments.stages.services.archives import archive_text
from tournaments.stages.services.stages import load

LONGEST_BOARD = 2


@decides(WHO_MAY_SEE)
@require_safe
def stage(request: HttpRequest, stage: str) -> HttpResponse:
    """Redirect the short address of a draw to its event page."""
    found, _role = known_stage(request.user, stage)
    asked = request.GET.urlencode()
    return redirect(f"{found.get_absolute_url()}{'&' if asked else ''}{asked}")


@decides(WHO_MAY_SEE)
@require_safe
def path(request: HttpRequest, stage: str, entrant: str) -> HttpResponse:
    """One entrant's path through a draw, and the sums of their tie-breaks."""
    found, _role = known_stage(request.user, stage)
    if found.drawn_at is None:
        raise Http404(_("The draw has not been made."))
    picture = picture_of(found, load(found))
    named = next((each for each in picture.names.values() if each.ref == entrant), None)
    if named is None:
        raise Http404(_("Entrant not found in this draw."))
    context = {
        "stage": found,
        "event": found.flight.event,
        "way": way_of(picture, named),
        "players": Player.objects.filter(ref__in=named.players).with_person(),
        "followed": follows_of(request.user if isinstance(request.user, User) else None),
    }
    return render(request, "tournaments/stages/path.html", context)


@decides(WHO_MAY_SEE)
@require_safe
def pairing(request: HttpRequest, pairing: str) -> HttpResponse:
    """A pairing: players, table, reasons, outcome and match."""
    found, role = known_pairing(request.user, pairing)
    boards = boards_of(found)
    names = names_of(found, boards)
    context = {
        "pairing": found,
        "stage": found.stage,
        "event": found.stage.flight.event,
        "directs": may_direct(role, found.stage.flight.event),
        "round": round_of(load(found.stage), found.number, found.round),
        "boards": boards,
        "sides": names.sides,
        "reasons": names.reasons,
        "followed": follows_of(request.user if isinstance(request.user, User) else None),
    }
    return render(request, "tournaments/stages/pairing.html", context)


@decides(WHO_MAY_SEE)
@require_safe
def archive(request: HttpRequest, stage: str) -> HttpResponse:
    """The drawn stage as JSON, for ``manage.py check_draw``."""
    found, _role = known_stage(request.user, stage)
    asked = request.GET.get("superseded", "")
    number = int(asked) if asked.isascii() and asked.isdecimal() and len(asked) <= LONGEST_BOARD else 0
    try:
        text = archive_text(found, superseded=number)
    except DeskRefused as refused:
        return HttpResponse(str(refused), status=409, content_type="text/plain; charset=utf-8")
    response = HttpResponse(text, content_type="application/json")
    response.headers["Content-Disposition"] = f'attachment; filename="draw-{found.ref}.json"'
    return response
