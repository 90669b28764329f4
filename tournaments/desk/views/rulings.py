"""Rulings, appeals and conduct reports."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import SimpleLazyObject
from django.utils.timezone import override
from django.utils.translation import gettext as _

from clubs.access import SignedInRequest, decides
from clubs.http.methods import shows_a_form
from clubs.models import Player
from clubs.refusals import with_remedy
from tournaments.desk.forms import AppealDecisionForm, AppealForm, ConductForm, RulingForm
from tournaments.desk.queries.event_log import desk_lines, event_log
from tournaments.desk.services.rulings import (
    appeal,
    decide_appeal,
    eligible_for,
    report_conduct,
    rule_on,
)
from tournaments.desk.views.desk import REFUSALS
from tournaments.events.access import DIRECTORS, directed_event
from tournaments.events.views.moved_events import needs_event_here
from tournaments.log.kinds import PRIVATE
from tournaments.log.queries.desk_log import ruling_and_appeal
from tournaments.models import DeskEvent, Event

SHOWN_REPORTS = 60


@needs_event_here
@decides(DIRECTORS)
@shows_a_form
def new_ruling(request: SignedInRequest, event: str) -> HttpResponse:
    """Record a ruling."""
    found = directed_event(request.user, event)
    asked = {"pairing": request.GET.get("pairing", "")}
    form = RulingForm(found, found.rules, request.POST or None, initial=asked)
    status = 200
    if request.method == "POST" and form.is_valid():
        try:
            entry = rule_on(event=found, user=request.user, **form.cleaned_data)
        except REFUSALS as refused:
            form.add_error(None, with_remedy(refused))
            status = 409
        else:
            messages.success(request, _("Ruling recorded."))
            return redirect("tournaments:ruling", event=found.ref, seq=entry.seq)
    context = {"event": found, "club": found.club, "form": form}
    return render(request, "tournaments/desk/new_ruling.html", context, status=status)


@decides(DIRECTORS)
@shows_a_form
def ruling(request: SignedInRequest, event: str, seq: int) -> HttpResponse:
    """Show a ruling with its appeal, and appeal or decide it."""
    found = directed_event(request.user, event)
    known = ruling_and_appeal(found, seq)
    entry, appealed, decided = (known.get(kind) for kind in ("ruling", "appeal", "appeal_decided"))
    if entry is None:
        raise Http404(_("There is no ruling %(number)s in this event.") % {"number": seq})
    form: Any = None
    if decided is None and not found.is_away:
        form = (
            AppealDecisionForm(request.POST or None)
            if appealed
            else AppealForm(found.club, _eligible(found, entry), request.POST or None)
        )
    status = 200
    if request.method == "POST" and form is not None and form.is_valid():
        try:
            _answer_appeal(request, found, seq, form)
            return redirect("tournaments:ruling", event=found.ref, seq=seq)
        except REFUSALS as refused:
            form.add_error(None, with_remedy(refused))
            status = 409
    context = {
        "event": found,
        "club": found.club,
        "lines": desk_lines(found, list(known.values())),
        "seq": seq,
        "appealed": appealed,
        "committee": _committee(appealed),
        "form": form,
    }
    with override(found.tz):
        return render(request, "tournaments/desk/ruling.html", context, status=status)


@decides(DIRECTORS)
@shows_a_form
def conduct(request: SignedInRequest, event: str) -> HttpResponse:
    """Read and write conduct reports, for directors."""
    found = directed_event(request.user, event)
    form = None if found.is_away else ConductForm(found, request.POST or None)
    status = 200
    if form is not None and request.method == "POST" and form.is_valid():
        try:
            report_conduct(event=found, user=request.user, **form.cleaned_data)
        except REFUSALS as refused:
            form.add_error(None, with_remedy(refused))
            status = 409
        else:
            messages.success(request, _("Report saved. Only directors can read it."))
            return redirect("tournaments:conduct", event=found.ref)
    reports = event_log(found, kinds=PRIVATE, private=True, size=SHOWN_REPORTS)
    context = {"event": found, "club": found.club, "form": form, "lines": reports}
    with override(found.tz):
        return render(request, "tournaments/desk/conduct.html", context, status=status)


def _answer_appeal(request: SignedInRequest, event: Event, seq: int, form: Any) -> None:
    data = form.cleaned_data
    if isinstance(form, AppealForm):
        appeal(event=event, ruling=seq, committee=data["committee"], user=request.user, reason=data["reason"])
        return
    decide_appeal(
        event=event,
        ruling=seq,
        upheld=data["upheld"] == "yes",
        decision=data["decision"],
        user=request.user,
    )


def _eligible(event: Event, entry: DeskEvent) -> Any:
    """Who can sit on the committee: looked up only when a name is sent."""
    return SimpleLazyObject(lambda: eligible_for(event, entry))


def _committee(appealed: DeskEvent | None) -> list[str]:
    if appealed is None:
        return []
    players = Player.objects.filter(ref__in=appealed.body["committee"]).with_person()
    return [player.name for player in players.order_by("person__sort_key", "pk")]
