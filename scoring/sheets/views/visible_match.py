"""Load the match of a page for its viewer."""

from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _

from clubs.models import Role
from scoring.models import Match
from scoring.sheets.queries.opened_match import Opened, seen_match_of


def visible_match(request: HttpRequest, ref: str) -> tuple[Match, Role | None]:
    """The match and the viewer's role in its club. Raises Http404 if hidden."""
    opened = opened_match(request, ref)
    return opened.match, opened.role


def opened_match(request: HttpRequest, ref: str, *, beside: bool = False) -> Opened:
    """The match with the viewer's role. Raises Http404 if hidden."""
    opened = seen_match_of(ref, request.user, request.session, beside=beside)
    if opened is None:
        raise Http404(_("There is no match %(ref)s.") % {"ref": ref})
    return opened
