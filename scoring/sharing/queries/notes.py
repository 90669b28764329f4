"""Notes that a viewer can read."""

from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from clubs.access import Viewer
from clubs.models import Player, Role, User
from scoring.log.queries.results import side_of
from scoring.log.queries.visible import clubs_of, matches_seen_by
from scoring.models import Match, MatchNote, NoteFor, Seat


def notes_seen_by(viewer: Viewer) -> QuerySet[MatchNote]:
    """The viewer's notes, and those of others for the players or the club, with author and match.

    Site administrators read what is for players and clubs, never what is for its author only.
    """
    notes = MatchNote.objects.select_related("author__person", "match")
    if not isinstance(viewer, User):
        return notes.none()
    shared = Q(audience__in=[NoteFor.PLAYERS, NoteFor.CLUB])
    if not viewer.is_superuser:
        plays = Exists(Seat.objects.filter(match=OuterRef("match"), player__user=viewer))
        in_club = Q(audience=NoteFor.CLUB, match__club__in=clubs_of(viewer).values("pk"))
        shared = (shared & plays) | in_club
    return notes.filter(Q(author__user=viewer) | shared)


def notes_on(match: Match, viewer: Viewer, role: Role | None) -> list[MatchNote]:
    """The notes on a match that the viewer, of this role in its club, can read, oldest first (one query).

    None for visitors. They are those of ``notes_seen_by``. Load the match ``with_players()``.
    """
    if not isinstance(viewer, User):
        return []
    plays = viewer.is_superuser or side_of(match, viewer) is not None
    shared = [NoteFor.PLAYERS] * plays + [NoteFor.CLUB] * (plays or role is not None)
    notes = MatchNote.objects.filter(Q(author__user=viewer) | Q(audience__in=shared), match=match)
    return list(notes.select_related("author__person").order_by("created_at", "pk"))


def own_notes(user: User, search: str = "") -> QuerySet[MatchNote]:
    """The user's notes on matches that they can still see, newest first; ``search`` finds text."""
    notes = notes_seen_by(user).filter(author__user=user, match__in=matches_seen_by(user).values("pk"))
    if search:
        notes = notes.filter(text__icontains=search)
    return notes.order_by("-created_at", "-pk")


def exported_notes(player: Player) -> list[dict[str, Any]]:
    """The player's notes for their data export."""
    notes = MatchNote.objects.filter(author=player).select_related("match").order_by("pk")
    return [
        {
            "match": note.match.ref,
            "event": note.event_seq,
            "audience": note.audience,
            "text": note.text,
            "written": note.created_at.isoformat(),
        }
        for note in notes
    ]
