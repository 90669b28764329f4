"""What sharing adds to the page of a match."""

from typing import Any

from django.http import HttpRequest

from scoring.matches.queries.match_page import MatchPage
from scoring.sharing.queries.previews import preview_of
from scoring.sharing.queries.privacy import match_choice
from scoring.sharing.views.privacy import MatchPrivacyForm


def sharing_of(request: HttpRequest, page: MatchPage) -> dict[str, Any]:
    """The context of the templates in ``scoring/sharing`` (two queries for a player of the match)."""
    choice = match_choice(page.match, request.user)
    return {
        "privacy": choice,
        "privacy_form": None if choice is None else MatchPrivacyForm.showing(choice.own),
        "preview": preview_of(page),
        "origin": request.build_absolute_uri("/").rstrip("/"),
    }
