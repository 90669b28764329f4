"""Who may see a match: whoever may know its club."""

from django.http import Http404
from django.utils.translation import gettext as _

from clubs.access import Viewer, role_of
from clubs.models import Role
from scoring.models import Match
from scoring.models.match import MatchQuerySet
from scoring.queries.visible import matches_seen_by

REVISION = "The result's revision that was looked at: one that was corrected meanwhile is refused (409)."


def seen_match(viewer: Viewer, ref: str) -> Match:
    """The match with its club and sheet (one query). Raises Http404 where it is not known."""
    return _first(matches_seen_by(viewer), ref)


def known_match(viewer: Viewer, ref: str) -> tuple[Match, Role | None]:
    """The match with its players and the viewer's role in its club. Raises Http404 where it is not known."""
    match = _first(matches_seen_by(viewer).with_players(), ref)
    return match, role_of(viewer, match.club)


def _first(matches: MatchQuerySet, ref: str) -> Match:
    match = matches.select_related("sheet", "club").filter(ref=ref).first()
    if match is None:
        raise Http404(_("There is no such match."))
    return match
