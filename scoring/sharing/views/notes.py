"""Notes on matches: written on the match's page, listed and searched under *Me*."""

from typing import Self

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from clubs.access import SignedInRequest, signed_in
from scoring.log.queries.sheets import steps_of
from scoring.models import Match, MatchNote, NoteFor
from scoring.models.note import NOTE_LENGTH
from scoring.sharing.queries.notes import own_notes
from scoring.sharing.services.notes import NoteRefused, delete_note, edit_note, write_note
from scoring.sheets.views.visible_match import visible_match

SHOWN = 100


class NoteForm(forms.Form):
    """A note, who can read it, and the step that it is on."""

    text = forms.CharField(
        label=gettext_lazy("Note"), max_length=NOTE_LENGTH, widget=forms.Textarea({"rows": 4})
    )
    audience = forms.ChoiceField(label=gettext_lazy("Who can read it"), choices=NoteFor.choices)
    step = forms.IntegerField(
        label=gettext_lazy("Step"),
        required=False,
        min_value=1,
        max_value=100_000,
        help_text=gettext_lazy("Blank = on the whole match"),
    )

    @classmethod
    def at(cls, step: int) -> Self:
        """An empty form for a step of a match."""
        return cls(initial={"step": step or None, "audience": NoteFor.ME}, prefix="note")


@signed_in
@require_POST
def write(request: SignedInRequest, match: str) -> HttpResponse:
    """Write a note on a match that the viewer can see."""
    found, _role = visible_match(request, match)
    form = NoteForm(request.POST, prefix="note")
    if not form.is_valid():
        return _refused(request, found, form)
    sent = form.cleaned_data
    try:
        seq = None if sent["step"] is None else _seq_of(found, sent["step"])
        write_note(
            user=request.user,
            match=found,
            text=sent["text"],
            audience=NoteFor(sent["audience"]),
            event_seq=seq,
        )
    except NoteRefused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, _("Note saved."))
    return redirect("scoring:step", found.ref, sent["step"]) if sent["step"] else redirect(found)


@signed_in
@require_POST
def edit(request: SignedInRequest, note: str) -> HttpResponse:
    """Change one of one's own notes."""
    found = _own(request, note)
    form = NoteForm(request.POST, prefix="note")
    if not form.is_valid():
        return _refused(request, found.match, form)
    sent = form.cleaned_data
    try:
        edit_note(user=request.user, ref=note, text=sent["text"], audience=NoteFor(sent["audience"]))
    except NoteRefused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, _("Note saved."))
    return redirect("scoring:notes")


@signed_in
@require_POST
def delete(request: SignedInRequest, note: str) -> HttpResponse:
    """Delete a note: one's own, or as a director one for the club."""
    found = MatchNote.objects.select_related("match").filter(ref=note).first()
    try:
        delete_note(user=request.user, ref=note)
    except MatchNote.DoesNotExist as error:
        raise Http404(_("There is no note %(ref)s.") % {"ref": note}) from error
    messages.success(request, _("Note deleted."))
    return redirect(found.match if found else "scoring:notes")


@signed_in
@never_cache
@require_safe
def notes(request: SignedInRequest) -> HttpResponse:
    """The viewer's notes, newest first, searched by text."""
    search = request.GET.get("q", "").strip()
    found = list(own_notes(request.user, search).select_related("match__club")[: SHOWN + 1])
    context = {
        "search": search,
        "notes": found[:SHOWN],
        "more": len(found) > SHOWN,
        "audiences": NoteFor.choices,
        "longest": NOTE_LENGTH,
    }
    return render(request, "scoring/sharing/notes.html", context)


def _own(request: SignedInRequest, ref: str) -> MatchNote:
    note = MatchNote.objects.select_related("match").filter(ref=ref, author__user=request.user).first()
    if note is None:
        raise Http404(_("There is no note %(ref)s.") % {"ref": ref})
    return note


def _seq_of(match: Match, number: int) -> int:
    """The entry of the sheet at a step. Raises NoteRefused beyond the last."""
    steps = steps_of(match.sheet)
    if number > len(steps):
        raise NoteRefused(
            _("This match has %(steps)s steps; there is no step %(step)s.")
            % {"steps": len(steps), "step": number}
        )
    return steps[number - 1].seq


def _refused(request: HttpRequest, match: Match, form: NoteForm) -> HttpResponse:
    for name, errors in form.errors.items():
        messages.error(request, f"{form.fields[name].label}: {errors[0]}")
    return redirect(match)
