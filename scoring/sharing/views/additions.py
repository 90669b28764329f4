"""What sharing adds to the page of a match."""

from typing import Any

from django.http import HttpRequest

from scoring.matches.queries.match_page import MatchPage
from scoring.models import MatchNote
from scoring.sharing.queries.notes import notes_on
from scoring.sharing.queries.previews import preview_of
from scoring.sharing.queries.privacy import match_choice
from scoring.sharing.views.notes import NoteForm
from scoring.sharing.views.privacy import MatchPrivacyForm


def sharing_of(request: HttpRequest, page: MatchPage) -> dict[str, Any]:
    """The context of the templates in ``scoring/sharing`` (three queries for a player of the match)."""
    choice = match_choice(page.match, request.user)
    return {
        "privacy": choice,
        "privacy_form": None if choice is None else MatchPrivacyForm.showing(choice.own),
        "preview": preview_of(page),
        "notes": _notes(request, page),
        "note_form": NoteForm.at(page.number),
        "origin": request.build_absolute_uri("/").rstrip("/"),
    }


def _notes(request: HttpRequest, page: MatchPage) -> list[MatchNote]:
    """The notes on the match, each with the ``step`` that it is on."""
    steps = {seq: step.number for step in page.steps for seq in (step.roll_seq, step.seq) if seq}
    notes = notes_on(page.match, request.user)
    for note in notes:
        note.step = steps.get(note.event_seq or 0)
    return notes
