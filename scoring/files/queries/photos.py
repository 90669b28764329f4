"""Photos of a match's paper scoresheet: who sees, adds and removes them."""

from typing import Any

from django.db.models import CharField, F, Func, QuerySet

from clubs.access import Viewer, role_of
from clubs.models import Player, Role, User
from scoring.log.queries.visible import matches_seen_by
from scoring.models import Match, MatchPhoto


def photos_of(match: Match) -> QuerySet[MatchPhoto]:
    """The photos of a match, removed ones too, oldest first, with who added and removed them.

    Their pictures are left out.
    """
    people = ("added_by__player__person", "removed_by__player__person")
    photos = MatchPhoto.objects.filter(match=match).select_related(*people)
    return photos.defer("content", "thumbnail").order_by("at", "pk")


def seen_photo(viewer: Viewer, ref: str) -> tuple[MatchPhoto, Role | None]:
    """The photo, also a removed one, without its pictures, and the viewer's role in its club (two queries).

    Raises MatchPhoto.DoesNotExist where the viewer cannot see the match.
    """
    seen = MatchPhoto.objects.filter(match__in=matches_seen_by(viewer).values("pk"))
    photo = seen.select_related("match__club").defer("content", "thumbnail").get(ref=ref)
    return photo, role_of(viewer, photo.match.club)


def may_remove_photo(viewer: Viewer, photo: MatchPhoto, role: Role | None) -> bool:
    """Whether the viewer, of this role in the match's club, added the photo or directs the club."""
    return isinstance(viewer, User) and (photo.added_by_id == viewer.pk or directs(role))


def directs(role: Role | None) -> bool:
    return role is not None and role >= Role.DIRECTOR


class _Digest(Func):
    """The SHA-256 of bytes, in hex, computed by PostgreSQL."""

    template = "encode(sha256(%(expressions)s), 'hex')"
    output_field = CharField()


def kept_photos() -> QuerySet[MatchPhoto]:
    """All photos that were not removed, without their pictures."""
    return MatchPhoto.objects.filter(removed_at=None).select_related("match").defer("content", "thumbnail")


def damaged_photos() -> QuerySet[MatchPhoto]:
    """The photos of ``kept_photos`` whose picture is another one than the stored digest says."""
    return kept_photos().alias(found=_Digest("content")).exclude(found=F("sha256")).order_by("pk")


def exported_photos(player: Player) -> list[dict[str, Any]]:
    """The photos that the player added, for their data export."""
    photos = MatchPhoto.objects.filter(added_by__isnull=False, added_by=player.user_id)
    return [
        {
            "match": photo.match.ref,
            "ref": photo.ref,
            "sha256": photo.sha256,
            "added": photo.at.isoformat(),
            "removed": photo.removed_at.isoformat() if photo.removed_at else None,
        }
        for photo in photos.select_related("match").defer("content", "thumbnail").order_by("pk")
    ]
