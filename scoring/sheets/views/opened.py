"""The match that a page is asked for, as its viewer may see it."""

from collections.abc import Sequence

from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _

from clubs.models import Role
from scoring.log.queries.boards import tell_sides
from scoring.log.queries.visible import sees_match
from scoring.log.queries.writers import author_of, claim_in
from scoring.models import Match
from scoring.sheets.queries.opened import Opened, open_match_of


def visible_match(request: HttpRequest, ref: str) -> tuple[Match, Role | None]:
    """The match and the viewer's role in its club; who holds a claim to the match sees it, too.

    One that is not confirmed is for the club's own people, unless the club opens it. The record of a
    chouette's game is for those who see the table. Raises Http404 where the club must not be known.
    """
    opened = opened_match(request, ref)
    return opened.match, opened.role


def opened_match(request: HttpRequest, ref: str, keys: Sequence[str] = ()) -> Opened:
    """``visible_match`` with the entries of these keys that stand on its sheet."""
    opened = open_match_of(ref, request.user, keys)
    if opened is None:
        raise Http404(_("There is no such match."))
    match, role = opened.match, opened.role
    if match.in_chouette:
        if author_of(match, request.user, role=role, claim=claim_in(request.session, match)) is None:
            raise Http404(_("There is no such match."))
        tell_sides(match)
        return opened
    known = sees_match(request.user, match, role)
    if not (known or claim_in(request.session, match)):
        raise Http404(_("There is no such match."))
    return opened
