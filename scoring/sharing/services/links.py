"""Make, count and end links to matches."""

import secrets
from datetime import timedelta

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import F
from django.utils.timezone import now
from django.utils.translation import gettext as _

from clubs.access import role_of
from clubs.clubs.services.clubs import token_digest
from clubs.models import Player, Role, User
from clubs.people.services.names import player_of
from clubs.refusals import Refused
from scoring.analysis.queries.privacy import can_see_analysis
from scoring.log.queries.sheets import steps_of
from scoring.models import LinkShows, Match, ShareLink
from scoring.sharing.queries.links import EVERYONE, can_share, standing

DAYS = (7, 30, 90)
"""How long a link can show a match."""
MOST = 100
"""Links of one player that have not ended."""
SECRET_BYTES = 24


class LinkRefused(Refused):
    """The link cannot be made so; the message says why and what to do."""


@transaction.atomic
def make_link(
    *, user: User, match: Match, role: Role | None, shows: LinkShows, days: int, step: int | None = None
) -> tuple[ShareLink, str]:
    """Make a link to a match that the user sees with this role; return it with its secret.

    Of the secret only a digest is stored: show it now. ``step`` is the one decision that is shown. Load the
    match as ``open_match_of`` does. Raises PermissionDenied, and LinkRefused.
    """
    require_sharing(user, match, role)
    if days not in DAYS:
        raise LinkRefused(
            _("A link lasts 7, 30 or 90 days, not %(days)s. Choose one of these.") % {"days": days}
        )
    seq = _entry_at(match, step) if shows == LinkShows.DECISION else None
    if shows != LinkShows.MATCH and not can_see_analysis(EVERYONE, match):
        raise LinkRefused(
            _(
                "A player keeps the analysis of this match, so a link cannot show it. Share the match without"
                " its analysis, or change the privacy of the analysis first."
            )
        )
    player = player_of(user=user)  # locks the user: two links at once are counted one after the other
    if ShareLink.objects.filter(standing(), made_by=player).count() >= MOST:
        raise LinkRefused(_("You already have %(most)s links. End one first.") % {"most": MOST})
    secret = secrets.token_urlsafe(SECRET_BYTES)
    link = ShareLink.objects.create(
        match=match,
        made_by=player,
        shows=shows,
        event_seq=seq,
        secret_digest=token_digest(secret),
        until=now() + timedelta(days=days),
    )
    return link, secret


def end_link(*, user: User, ref: str) -> ShareLink:
    """End a link now: one's own, or one to a match that the user can share. Idempotent.

    Raises ShareLink.DoesNotExist where there is none, or it is not theirs to end.
    """
    link = ShareLink.objects.select_related("made_by").get(ref=ref)
    if link.made_by.user_id != user.pk:
        found = Match.with_boards.with_players().select_related("club", "result", "sheet")
        match = found.get(pk=link.match_id)
        if not can_share(user, match, role_of(user, match.club)):
            raise ShareLink.DoesNotExist
    ShareLink.objects.filter(pk=link.pk, ended_at__isnull=True).update(ended_at=now())
    link.refresh_from_db(fields=["ended_at", "opened"])
    return link


def count_opening(link: ShareLink) -> None:
    """Count that a link was opened; nothing is kept of by whom or when."""
    ShareLink.objects.filter(pk=link.pk).update(opened=F("opened") + 1)


def forget_links(player: Player) -> None:
    """Delete the links of an erased player."""
    ShareLink.objects.filter(made_by=player).delete()


def require_sharing(user: User, match: Match, role: Role | None) -> None:
    """Raise PermissionDenied unless the user can make links to the match."""
    if not can_share(user, match, role):
        raise PermissionDenied(_("Only the players of this match and directors can share it by link."))


def _entry_at(match: Match, step: int | None) -> int:
    steps = steps_of(match.sheet)
    if step is None or not 1 <= step <= len(steps):
        raise LinkRefused(
            _("This match has %(steps)s steps, and none with the number %(step)s. Choose one of its steps.")
            % {"steps": len(steps), "step": "–" if step is None else step}
        )
    return steps[step - 1].seq
