"""What the scoresheet's page asks for and sends while a match is written: JSON, by session.

The API has the same under ``/api/v1/``, through the same services; here the answers are what the page shows.
"""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import segno
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.access import decides
from clubs.http.addresses import for_phones
from scoring.log.bodies import Body, after_in, json_body, json_response, somebody_else
from scoring.log.queries.words import text_of
from scoring.log.queries.writers import Author, author_of, claim_in, ref_of
from scoring.log.services.sheets import require_here
from scoring.models import Match, MatchStatus
from scoring.rules.errors import InvalidValue, ScoringError
from scoring.sheets.queries.opened import Opened
from scoring.sheets.queries.scoresheet import lines_after, names_of, view_for
from scoring.sheets.queries.sheet_changes import changes_for, missing_for
from scoring.sheets.services.appends import SheetOvertakenRefused, append
from scoring.sheets.services.claims import ClaimRefused, make_claim, revoke_claims
from scoring.sheets.services.corrections import correct, undo_last
from scoring.sheets.services.entries import ConflictRefused, EntryRefused
from scoring.sheets.services.refolds import CorrectionRefused
from scoring.sheets.services.requests import correction_in, entries_in, field, keys_in, move_clock
from scoring.sheets.services.results import ConfirmationRefused, confirm_result, object_to_result
from scoring.sheets.services.transcription import record_text
from scoring.sheets.views.opened import opened_match
from scoring.signals import ResultRefused

WRITERS = "the players of the match, the directors of its club, and whoever holds a claim"
Change = Callable[[HttpRequest, Opened, Author, Body], Any]


@decides("whoever may see the match's club")
@require_safe
def sheet_state(request: HttpRequest, match: str) -> HttpResponse:
    """The sheet as the viewer sees it; 304 while the viewer has this version."""
    opened = opened_match(request, match)
    found, author = opened.match, _author(opened, request)
    who = f"{ref_of(author)}-{author.side or ''}{int(author.directs)}" if author else "-"
    tag = f'"{found.version}-{found.sheet.head_seq}-{who}-{get_language()}"'
    if request.headers.get("If-None-Match") == tag:
        response = HttpResponse(status=304)
    else:
        response = json_response(view_for(found.sheet, found, author))
    response.headers["ETag"] = tag
    response.headers["Cache-Control"] = "private, no-cache"
    return response


def _changes(change: Change) -> Callable[..., HttpResponse]:
    """A POST with a JSON body that changes a sheet: load, check who writes, change, answer the new view."""

    @wraps(change)
    def view(request: HttpRequest, match: str) -> HttpResponse:
        body, unreadable = _body_of(request)
        opened, author = _writable(request, match, keys_in(body))
        found, status = opened.match, opened.match.status
        try:
            require_here(found.sheet)
            if unreadable:
                raise unreadable
            if field(body, "writer", str, "") not in {"", ref_of(author)}:
                return somebody_else()
            changed = change(request, opened, author, body)
        except ScoringError as error:
            return _refused(error, at=None)
        except EntryRefused as refused:
            return _refused(refused.error, at=refused.at)
        except CorrectionRefused as misfit:
            return _misfit(found, misfit)
        except (ClaimRefused, ConfirmationRefused) as refused_:
            return json_response({"code": "refused", "detail": str(refused_), "at": None}, status=422)
        except ResultRefused as barred:
            return json_response({"code": barred.code, "detail": str(barred), "at": _last(body)}, status=409)
        except (ConflictRefused, IntegrityError) as overtaken:
            return _conflict(_present(overtaken, opened, request), request, body)
        if isinstance(changed, HttpResponse):
            return changed
        if isinstance(changed, Match) and changed.status == MatchStatus.PLAYING == status:
            # who plays and who writes is as it was loaded: only the sheet has moved on
            found.version = changed.version
            return json_response(view_for(changed.sheet, found, author))
        return json_response(_view(opened_match(request, match), request))

    return decides(WRITERS)(require_POST(view))


def _body_of(request: HttpRequest) -> tuple[Body, InvalidValue | None]:
    """The body, and what is wrong with it: said once it is known who asks."""
    try:
        return json_body(request), None
    except InvalidValue as error:
        return {}, error


def _writable(request: HttpRequest, ref: str, keys: Sequence[str]) -> tuple[Opened, Author]:
    """The match and what the viewer writes as. Raises Http404 or PermissionDenied."""
    opened = opened_match(request, ref, keys)
    author = _author(opened, request)
    if author is None:
        raise PermissionDenied(_("Only its players, its scorers and the club's directors write this match."))
    return opened, author


def _author(opened: Opened, request: HttpRequest) -> Author | None:
    match = opened.match
    return author_of(match, request.user, role=opened.role, claim=claim_in(request.session, match))


def _view(opened: Opened, request: HttpRequest) -> dict[str, Any]:
    return view_for(opened.match.sheet, opened.match, _author(opened, request))


@_changes
def sheet_events(_request: HttpRequest, opened: Opened, author: Author, body: Body) -> Match | HttpResponse:
    """Append entries: all of them or none.

    A page that ``holds`` the version of the view that the entries follow is answered with what changed.
    """
    entries, holds = entries_in(body, author), field(body, "holds", int, -1)
    changed = append(opened=opened, author=author, after=field(body, "after", int), entries=entries)
    if isinstance(changed, Match):
        return changed
    if holds != changed.version:
        return opened.match
    news = changes_for(
        opened.match,
        author,
        follows=changed.version,
        before=changed.before,
        state=changed.state,
        events=changed.rows,
    )
    return json_response(news)


@_changes
def sheet_undo(_request: HttpRequest, opened: Opened, author: Author, body: Body) -> Match:
    """Take back the last event that stands."""
    match = opened.match
    return undo_last(match=match, author=author, after=field(body, "after", int), key=field(body, "key", str))


@_changes
def sheet_correct(_request: HttpRequest, opened: Opened, author: Author, body: Body) -> Match:
    """Put another event in the place of an earlier one."""
    return correct(match=opened.match, author=author, **correction_in(body, author))


@_changes
def sheet_text(_request: HttpRequest, opened: Opened, author: Author, body: Body) -> Match:
    """Record a typed line: a roll and its play, cube actions, resignations."""
    return record_text(
        match=opened.match,
        author=author,
        after=field(body, "after", int),
        key=field(body, "key", str),
        text=field(body, "text", str),
    )


@_changes
def sheet_clock(_request: HttpRequest, opened: Opened, author: Author, body: Body) -> Match:
    """Start, press, pause or (directors) set the clock."""
    return move_clock(opened.match, author, body)


@_changes
def sheet_claims(request: HttpRequest, opened: Opened, author: Author, body: Body) -> HttpResponse:
    """A new code for somebody without a login, shown this once, with its address as a QR code."""
    claim, code = make_claim(match=opened.match, author=author, side=field(body, "side", str, ""))
    address = claim_address(request, code)
    qr = segno.make(address).svg_inline(scale=4, border=2, omitsize=True)
    shown = {"code": code, "url": address, "qr": qr, "side": claim.side or None}
    return json_response({**shown, "expires_at": claim.expires_at.isoformat()}, status=201)


@_changes
def revoke_sheet_claims(_request: HttpRequest, opened: Opened, author: Author, _body: Body) -> HttpResponse:
    """End every code of the match."""
    if author.user is None:
        raise PermissionDenied(_("A claim is ended by those who have a login."))
    return json_response({"revoked": revoke_claims(match=opened.match)})


@_changes
def object_result(_request: HttpRequest, opened: Opened, author: Author, body: Body) -> None:
    """Say no to the result: it waits for a director then."""
    object_to_result(
        match=opened.match,
        side=author.side,
        user=author.user,
        claim=author.claim,
        reason=field(body, "reason", str, ""),
        revision=_revision(body),
    )


@_changes
def confirm_sheet(_request: HttpRequest, opened: Opened, author: Author, body: Body) -> None:
    """Say yes to the result: as the director one is, else for one's own side; claims may, too."""
    confirm_result(
        match=opened.match,
        user=author.user,
        as_director=author.directs,
        claim=author.claim,
        revision=_revision(body),
    )


def claim_address(request: HttpRequest, code: str) -> str:
    """The address that opens a claim, as a QR code holds it."""
    return for_phones(request, reverse("scoring:join_sheet", args=[code]))


def _revision(body: Body) -> int | None:
    """Which revision of the result the writer looked at, if that is said."""
    return None if body.get("revision") is None else field(body, "revision", int)


def _last(body: Body) -> int | None:
    """The index of the last entry: what a result follows from."""
    entries = body.get("entries")
    return len(entries) - 1 if isinstance(entries, list) else None


def _refused(error: ScoringError, *, at: int | None) -> JsonResponse:
    problem: dict[str, Any] = {"code": error.code, "detail": text_of(error), "at": at}
    if "readings" in error.parameters:
        lines = error.parameters.get("lines", error.parameters["readings"])
        pairs = zip(error.parameters["readings"], lines, strict=True)
        problem["readings"] = [{"words": reading, "text": line} for reading, line in pairs]
    return json_response(problem, status=422)


def _misfit(match: Match, misfit: CorrectionRefused) -> JsonResponse:
    lines = lines_after(match.sheet, names_of(match), misfit.seq - 1)
    broken = {"seq": misfit.seq, "line": lines[0] if lines else None, "reason": text_of(misfit.error)}
    return json_response({"does_not_fit": broken}, status=409)


def _present(overtaken: Exception, opened: Opened, request: HttpRequest) -> Opened:
    """The match as it is by now: as it was read, unless somebody else has written since."""
    if isinstance(overtaken, SheetOvertakenRefused):
        return overtaken.opened
    if isinstance(overtaken, ConflictRefused) and overtaken.seq == opened.match.sheet.head_seq:
        return opened
    return opened_match(request, opened.match.ref)


def _conflict(opened: Opened, request: HttpRequest, body: Body) -> JsonResponse:
    """The lines that came between; what else the page lacks, if it says what it holds, or the whole view."""
    match, author, after = opened.match, _author(opened, request), after_in(body)
    theirs = lines_after(match.sheet, names_of(match), after)
    holds = body.get("holds", 0)
    follows = holds if isinstance(holds, int) else 0
    news = missing_for(match, author, follows=follows, after=after, theirs=theirs)
    found = news or {"state": view_for(match.sheet, match, author)}
    return json_response({"conflict": True, **found, "theirs": theirs}, status=409)
