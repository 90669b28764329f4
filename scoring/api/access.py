"""Who may see a match: whoever may know its club."""

from django.db.models import QuerySet
from django.http import Http404
from django.utils.translation import gettext as _

from clubs.access import Viewer, role_of
from clubs.models import Role, Visibility
from scoring.models import Match


def known_match(viewer: Viewer, ref: str) -> tuple[Match, Role | None]:
    """The match with its players and the viewer's role in its club. Raises Http404 where it is not known."""
    found: QuerySet[Match] = Match.objects.with_players().select_related("sheet")
    match = found.filter(ref=ref).first()
    role = None if match is None else role_of(viewer, match.club)
    if match is None or (role is None and match.club.visibility != Visibility.PUBLIC):
        raise Http404(_("There is no such match."))
    return match, role
