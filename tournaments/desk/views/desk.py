"""The desk, from which directors run an event, and its log."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.dateparse import parse_datetime
from django.utils.timezone import override
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from clubs.access import SignedInRequest, decides
from clubs.http.parts import page_or_part
from clubs.refusals import with_remedy
from clubs.templatetags.shell import named_errors
from scoring.log.queries.writers import Author, ref_of
from scoring.rules.errors import ScoringError
from scoring.rules.sides import Side
from scoring.signals import ResultRefused
from tournaments.core.stages.errors import DrawError
from tournaments.core.stages.outcomes import Gone
from tournaments.desk.forms import PairingActionForm, PenaltyForm, TableForm, TablesForm
from tournaments.desk.queries.desk import desk_page
from tournaments.desk.queries.event_log import SIZE, desk_lines, event_log
from tournaments.desk.services.calls import call, call_ready, feature, move, start
from tournaments.desk.services.departures import leave
from tournaments.desk.services.penalties import penalise
from tournaments.desk.services.tables import change_table as change
from tournaments.desk.services.tables import make_tables as make
from tournaments.desk.services.undo import undo as take_back
from tournaments.events.access import (
    DIRECTORS,
    directed_event,
    directed_pairing,
    known_entrant,
    require_director,
)
from tournaments.events.services.changes import change_event
from tournaments.events.views.answers import answers
from tournaments.events.views.conflicts import shown_at
from tournaments.log.kinds import KINDS, PRIVATE, UNDOABLE
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import StaleRefused
from tournaments.models import Event
from tournaments.stages.services.stages import load_fresh
from tournaments.words.clauses import CLAUSES

SENTENCES = {
    "unsent": gettext_lazy("unsent: %(what)s"),
    "needs_line": gettext_lazy("You are offline, so this was not done. Try again when you are connected."),
    "result": gettext_lazy("%(a)s – %(b)s: %(points)s"),
    "wins": gettext_lazy("%(name)s wins"),
    "sign_in": gettext_lazy("Your entries are kept on this device. Sign in again as %(name)s to send them."),
    "others": gettext_lazy(
        "Unsent entries of another user on this device: %(count)s. They are sent when that user signs in."
    ),
}
"""Messages of the page's script, which fills in the values."""
REFUSALS = (DeskRefused, DrawError, StaleRefused, ScoringError, ResultRefused)


@decides(DIRECTORS)
@never_cache
@require_safe
def desk(request: SignedInRequest, event: str) -> HttpResponse:
    """Show the desk."""
    return desk_as_it_is(request, event)


@answers("desk")
def desk_as_it_is(request: SignedInRequest, event: str, *, refused: str = "") -> HttpResponse:
    """Render the desk, after a refusal with its message (409)."""
    found = directed_event(request.user, event)
    page = desk_page(found, read=load_fresh)
    said = desk_lines(found, [*page.latest, *page.latest_results], page.subjects)
    context = {
        "event": found,
        "refused": refused,
        "club": found.club,
        "desk": page,
        "free_tables": page.free_tables,
        "break_on": page.break_on,
        "latest": said[: len(page.latest)],
        "latest_results": said[len(page.latest) :],
        "undo_seq": max((line.seq or 0 for line in said if line.may_undo), default=0),
        "tables_form": TablesForm(),
        "words": {name: str(words) for name, words in SENTENCES.items()},
        "config": {
            "event": found.ref,
            "worker": reverse("scoring:service_worker"),
            "me": reverse("api:me"),
            "login": request.user.email,
            "writer": {"ref": ref_of(Author(user=request.user)), "name": request.user.email},
        },
    }
    with override(found.tz):
        shown = shown_at(request, reverse("tournaments:desk", args=[found.ref]))
        status = 409 if refused else 200
        return page_or_part(shown, "tournaments/desk/desk.html", context, part="desk", status=status)


@decides(DIRECTORS)
@require_POST
def call_all(request: SignedInRequest, event: str) -> HttpResponse:
    """Call all ready matches while tables are free."""
    found = directed_event(request.user, event)

    def act() -> str:
        called = len(call_ready(event=found, user=request.user))
        if not called:
            return _("No match called: none is ready, or no table is free.")
        return ngettext("%(n)s match called.", "%(n)s matches called.", called) % {"n": called}

    return done(request, found, act)


@decides(DIRECTORS)
@require_POST
def pairing_action(request: SignedInRequest, pairing: str) -> HttpResponse:
    """Call, move, start or feature a match."""
    found = directed_pairing(request.user, pairing)
    form = PairingActionForm(request.POST)
    event = found.stage.flight.event
    if not form.is_valid():
        return refuse(request, event, form)
    data = form.cleaned_data
    common: dict[str, Any] = {"pairing": found, "user": request.user, "seen": data["seen"]}

    def act() -> None:
        match data["action"]:
            case "call":
                call(**common, table=data["table"])
            case "move":
                move(**common, table=data["table"] or 0)
            case "start":
                start(**common)
            case wish:
                feature(**common, featured=wish == "feature")

    return done(request, event, act)


@decides(DIRECTORS)
@require_POST
def penalty(request: SignedInRequest, pairing: str) -> HttpResponse:
    """Award penalty points."""
    found = directed_pairing(request.user, pairing)
    form = PenaltyForm(request.POST)
    event = found.stage.flight.event
    if not form.is_valid():
        return refuse(request, event, form)
    data = form.cleaned_data
    return done(
        request,
        event,
        lambda: penalise(
            pairing=found,
            to=Side(data["to"]),
            points=data["points"],
            user=request.user,
            seen=data["seen"],
            reason=data["reason"],
            board=data["board"] or 1,
        ),
    )


@decides(DIRECTORS)
@require_POST
def disqualify(request: SignedInRequest, entrant: str) -> HttpResponse:
    """Disqualify an entrant from the draw, in every section."""
    found, role = known_entrant(request.user, entrant)
    require_director(role)
    event = found.flight.event
    return done(request, event, lambda: leave(entrant=found, user=request.user, how=Gone.DISQUALIFIED))


@decides(DIRECTORS)
@require_POST
def publish_event(request: SignedInRequest, event: str) -> HttpResponse:
    """Show an event that only directors see to everyone who may see the club's events."""
    found = directed_event(request.user, event)

    def act() -> str:
        change_event(event=found, changes={"hidden": False}, user=request.user)
        return _("Event published.")

    return done(request, found, act)


@decides(DIRECTORS)
@require_POST
def make_tables(request: SignedInRequest, event: str) -> HttpResponse:
    """Add tables."""
    found = directed_event(request.user, event)
    form = TablesForm(request.POST)
    if not form.is_valid():
        return refuse(request, found, form)
    return done(request, found, lambda: make(event=found, last=form.cleaned_data["last"], user=request.user))


@decides(DIRECTORS)
@require_POST
def change_table(request: SignedInRequest, event: str, number: int) -> HttpResponse:
    """Close, open, feature or rename a table."""
    found = directed_event(request.user, event)
    form = TableForm(request.POST)
    if not form.is_valid():
        return refuse(request, found, form)
    return done(
        request, found, lambda: change(event=found, number=number, user=request.user, **form.changes())
    )


@decides(DIRECTORS)
@require_POST
def undo(request: SignedInRequest, event: str, seq: int) -> HttpResponse:
    """Undo a log entry; results are undone on their own page."""
    found = directed_event(request.user, event)
    return done(request, found, lambda: take_back(event=found, seq=seq, user=request.user))


@decides(DIRECTORS)
@require_safe
def log(request: SignedInRequest, event: str) -> HttpResponse:
    """Show the log, newest first, with search."""
    return log_as_it_is(request, event)


def log_as_it_is(request: SignedInRequest, event: str, *, refused: str = "") -> HttpResponse:
    """Render the log, after a refusal with its message (409)."""
    found = directed_event(request.user, event)
    asked = request.GET
    kinds = frozenset({asked["kind"]} & KINDS.keys() if asked.get("kind") else ())
    clause = asked.get("clause", "") if asked.get("clause", "") in CLAUSES else ""
    shown = event_log(
        found,
        text=asked.get("q", "").strip(),
        kinds=kinds - PRIVATE,
        clause=clause,
        before=_moment(asked),
    )
    context = {
        "event": found,
        "refused": refused,
        "club": found.club,
        "lines": shown,
        "newest": next((line for line in shown if line.may_undo), None),
        "q": asked.get("q", ""),
        "kind": asked.get("kind", ""),
        "kinds": [(kind, _(words)) for kind, words in KINDS.items() if kind not in PRIVATE],
        "clause": clause,
        "clauses": [(key, about) for key, (about, _fields) in CLAUSES.items()],
        "earlier": shown[-1].at.isoformat() if len(shown) >= SIZE else "",
    }
    with override(found.tz):
        here = shown_at(request, reverse("tournaments:log", args=[found.ref]))
        status = 409 if refused else 200
        return page_or_part(here, "tournaments/desk/log.html", context, part="log", status=status)


def done(request: SignedInRequest, event: Event, action: Callable[[], Any]) -> HttpResponse:
    """Run the action and redirect to the desk or log with an undo link.

    A refusal renders the current desk or log with status 409.
    """
    written = event.desk_log.filter(user=request.user, kind__in=UNDOABLE, undoes=None).order_by("-seq")
    before = written.values_list("seq", flat=True).first() or 0
    try:
        said = action()
    except REFUSALS as refused:
        as_it_is = log_as_it_is if request.POST.get("from") == "log" else desk_as_it_is
        return as_it_is(request, event.ref, refused=with_remedy(refused))
    if isinstance(said, str):
        messages.success(request, said)
    elif entry := written.filter(seq__gt=before).first():
        (line,) = desk_lines(event, [entry])
        way_back = reverse("tournaments:undo", args=[event.ref, entry.seq])
        messages.success(request, f"{line.title}: {line.words}", extra_tags=way_back)
    return redirect(back_to(request, event))


def refuse(request: HttpRequest, event: Event, form: Any) -> HttpResponse:
    """Redirect with the errors of an invalid form."""
    texts = [str(text) for field in form for text in named_errors(field)]
    messages.error(request, " ".join([*texts, *map(str, form.non_field_errors())]))
    return redirect(back_to(request, event))


def back_to(request: HttpRequest, event: Event) -> str:
    """Address of the log if the form came from there, else of the desk."""
    name = "tournaments:log" if request.POST.get("from") == "log" else "tournaments:desk"
    return reverse(name, args=[event.ref])


def _moment(asked: Any) -> datetime | None:
    try:
        return parse_datetime(asked.get("before", ""))
    except ValueError:
        return None
