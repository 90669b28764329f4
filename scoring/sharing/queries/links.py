"""Links to matches: who can make and end them, and what one shows now."""

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Prefetch, Q, QuerySet
from django.utils.timezone import now

from clubs.access import Viewer
from clubs.clubs.services.clubs import token_digest
from clubs.models import Player, Role, User
from scoring.analysis.queries.privacy import can_see_analysis
from scoring.log.queries.keyset import Order, Stretch, ref_of, stretch
from scoring.log.queries.results import side_of
from scoring.log.queries.sheets import steps_of
from scoring.log.queries.visible import sees_match
from scoring.matches.queries.match_page import MatchPage
from scoring.models import LinkShows, Match, ShareLink
from scoring.sheets.queries.opened_match import open_match_of

EVERYONE = AnonymousUser()
NEWEST_FIRST = Order("-made_at", "-pk", cursor="ref")
SHOWN_LINKS = 25


@dataclass(frozen=True, slots=True)
class SharedMatch:
    """A match as a link shows it; ``only`` is the step of the one decision that it is for, else None.

    ``judged`` tells whether the analysis is shown, ``kept`` whether the link is for it but a player keeps it.
    """

    link: ShareLink
    match: Match
    judged: bool
    kept: bool
    only: int | None = None

    def page(self, step: int | None = None) -> MatchPage:
        """What is shown at a step; of one decision always that step."""
        return MatchPage(self.match, self.only or step, judged=self.judged)


def can_share(viewer: Viewer, match: Match, role: Role | None) -> bool:
    """Whether the viewer, with this role in its club, can make links to the match (no query).

    Its players and its club's directors can, while they see it. The record of a chouette's game is never
    shared. Load the match ``with_players()``, and with club, result and sheet.
    """
    if not isinstance(viewer, User) or match.in_chouette or not sees_match(viewer, match, role):
        return False
    return side_of(match, viewer) is not None or (role is not None and role >= Role.DIRECTOR)


def links_to(match: Match) -> QuerySet[ShareLink]:
    """The links to a match, for those who can make one, with their makers."""
    return ShareLink.objects.filter(match=match).select_related("made_by__person", "match")


def own_links(user: User) -> QuerySet[ShareLink]:
    """The links that the user made, with matches and players."""
    matches = Match.with_boards.with_players()
    return ShareLink.objects.filter(made_by__user=user).prefetch_related(Prefetch("match", matches))


def own_stretch(user: User, *, after: str = "", before: str = "") -> Stretch[ShareLink]:
    """A page of the user's links, newest first (at most five queries)."""
    return stretch(
        own_links(user), NEWEST_FIRST, cursor_of=ref_of, after=after, before=before, size=SHOWN_LINKS
    )


def standing() -> Q:
    """The condition on a link that it has not ended."""
    return Q(ended_at__isnull=True, until__gt=now())


def link_with(secret: str) -> ShareLink | None:
    """The link with this secret, ended or not (one query)."""
    links = ShareLink.objects.select_related("match", "made_by__user")
    return links.filter(secret_digest=token_digest(secret)).first()


def shared_by(link: ShareLink) -> SharedMatch | None:
    """What a link shows now; None where it has ended (at most three queries).

    It has ended, too, when its maker could not make it any more, or when the entry of its decision was
    corrected away. An analysis that a player keeps is not shown.
    """
    maker = link.made_by.user
    if link.has_ended or maker is None or not maker.is_active:
        return None
    opened = open_match_of(link.match.ref, maker)
    if opened is None or not can_share(maker, opened.match, opened.role):
        return None
    only = None
    if link.shows == LinkShows.DECISION:
        only = numbers_of(opened.match).get(link.event_seq or 0)
        if only is None:
            return None
    asked = link.shows != LinkShows.MATCH
    shown = asked and can_see_analysis(EVERYONE, opened.match)
    return SharedMatch(link, opened.match, shown, asked and not shown, only)


def numbers_of(match: Match) -> dict[int, int]:
    """The numbers of the match's steps by the entries of the sheet that stand at them (one query)."""
    return {seq: each.number for each in steps_of(match.sheet) for seq in (each.seq, each.roll_seq) if seq}


def exported_links(player: Player) -> list[dict[str, Any]]:
    """The player's links for their data export."""
    links = ShareLink.objects.filter(made_by=player).select_related("match").order_by("pk")
    return [
        {
            "match": link.match.ref,
            "shows": link.shows,
            "made": link.made_at.isoformat(),
            "until": link.ends_at.isoformat(),
            "opened": link.opened,
        }
        for link in links
    ]
