"""Moving an event to another computer and back, and its audit file."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from clubs.access import ClubRequest, SignedInRequest, club_role, decides
from clubs.files import NamedFileField
from clubs.http.methods import shows_a_form
from clubs.models import Club, Role
from clubs.refusals import with_remedy
from tournaments.events.access import DIRECTORS, WHO_MAY_SEE, directed_event, known_event, owned_event
from tournaments.events.views.moved_events import works_while_moved
from tournaments.log.refusals import DeskRefused
from tournaments.models.event import LONGEST_PLACE
from tournaments.stages.services.archives import event_archive_text
from tournaments.transfer.services.event_files import LARGEST
from tournaments.transfer.services.moves import bring_here, move_away, moved_file, unlock


class MoveForm(forms.Form):
    """The computer the event moves to."""

    to = forms.CharField(
        label=gettext_lazy("Computer"),
        max_length=LONGEST_PLACE,
        help_text=gettext_lazy("Shown to everyone while the event is there, e.g. Ana’s laptop."),
    )


class FileForm(forms.Form):
    """An event file."""

    file = NamedFileField(label=gettext_lazy("Event file"), max_length=200)

    def text(self) -> str:
        """The uploaded text; empty for a file that is too large, which is then refused."""
        uploaded: Any = self.cleaned_data["file"]
        if uploaded.size > LARGEST:
            return ""
        return str(uploaded.read().decode("utf-8", errors="replace"))


@works_while_moved
@decides("directors of the event's club; its owners unlock it")
@shows_a_form
def move(request: SignedInRequest, event: str) -> HttpResponse:
    """Move the event to another computer.

    Once moved, download its file or bring it back.
    """
    found = directed_event(request.user, event)
    form = MoveForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            move_away(event=found, to=form.cleaned_data["to"], user=request.user)
        except DeskRefused as refused:
            return _move_page(request, found.ref, form, refused=with_remedy(refused))
        return redirect("tournaments:move", event=found.ref)
    return _move_page(request, found.ref, form)


def _move_page(request: SignedInRequest, ref: str, form: MoveForm, *, refused: str = "") -> HttpResponse:
    found, role = known_event(request.user, ref)
    context = {
        "event": found,
        "club": found.club,
        "form": form,
        "refused": refused,
        "may_unlock": role is not None and role >= Role.OWNER,
    }
    return render(request, "tournaments/transfer/move.html", context, status=409 if refused else 200)


@works_while_moved
@decides("owners of the event's club")
@require_POST
def unlock_event(request: SignedInRequest, event: str) -> HttpResponse:
    """Unlock the event without its file, discarding changes made elsewhere."""
    found = owned_event(request.user, event)
    place = found.moved_to
    try:
        unlock(event=found, user=request.user)
    except DeskRefused as refused:
        return _move_page(request, found.ref, MoveForm(), refused=with_remedy(refused))
    messages.success(
        request,
        _("The event is unlocked. Changes made on %(place)s are discarded.") % {"place": place},
    )
    return redirect(found)


@decides(DIRECTORS)
@require_safe
def save_file(request: SignedInRequest, event: str) -> HttpResponse:
    """Download the file of a moved event."""
    found = directed_event(request.user, event)
    try:
        text = moved_file(found)
    except DeskRefused as refused:
        return HttpResponse(str(refused), status=409, content_type="text/plain; charset=utf-8")
    return _download(text, f"event-{found.ref}.json")


@decides(WHO_MAY_SEE)
@require_safe
def event_draws(request: HttpRequest, event: str) -> HttpResponse:
    """Download the event's audit file.

    All its draws, checked by ``manage.py check_draw``.
    """
    found, _role = known_event(request.user, event)
    try:
        text = event_archive_text(found)
    except DeskRefused as refused:
        return HttpResponse(str(refused), status=409, content_type="text/plain; charset=utf-8")
    return _download(text, f"draws-{found.ref}.json")


def _download(text: str, name: str) -> HttpResponse:
    response = HttpResponse(text, content_type="application/json")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@club_role(Role.DIRECTOR)
@shows_a_form
def read_file(request: ClubRequest, club: Club) -> HttpResponse:
    """Import an event file."""
    form = FileForm(request.POST or None, request.FILES or None)
    status = 200
    if request.method == "POST" and form.is_valid():
        try:
            found = bring_here(club=club, text=form.text(), user=request.user)
        except DeskRefused as refused:
            form.add_error(None, with_remedy(refused))
            status = 409
        else:
            messages.success(request, _("%(event)s is on this computer now.") % {"event": found.name})
            return redirect(found)
    context = {"club": club, "form": form}
    return render(request, "tournaments/transfer/read_file.html", context, status=status)
