"""What higher subjects add to the page of a match, registered by them."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest

from scoring.matches.queries.match_page import MatchPage

Addition = Callable[[HttpRequest, MatchPage], dict[str, Any]]
_additions: list[Addition] = []


def register(addition: Addition) -> None:
    """Add the result of ``addition`` to the context of every match page; call it in ``AppConfig.ready``."""
    _additions.append(addition)


def added_to(request: HttpRequest, page: MatchPage) -> dict[str, Any]:
    """The context that all registered subjects add to this page."""
    return {name: value for addition in _additions for name, value in addition(request, page).items()}
