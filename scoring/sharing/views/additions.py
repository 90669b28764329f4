"""What sharing adds to the page of a match."""

from functools import cache, partial
from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from scoring.log.queries.visible import sees_match
from scoring.matches.queries.match_page import MatchPage
from scoring.models import MatchNote
from scoring.notation.transcript import step_of_entries
from scoring.sharing.queries.embedding import snippet_of
from scoring.sharing.queries.links import EVERYONE, can_share
from scoring.sharing.queries.notes import notes_on
from scoring.sharing.queries.previews import preview_of
from scoring.sharing.queries.privacy import match_choice
from scoring.sharing.views.notes import NoteForm
from scoring.sharing.views.privacy import MatchPrivacyForm


def sharing_of(request: HttpRequest, page: MatchPage) -> dict[str, Any]:
    """The context of the templates in ``scoring/sharing``.

    Notes are looked up when a template asks for them (one query): a step alone has none.
    """
    preview = preview_of(page)
    choice = cache(partial(match_choice, page.match, request.user, page.choices))

    def privacy_form() -> MatchPrivacyForm | None:
        chosen = choice()
        return None if chosen is None else MatchPrivacyForm.showing(chosen.own)

    return {
        "privacy": choice,
        "privacy_form": cache(privacy_form),
        "preview": preview,
        "may_share": can_share(request.user, page.match, page.role),
        "embed_snippet": _snippet(request, page, preview.title),
        "notes": cache(partial(_notes, request, page)),
        "note_form": NoteForm.at(page.number),
        "origin": request.build_absolute_uri("/").rstrip("/"),
    }


def _notes(request: HttpRequest, page: MatchPage) -> list[MatchNote]:
    """The notes on the match, each with the ``step`` that it is on."""
    steps = step_of_entries(page.steps)
    notes = notes_on(page.match, request.user, page.role)
    for note in notes:
        note.step = steps.get(note.event_seq or 0)
    return notes


def _snippet(request: HttpRequest, page: MatchPage, title: str) -> str:
    """What shows the current step on another site; "" where not everyone can see the match (no query)."""
    if page.current is None or page.match.in_chouette or not sees_match(EVERYONE, page.match, None):
        return ""
    address = request.build_absolute_uri(reverse("scoring:embed", args=[page.match.ref, page.number]))
    return snippet_of(address, title)
