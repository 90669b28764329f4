"""What a chouette's page asks for and sends while the night goes on: JSON, by session.

The API has the same under ``/api/v1/``, through the same services; here the answers are what the page shows.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.db import IntegrityError
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.access import decides
from scoring.chouettes.queries.chouettes import lines_since, qr_code, refusal_text, table_view
from scoring.chouettes.services.boards import open_board
from scoring.chouettes.services.chouettes import correct, record, undo_last
from scoring.chouettes.services.requests import table_correction_in, table_entries_in
from scoring.chouettes.services.seats import open_seat
from scoring.chouettes.services.tables import renew_code
from scoring.log.bodies import Body, after_in, json_body, json_response, somebody_else
from scoring.log.queries.chouettes import SeenTable, seen_table
from scoring.log.queries.words import text_of
from scoring.log.queries.writers import ref_of
from scoring.models import Chouette
from scoring.rules.errors import ScoringError
from scoring.sheets.services.entries import ConflictRefused, EntryRefused
from scoring.sheets.services.refolds import CorrectionRefused
from scoring.sheets.services.requests import field

SEATED = "who sits or sat at the table, who opened it, the directors of its club"
Change = Callable[[SeenTable, Body], Chouette]


def table_for(request: HttpRequest, ref: str) -> SeenTable:
    """The table as the viewer sees it. Raises Http404 for whoever must not know of it."""
    seen = seen_table(request.user, ref, request.session)
    if seen is None:
        raise Http404(_("There is no such table."))
    return seen


@decides(SEATED)
@require_safe
def chouette_state(request: HttpRequest, chouette: str) -> HttpResponse:
    """The table as the viewer sees it; 304 while the viewer has this version."""
    seen = table_for(request, chouette)
    me = seen.me.ref if seen.me else "-"
    tag = f'"{seen.chouette.version}-{me}-{ref_of(seen.author)}-{int(seen.money_shown)}-{get_language()}"'
    if request.headers.get("If-None-Match") == tag:
        response = HttpResponse(status=304)
    else:
        response = json_response(_shown(request, seen))
    response.headers["ETag"] = tag
    response.headers["Cache-Control"] = "private, no-cache"
    return response


@decides(SEATED)
@require_POST
def chouette_board(request: HttpRequest, chouette: str) -> HttpResponse:
    """Where the game that is on is recorded on a board: begun now, unless somebody has begun it."""
    seen = table_for(request, chouette)
    try:
        match = open_board(chouette=seen.chouette, author=seen.author)
    except EntryRefused as refused:
        return json_response({"code": refused.error.code, "detail": text_of(refused.error)}, status=422)
    return json_response({"match": match.ref, "url": reverse("scoring:scoresheet", args=[match.ref])})


@decides(SEATED)
@require_POST
def chouette_seats(request: HttpRequest, chouette: str) -> HttpResponse:
    """A guest's seat is opened for another phone: where it leads there, as a link and as a QR code."""
    seen = table_for(request, chouette)
    try:
        body = json_body(request)
        player, key = field(body, "player", str), field(body, "key", str)
        secret = open_seat(chouette=seen.chouette, author=seen.author, player=player, key=key)
    except ScoringError as error:
        return _refused(seen, error, at=None)
    except EntryRefused as refused:
        return _refused(seen, refused.error, at=refused.at)
    url = request.build_absolute_uri(reverse("scoring:take_seat", args=[secret]))
    return json_response({"url": url, "qr": qr_code(url)}, status=201)


def _changes(change: Change) -> Callable[..., HttpResponse]:
    """A POST with a JSON body that changes a table: load, check who writes, change, answer the new view."""

    @wraps(change)
    def view(request: HttpRequest, chouette: str) -> HttpResponse:
        seen = table_for(request, chouette)
        body: Body = {}
        try:
            body = json_body(request)
            if field(body, "writer", str, "") not in {"", ref_of(seen.author)}:
                return somebody_else()
            change(seen, body)
        except ScoringError as error:
            return _refused(seen, error, at=None)
        except EntryRefused as refused:
            return _refused(seen, refused.error, at=refused.at)
        except CorrectionRefused as misfit:
            return _misfit(seen, misfit)
        except (ConflictRefused, IntegrityError):
            return _conflict(request, chouette, after_in(body))
        return json_response(_shown(request, table_for(request, chouette)))

    return decides(SEATED)(require_POST(view))


@_changes
def chouette_events(seen: SeenTable, body: Body) -> Chouette:
    """Append entries: all of them or none."""
    entries, newcomers = table_entries_in(body)
    return record(
        chouette=seen.chouette,
        author=seen.author,
        after=field(body, "after", int),
        entries=entries,
        newcomers=newcomers,
    )


@_changes
def chouette_undo(seen: SeenTable, body: Body) -> Chouette:
    """Take back the last event that stands."""
    after, key = field(body, "after", int), field(body, "key", str)
    return undo_last(chouette=seen.chouette, author=seen.author, after=after, key=key)


@_changes
def chouette_code(seen: SeenTable, _body: Body) -> Chouette:
    """Give the table another code to join it by."""
    renew_code(chouette=seen.chouette, author=seen.author)
    return seen.chouette


@_changes
def chouette_correct(seen: SeenTable, body: Body) -> Chouette:
    """Put another event in the place of an earlier one."""
    return correct(chouette=seen.chouette, author=seen.author, **table_correction_in(body))


def _shown(request: HttpRequest, seen: SeenTable) -> dict[str, Any]:
    """The table for a device, which several people may use: with whom the server takes for its writer."""
    view = table_view(seen, request.build_absolute_uri("/").rstrip("/"))
    return view | {"writer": ref_of(seen.author)}


def _refused(seen: SeenTable, error: ScoringError, *, at: int | None) -> HttpResponse:
    problem: dict[str, Any] = {"code": error.code, "detail": refusal_text(seen, error), "at": at}
    return json_response(problem, status=422)


def _misfit(seen: SeenTable, misfit: CorrectionRefused) -> HttpResponse:
    lines = lines_since(seen, misfit.seq - 1)
    reason = refusal_text(seen, misfit.error)
    broken = {"seq": misfit.seq, "line": lines[0] if lines else None, "reason": reason}
    return json_response({"does_not_fit": broken}, status=409)


def _conflict(request: HttpRequest, ref: str, after: int) -> HttpResponse:
    seen = table_for(request, ref)
    state = _shown(request, seen)
    return json_response({"conflict": True, "state": state, "theirs": lines_since(seen, after)}, status=409)
