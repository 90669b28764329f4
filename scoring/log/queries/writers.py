"""Who can write on a sheet: its players, directors and holders of a claim."""

from dataclasses import dataclass

from django.contrib.sessions.backends.base import SessionBase
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from clubs.access import Viewer, role_of
from clubs.models import Person, Role, User
from scoring.log.queries.results import side_of
from scoring.models import Chouette, ChouettePlayer, Claim, Match, MatchStatus

SESSION_KEY = "scoring.claims"


@dataclass(frozen=True, slots=True)
class Author:
    """The writer: a user or claim, their side (None: neither) and authority."""

    user: User | None = None
    claim: Claim | None = None
    side: str | None = None
    directs: bool = False


def author_of(
    match: Match, viewer: Viewer, *, role: Role | None, claim: Claim | None = None
) -> Author | None:
    """The viewer as a writer; None if they can only watch.

    Load the match ``with_players()`` and its sheet: nothing is queried, but for the record of a chouette's
    game, which those who sit at the table write and nobody else sees. ``role`` is the viewer's in the club.
    """
    if match.in_chouette:
        return _at_table(match, viewer, role, claim)
    if isinstance(viewer, User):
        side = side_of(match, viewer)
        directs = role is not None and role >= Role.DIRECTOR
        if directs or side is not None:
            return Author(user=viewer, side=side, directs=directs)
    if claim is not None and not is_final(match):
        return Author(claim=claim, side=claim.side or None)
    return None


def _at_table(match: Match, viewer: Viewer, role: Role | None, claim: Claim | None) -> Author | None:
    seated = ChouettePlayer.objects.filter(chouette__games__match=match, seated=True)
    if isinstance(viewer, User):
        directs = role is not None and role >= Role.DIRECTOR
        opened = Chouette.objects.filter(games__match=match, opened_by=viewer)
        if directs or seated.filter(player__user=viewer).exists() or opened.exists():
            return Author(user=viewer, directs=directs)
    if claim is not None and seated.filter(claim=claim).exists():
        return Author(claim=claim)
    return None


def may_add_to(viewer: Viewer, match: Match, role: Role | None) -> bool:
    """Whether the viewer, of this role in its club, can add what is kept with the match: photos, a video.

    Its players and directors can, signed in. The record of a chouette's game has neither. No query; load the
    match as for ``author_of``.
    """
    if match.in_chouette or not isinstance(viewer, User):
        return False
    return author_of(match, viewer, role=role) is not None


def claim_in(session: SessionBase, match: Match) -> Claim | None:
    """The claim to this match that the session holds, if it still stands (one query when there is one)."""
    if match.in_chouette:
        table = Chouette.objects.get(games__match=match)
        return claim_to(session, table.ref, table.sheet_id)
    return claim_to(session, match.ref, match.sheet_id)


def claim_to(session: SessionBase, ref: str, sheet_id: int) -> Claim | None:
    """The claim that the session holds under the ref of a match or a chouette, if it still stands."""
    claim = session.get(SESSION_KEY, {}).get(ref)
    if claim is None:
        return None
    return Claim.objects.standing().filter(ref=claim, sheet=sheet_id).first()


def writer(match: Match, viewer: Viewer, claim: Claim | None = None) -> Author | None:
    """``author_of`` with the role looked up (one query)."""
    return author_of(match, viewer, role=role_of(viewer, match.club), claim=claim)


def ref_of(author: Author) -> str:
    """An opaque, stable identifier of a user or claim for shared devices."""
    if author.user is not None:
        return f"login-{salted_hmac('scoring.writer', str(author.user.pk)).hexdigest()[:20]}"
    return f"claim-{author.claim.ref}" if author.claim is not None else "nobody"


def shown_name(match: Match, author: Author) -> str:
    """The author's name for the sheet's page. Load the match ``with_players()``.

    One query for a login that has no seat in the match.
    """
    if author.user is None:
        sides = {None: "", "white": match.white.name, "black": match.black.name}
        name = sides[author.side]
        return _("scorer for %(name)s") % {"name": name} if name else _("scorer")
    for side in (match.white, match.black):
        for player in side.players:
            if player.user_id == author.user.pk:
                return player.name
    own_name = Person.objects.filter(player__user=author.user).values_list("name", flat=True).first()
    return own_name or author.user.email


def is_final(match: Match) -> bool:
    """Whether the result is final or the match void. Load the match with its result."""
    if match.status == MatchStatus.VOID:
        return True
    result = getattr(match, "result", None)
    return match.status == MatchStatus.FINISHED and result is not None and result.final_at is not None
