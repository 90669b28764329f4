"""Keep photos of a match's paper scoresheet, and remove them."""

from hashlib import sha256

from django.db import transaction
from django.utils.timezone import now
from django.utils.translation import gettext as _

from clubs.models import Player, User
from clubs.pictures import jpeg_of, picture_from
from clubs.refusals import Refused
from scoring.log.services.sheets import lock_match
from scoring.models import Match, MatchPhoto

MOST_PHOTOS = 12
"""Photos of one match."""
LONG_SIDE, THUMBNAIL_SIDE = 2400, 320  # pixels


class TooManyPhotosRefused(Refused):
    """The match has as many photos as it can have."""

    code = "too_many_photos"


def add_photo(*, match: Match, user: User, name: str, content: bytes) -> MatchPhoto:
    """Keep an uploaded picture with the match; a picture that it has already is not kept twice.

    Raises PictureRefused for a file that is no picture or too large, TooManyPhotosRefused, and ResultRefused
    for a match that was moved to another computer.
    """
    picture = picture_from(name, content, long_side=LONG_SIDE)
    written = jpeg_of(picture)
    width, height = picture.size
    picture.thumbnail((THUMBNAIL_SIDE, THUMBNAIL_SIDE))
    with transaction.atomic():
        lock_match(match)
        kept = MatchPhoto.objects.filter(match=match, removed_at=None).defer("content", "thumbnail")
        digest = sha256(written).hexdigest()
        if known := kept.filter(sha256=digest).first():
            return known
        if kept.count() >= MOST_PHOTOS:
            message = _("This match already has %(most)s photos. Remove one first.")
            raise TooManyPhotosRefused(message % {"most": MOST_PHOTOS})
        return MatchPhoto.objects.create(
            match=match,
            sha256=digest,
            content=written,
            thumbnail=jpeg_of(picture),
            width=width,
            height=height,
            added_by=user,
        )


def remove_photo(*, photo: MatchPhoto, user: User) -> None:
    """Delete the pictures of a photo, and store who removed it; nothing changes if it was removed before."""
    MatchPhoto.objects.filter(pk=photo.pk, removed_at=None).update(
        content=None, thumbnail=None, removed_by=user, removed_at=now()
    )


def forget_photos(player: Player) -> None:
    """Delete the photos of an erased player's matches; the opponents lose them, too: they show both names."""
    MatchPhoto.objects.filter(match__seats__player=player, removed_at=None).update(
        content=None, thumbnail=None, removed_at=now()
    )
