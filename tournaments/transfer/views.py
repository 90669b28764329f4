"""An event as a file, to a venue without internet and back."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from clubs.access import ClubRequest, SignedInRequest, club_role, decides
from clubs.http.methods import shows_a_form
from clubs.models import Club, Role
from tournaments.events.access import WHO_MAY_SEE, known_event, may_read_conduct, require_director
from tournaments.events.services.events import DeskRefused
from tournaments.stages.services.archives import event_archive_text
from tournaments.stages.services.sealed_seeds import seeds_key
from tournaments.transfer.services.event_files import event_file, read_event_file

LARGEST = 64 * 1024 * 1024


class FileForm(forms.Form):
    """An event file."""

    file = forms.FileField(label=gettext_lazy("Event file"), max_length=200)

    def text(self) -> str:
        """What the file says; empty for one that is no text or too large, which no reader accepts."""
        uploaded: Any = self.cleaned_data["file"]
        if uploaded.size > LARGEST:
            return ""
        return str(uploaded.read().decode("utf-8", errors="replace"))


@decides("directors of the event's club")
@require_safe
def save_file(request: SignedInRequest, event: str) -> HttpResponse:
    """The whole event, with the names of its people and all that was written: for directors.

    ``?key=`` is that of a machine which is to make the draws: their seeds go along, sealed for it.
    """
    found, role = known_event(request.user, event)
    require_director(role)
    try:
        text = event_file(found, private=may_read_conduct(role), for_key=request.GET.get("key", "").strip())
    except DeskRefused as refused:
        return HttpResponse(str(refused), status=409, content_type="text/plain; charset=utf-8")
    response = HttpResponse(text, content_type="application/json")
    response.headers["Content-Disposition"] = f'attachment; filename="event-{found.ref}.json"'
    return response


@decides(WHO_MAY_SEE)
@require_safe
def event_draws(request: HttpRequest, event: str) -> HttpResponse:
    """All draws of the event in one file, which ``manage.py check_draw`` proves: for everybody."""
    found, _role = known_event(request.user, event)
    try:
        text = event_archive_text(found)
    except DeskRefused as refused:
        return HttpResponse(str(refused), status=409, content_type="text/plain; charset=utf-8")
    response = HttpResponse(text, content_type="application/json")
    response.headers["Content-Disposition"] = f'attachment; filename="draws-{found.ref}.json"'
    return response


@club_role(Role.DIRECTOR)
@shows_a_form
def read_file(request: ClubRequest, club: Club) -> HttpResponse:
    """Bring an event in from its file, or what it has more than is here."""
    form = FileForm(request.POST or None, request.FILES or None)
    status = 200
    if request.method == "POST" and form.is_valid():
        try:
            found = read_event_file(club=club, text=form.text(), user=request.user)
        except DeskRefused as refused:
            form.add_error(None, str(refused))
            status = 409
        else:
            messages.success(request, _("%(event)s is here as the file has it.") % {"event": found.name})
            return redirect(found)
    context = {"club": club, "form": form, "seeds_key": seeds_key()}
    return render(request, "tournaments/transfer/read_file.html", context, status=status)
