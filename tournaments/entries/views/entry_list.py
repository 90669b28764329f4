"""Paste a list of entries: check what each row would do, then enter all."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import ngettext

from clubs.access import SignedInRequest, decides
from clubs.http.methods import shows_a_form
from clubs.refusals import with_remedy
from tournaments.entries.forms.entry_list import LABELS, EntryListForm
from tournaments.entries.services.entry_lists import EnteredList, enter_list
from tournaments.entries.services.list_lines import EntryLine, ReadList, read_list
from tournaments.entries.views.requests import flight_named
from tournaments.events.access import DIRECTORS, known_event, require_director
from tournaments.events.views.answers import REFUSALS
from tournaments.events.views.moved_events import needs_event_here
from tournaments.models import Flight


@needs_event_here
@decides(DIRECTORS)
@shows_a_form
def entry_list(request: SignedInRequest, event: str) -> HttpResponse:
    """Show what a list would do, and enter it once each row can be entered or is left out."""
    found, role = known_event(request.user, event)
    require_director(role)
    flight = flight_named(request, found)
    form = EntryListForm(flight, request.POST or None)
    if request.method != "POST" or not form.is_valid():
        return _page(request, flight, form)
    text, paid_by = form.cleaned_data["entries"], form.paid_by()
    chosen: dict[str, Any] = {"columns": form.columns(), "headed": form.headed(), "paid_by": paid_by}
    if "commit" in request.POST:
        try:
            entered = enter_list(
                flight=flight,
                text=text,
                user=request.user,
                admit=form.admit(),
                leave_out=form.leave_out(),
                **chosen,
            )
        except REFUSALS as refused:
            form.add_error(None, with_remedy(refused))
        else:
            messages.success(request, _said(entered))
            return redirect("tournaments:entries", event=found.ref)
    return _page(request, flight, form, read_list(flight=flight, text=text, **chosen))


def _page(
    request: HttpRequest, flight: Flight, form: EntryListForm, read: ReadList | None = None
) -> HttpResponse:
    context: dict[str, Any] = {"event": flight.event, "flight": flight, "form": form}
    status = 409 if form.non_field_errors() else 200
    if read is not None:
        left_out, admit = form.leave_out(), form.admit()
        lines = [line for line in read.lines if line.number not in left_out]
        open_ones = [line for line in lines if _is_open(line, admit)]
        context |= {
            "read": read,
            "lines": () if read.nameless else read.lines,
            "problems": [line for line in read.lines if line.state == "problem" and not read.nameless],
            "ready": [line for line in read.lines if line.state != "problem"],
            "open": len(open_ones),
            "to_enter": sum(not line.entered for line in lines),
            "before": sum(line.entered for line in lines),
            "left_out": left_out,
            "admit": admit,
            "columns": [
                {"number": number, "heading": heading, "samples": samples, "choices": _choices(field)}
                for number, (field, samples, heading) in enumerate(_columns(read), 1)
            ],
        }
    return render(request, "tournaments/entries/entry_list.html", context, status=status)


def _is_open(line: EntryLine, admit: frozenset[str]) -> bool:
    return bool(line.fault) or bool(line.restriction and line.key not in admit)


def _columns(read: ReadList) -> list[tuple[str, tuple[str, ...], str]]:
    fields = read.columns.fields
    headings = [*read.columns.headings, *[""] * len(fields)]
    return list(zip(fields, read.samples, headings, strict=False))


def _choices(chosen: str) -> list[tuple[str, Any, bool]]:
    return [(field, label, field == chosen) for field, label in LABELS.items()]


def _said(entered: EnteredList) -> str:
    said = ngettext("%(count)s entry added.", "%(count)s entries added.", entered.entered) % {
        "count": entered.entered
    }
    if entered.before:
        before = ngettext("%(count)s was entered already.", "%(count)s were entered already.", entered.before)
        said = f"{said} {before % {'count': entered.before}}"
    return said
