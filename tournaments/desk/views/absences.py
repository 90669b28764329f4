"""The question about an absent player, asked before anything happens."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import gettext as _

from clubs.access import SignedInRequest, decides
from clubs.http.methods import shows_a_form
from clubs.refusals import with_remedy
from tournaments.core.timetable.lateness import suggested
from tournaments.desk.forms import AbsenceForm
from tournaments.desk.queries.absences import AbsenceCase, sides
from tournaments.desk.queries.event_log import desk_lines
from tournaments.desk.services.absences import record_absence
from tournaments.desk.views.desk import REFUSALS
from tournaments.events.access import DIRECTORS, directed_pairing
from tournaments.events.views.moved_events import needs_event_here
from tournaments.log.kinds import UNDOABLE
from tournaments.log.seen import length_that_must_be_seen
from tournaments.models import DeskEvent, Event

CAN_BE_UNDONE = UNDOABLE | {"result"}


@needs_event_here
@decides(DIRECTORS)
@shows_a_form
def absence(request: SignedInRequest, pairing: str) -> HttpResponse:
    """Ask who is absent and what they are out of, with what follows from each answer."""
    found = directed_pairing(request.user, pairing)
    event = found.stage.flight.event
    both = sides(found)
    form = AbsenceForm(both, request.POST or None, initial={"entrant": request.GET.get("entrant", "")})
    refused, status = "", 200
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        try:
            record_absence(
                pairing=found,
                entrant=data["entrant"],
                scope=data["scope"],
                user=request.user,
                seen=length_that_must_be_seen(request),
                reason=data["reason"],
            )
        except REFUSALS as error:
            refused, status = with_remedy(error), 409
            found = directed_pairing(request.user, pairing)
            both = sides(found)
        else:
            _say(request, event)
            return redirect("tournaments:desk", event.ref)
    try:
        case = AbsenceCase(found)
        questions = [case.question(side) for side in both]
    except REFUSALS as error:
        messages.error(request, refused or with_remedy(error))
        return redirect("tournaments:desk", event.ref)
    asked = next((each for each in questions if each.entrant.ref == form.asked), None)
    context = {
        "pairing": found,
        "event": event,
        "form": form,
        "refused": refused,
        "questions": questions,
        "asked": asked,
        "penalty": suggested(found.called_at, now(), event.pauses) if found.called_at else 0,
    }
    return render(request, "tournaments/desk/absence.html", context, status=status)


def _say(request: SignedInRequest, event: Event) -> None:
    """Say what was recorded, with the way back."""
    rows = DeskEvent.objects.filter(event=event, user=request.user, kind__in=CAN_BE_UNDONE, undoes=None)
    entry = rows.order_by("-seq").first()
    if entry is None:
        return
    (line,) = desk_lines(event, [entry])
    way_back = reverse("tournaments:undo", args=[event.ref, entry.seq])
    said = _("%(what)s: %(words)s") % {"what": line.title, "words": line.words}
    messages.success(request, said, extra_tags=way_back if entry.kind in UNDOABLE else "")
