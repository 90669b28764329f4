"""Breaks of an event, with links to the start times of its rounds."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from clubs.access import SignedInRequest, decides
from clubs.http.methods import shows_a_form
from clubs.refusals import with_remedy
from tournaments.events.access import DIRECTORS, known_event, require_director
from tournaments.events.queries.events import stages_of
from tournaments.events.services.breaks import set_breaks
from tournaments.events.services.events import OvertakenRefused
from tournaments.events.views.moved_events import needs_event_here
from tournaments.log.refusals import DeskRefused
from tournaments.stages.forms.arrangements import BreaksForm


@needs_event_here
@decides(DIRECTORS)
@shows_a_form
def breaks(request: SignedInRequest, event: str) -> HttpResponse:
    """Set the breaks in local time; an outdated form shows the current ones (409).

    After a typing error the form keeps the state it was opened with.
    """
    found, role = known_event(request.user, event)
    require_director(role)
    form = BreaksForm(found, request.POST or None)
    seen: Any = request.POST.get("seen", found.breaks_seq)
    context: dict[str, Any] = {"event": found, "form": form}
    status = 200
    if request.method == "POST" and form.is_valid():
        try:
            set_breaks(event=found, user=request.user, **form.cleaned_data)
        except DeskRefused as refused:
            form.add_error(None, with_remedy(refused))
            overtaken, status = isinstance(refused, OvertakenRefused), 409
            if overtaken:
                found, _role = known_event(request.user, event)
                seen = found.breaks_seq
            context |= {"event": found, "overtaken": overtaken}
        else:
            messages.success(request, _("Breaks saved."))
            return redirect(found)
    context |= {"seen": seen, "stages": stages_of(found)}
    return render(request, "tournaments/desk/breaks.html", context, status=status)
