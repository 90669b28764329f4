"""Chouette seats, and who can see and record a chouette.

A table belongs to its participants: all who sit or sat there, who opened it, and directors. Nobody
else learns that it exists.
"""

from dataclasses import dataclass

from django.contrib.sessions.backends.base import SessionBase

from clubs.access import Viewer, role_of
from clubs.models import Role, User
from scoring.log.queries.writers import Author, claim_to
from scoring.models import Chouette, ChouettePlayer


@dataclass(frozen=True, slots=True)
class SeenTable:
    """A table for one viewer: its players, the viewer's seat and authority."""

    chouette: Chouette
    players: tuple[ChouettePlayer, ...]
    author: Author
    me: ChouettePlayer | None = None
    role: Role | None = None
    """The viewer's in the table's club."""

    @property
    def money_shown(self) -> bool:
        """Whether stakes and money exist here: neither the table nor the club today plays for points only."""
        return shows_money(self.chouette)


def shows_money(chouette: Chouette) -> bool:
    """Whether money may be shown. A club that switches stakes off hides what older tables have, too."""
    return not (chouette.points_only or chouette.club.points_only)


def players_of(chouette: Chouette) -> tuple[ChouettePlayer, ...]:
    """All players the table's log can name, in order of arrival (one query)."""
    rows = ChouettePlayer.objects.filter(chouette=chouette).select_related("player__person", "claim")
    return tuple(rows.order_by("pk"))


def seen_table(viewer: Viewer, ref: str, session: SessionBase | None = None) -> SeenTable | None:
    """The table of a ref with the viewer's place there; None where it must not be known.

    ``session`` is where the phone of somebody without a login keeps its claim.
    """
    chouette = Chouette.objects.with_sheet().filter(ref=ref).first()
    if chouette is None:
        return None
    players = players_of(chouette)
    role = role_of(viewer, chouette.club)
    directs = role is not None and role >= Role.DIRECTOR
    if isinstance(viewer, User):
        me = next((one for one in players if one.seated and one.player.user_id == viewer.pk), None)
        if me is not None or directs or chouette.opened_by_id == viewer.pk:
            return SeenTable(chouette, players, Author(user=viewer, directs=directs), me, role)
    claim = None if session is None else claim_to(session, chouette.ref, chouette.sheet_id)
    me = next((one for one in players if claim and one.seated and one.claim_id == claim.pk), None)
    return SeenTable(chouette, players, Author(claim=claim), me) if me is not None else None
