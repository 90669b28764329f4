"""The page of a position: edit it, paste it, have it analysed, save it."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.access import SignedInRequest, public, signed_in
from clubs.http.parts import page_or_part
from clubs.tasks import wake
from scoring.engines.asked import asked_of, by_score
from scoring.log.queries.keyset import Order, ref_of, stretch
from scoring.log.queries.words import text_of
from scoring.models import Depth, SavedPosition
from scoring.notation.editing import START, changed, emptied, swapped, with_start
from scoring.notation.identifiers import read_identifier
from scoring.notation.xgid import Xgid, decode_xgid, encode_xgid
from scoring.positions.forms import SaveForm
from scoring.positions.queries.desk import PositionPage
from scoring.positions.services.positions import PositionRefused, depth_named, request_position
from scoring.positions.services.saved import SavingRefused, delete_saved, save_position
from scoring.rules.errors import ScoringError

PART = "desk"
FIELDS = ("length", "white_away", "black_away", "cube", "owner", "turn", "roll", "slot", "side", "checkers")
TICKS = ("crawford", "jacoby", "beavers")
ACTIONS: dict[str, Callable[[Xgid], Xgid]] = {"swap": swapped, "start": with_start, "clear": emptied}


@public
@require_safe
def position(request: HttpRequest) -> HttpResponse:
    """The position of ``xgid``, by default the starting position.

    ``id`` is a pasted identifier; ``edit`` says that the other fields change the position; ``do`` names an
    action. Each leads to the address of the new position.
    """
    seen, problem = _read(request.GET.get("xgid", ""))
    asked = set(request.GET) - {"xgid"}
    if problem == "" and "id" in asked:
        return _pasted(request, seen, request.GET["id"])
    if problem == "" and asked & {"edit", "do"}:
        try:
            seen = _changed(request, seen)
        except ScoringError as error:
            problem = text_of(error)
        else:
            return _led_to(request, seen)
    return _page(request, seen, problem=problem)


def _read(text: str) -> tuple[Xgid, str]:
    """The position of an address, and what is wrong with it."""
    if not text:
        return START, ""
    try:
        return decode_xgid(text.strip()), ""
    except ScoringError as error:
        return START, text_of(error)


def _pasted(request: HttpRequest, seen: Xgid, text: str) -> HttpResponse:
    try:
        return _led_to(request, read_identifier(text))
    except ScoringError as error:
        return _page(request, seen, problem=text_of(error), pasted=text)


def _changed(request: HttpRequest, seen: Xgid) -> Xgid:
    action = request.GET.get("do", "")
    if action in ACTIONS:
        return ACTIONS[action](seen)
    values = {name: request.GET[name] for name in FIELDS if name in request.GET}
    values |= {name: request.GET.get(name, "") for name in TICKS}
    return changed(seen, values)


def _led_to(request: HttpRequest, seen: Xgid) -> HttpResponse:
    """The address of a position; a part of a page is sent at once, with it."""
    if request.headers.get("HX-Target") == PART:
        return _page(request, seen, pushed=address_of(seen))
    return redirect(address_of(seen))


def address_of(seen: Xgid) -> str:
    """The address that holds a position."""
    return f"{reverse('scoring:position')}?{urlencode({'xgid': encode_xgid(seen)}, safe=':')}"


def _page(
    request: HttpRequest,
    seen: Xgid,
    *,
    problem: str = "",
    pasted: str = "",
    pushed: str = "",
    form: SaveForm | None = None,
) -> HttpResponse:
    desk = PositionPage(seen, viewer=request.user)
    saved = desk.saved
    context: dict[str, Any] = {
        "desk": desk,
        "problem": problem,
        "pasted": pasted,
        "here": address_of(seen),
        "link": request.build_absolute_uri(address_of(seen)),
        "form": form or SaveForm(initial={"name": saved.name, "note": saved.note} if saved else None),
    }
    response = page_or_part(request, "scoring/positions/position.html", context, part=PART)
    if pushed:
        response.headers["HX-Push-Url"] = pushed
    return response


@signed_in
@require_POST
def analyse_position(request: SignedInRequest) -> HttpResponse:
    """Ask for the analysis of a position at a level, or of its cube action by score."""
    seen, problem = _read(request.POST.get("xgid", ""))
    if not problem:
        problem = _ask(request, seen)
    if request.headers.get("HX-Target") == PART:
        return _page(request, seen, problem=problem)
    if problem:
        messages.error(request, problem)
    return redirect(address_of(seen))


def _ask(request: SignedInRequest, seen: Xgid) -> str:
    try:
        level = depth_named(request.POST.get("level", Depth.STANDARD))
        question = by_score(seen) if request.POST.get("wanted") == "scores" else asked_of(seen)
        row = request_position(question=question, xgid=encode_xgid(seen), level=level, user=request.user)
    except ScoringError as error:
        return text_of(error)
    except PositionRefused as refused:
        return str(refused)
    if row.is_unfinished:
        wake(row)
    return ""


@signed_in
@require_POST
def save(request: SignedInRequest) -> HttpResponse:
    """Save the position for the user, with a name and a note."""
    seen, problem = _read(request.POST.get("xgid", ""))
    form = SaveForm(request.POST)
    if problem or not form.is_valid():
        return _page(request, seen, problem=problem, form=form)
    try:
        save_position(user=request.user, xgid=encode_xgid(seen), **form.cleaned_data)
    except SavingRefused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, _("Position saved."))
    return redirect(address_of(seen))


@signed_in
@require_safe
def saved_positions(request: SignedInRequest) -> HttpResponse:
    """The user's saved positions, newest first; ``q`` searches names, notes and XGIDs."""
    search = request.GET.get("q", "").strip()
    found = SavedPosition.objects.filter(user=request.user).found_by(search)
    page = stretch(
        found,
        Order("-saved_at", "-ref", cursor="ref"),
        cursor_of=ref_of,
        after=request.GET.get("after", ""),
        before=request.GET.get("before", ""),
    )
    rows = [(row, PositionPage(decode_xgid(row.xgid), viewer=request.user).board) for row in page.rows]
    context = {"rows": rows, "stretch": page, "search": search}
    return page_or_part(request, "scoring/positions/saved.html", context, part="list")


@signed_in
@require_POST
def delete_position(request: SignedInRequest, saved: str) -> HttpResponse:
    """Delete a saved position of the user."""
    if not delete_saved(user=request.user, ref=saved):
        raise Http404(_("There is no saved position %(ref)s.") % {"ref": saved})
    messages.success(request, _("Saved position deleted."))
    return redirect("scoring:saved_positions")
