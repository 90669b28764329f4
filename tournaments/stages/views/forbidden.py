"""The page of the list of forbidden pairs of a division."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from clubs.access import SignedInRequest, decides
from clubs.http.methods import shows_a_form
from clubs.refusals import with_remedy
from tournaments.core.stages.errors import DrawError
from tournaments.events.access import DIRECTORS, known_flight, require_director
from tournaments.events.views.answers import unknown_action
from tournaments.events.views.moved_events import needs_event_here
from tournaments.log.refusals import DeskRefused
from tournaments.models import Flight, ForbiddenKind
from tournaments.stages.forms.forbidden import NamesForm, RuleForm
from tournaments.stages.queries.forbidden import list_of, version_of
from tournaments.stages.services.forbidden import allow, forbid


@needs_event_here
@decides(DIRECTORS)
@shows_a_form
def forbidden(request: SignedInRequest, flight: str) -> HttpResponse:
    """Show the list, and add to it (``add``: names or rule), change a line or remove it."""
    found, role = known_flight(request.user, flight)
    require_director(role)
    names = NamesForm(found, request.POST if request.POST.get("add") == "names" else None)
    rule = RuleForm(request.POST if request.POST.get("add") == "rule" else None)
    refused = ""
    if request.method == "POST":
        try:
            done = _act(request, found, names, rule)
        except (DeskRefused, DrawError) as error:
            refused, done = with_remedy(error), False
        if done:
            messages.success(request, _("Saved."))
            return redirect("tournaments:forbidden", found.ref)
    lines = list_of(found)
    context: dict[str, Any] = {"event": found.event, "flight": found, "lines": lines}
    context["version"] = version_of(lines)
    context |= {"names": names, "rule": rule, "refused": refused}
    return render(request, "tournaments/stages/forbidden.html", context, status=409 if refused else 200)


def _act(request: SignedInRequest, flight: Flight, names: NamesForm, rule: RuleForm) -> bool:
    """Do what was asked; False for a form that is not valid."""
    user, seen = request.user, request.POST.get("seen")
    match request.POST.get("add", ""), request.POST.get("remove", ""):
        case "names", _:
            if not names.is_valid():
                return False
            chosen = names.cleaned_data["entrants"]
            forbid(
                flight=flight,
                kind=ForbiddenKind.NAMES,
                never=names.never,
                user=user,
                entrants=chosen,
                seen=seen,
            )
        case "rule", _:
            if not rule.is_valid():
                return False
            kind = ForbiddenKind(rule.cleaned_data["rule"])
            forbid(flight=flight, kind=kind, never=rule.never, user=user, seen=seen)
        case "", line if line:
            allow(flight=flight, line=line, user=user, seen=seen)
        case action, _:
            raise unknown_action(action)
    return True
