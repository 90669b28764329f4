"""Keep photos and scans of a match's paper scoresheet, and remove them."""

from hashlib import sha256

from django.db import transaction
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import Player, User
from clubs.pictures import PictureRefused, check_size, jpeg_of, picture_from
from clubs.refusals import Refused
from scoring.engines.scans import MARK, ScanError, pages_of
from scoring.log.services.sheets import lock_match
from scoring.models import Match, MatchPhoto

MOST_PHOTOS = 12
"""Photos of one match."""
LONG_SIDE, THUMBNAIL_SIDE = 2400, 320  # pixels


class TooManyPhotosRefused(Refused):
    """The match has as many photos as it can have."""

    code = "too_many_photos"


def add_photos(*, match: Match, user: User, name: str, content: bytes) -> list[MatchPhoto]:
    """Keep an uploaded picture, or each page of a PDF, with the match; what it has already is not kept twice.

    A PDF is kept whole or not at all. Raises PictureRefused for a file that is neither or too large,
    TooManyPhotosRefused, and ResultRefused for a match that was moved to another computer.
    """
    drawn = [_drawn(match, user, name, picture) for picture in _pictures(name, content)]
    with transaction.atomic():
        lock_match(match)
        found = MatchPhoto.objects.filter(match=match, removed_at=None).defer("content", "thumbnail")
        kept = {photo.sha256: photo for photo in found}
        new = {photo.sha256: photo for photo in drawn if photo.sha256 not in kept}
        if new and len(kept) + len(new) > MOST_PHOTOS:
            raise _too_many(name, pages=len(new), room=MOST_PHOTOS - len(kept))
        MatchPhoto.objects.bulk_create(new.values())
        return [(kept | new)[photo.sha256] for photo in drawn]


def _pictures(name: str, content: bytes) -> list[bytes]:
    """The file itself, or the pages of a PDF, of which nothing else is kept."""
    if not content.startswith(MARK):
        return [content]
    check_size(name, content)
    try:
        return pages_of(content, most=MOST_PHOTOS, long_side=LONG_SIDE)
    except ScanError as error:
        if error.code == "pages":
            raise _too_many(name, pages=error.pages, room=MOST_PHOTOS) from error
        message = {
            "password": _("%(name)s is locked with a password. Save it without one and try again."),
            "slow": _("%(name)s takes too long to draw. Take photos of the pages instead."),
        }.get(error.code, _("%(name)s is damaged. Save the PDF again, or take photos of its pages."))
        raise PictureRefused(message % {"name": name}, code=f"pdf_{error.code}") from error


def _drawn(match: Match, user: User, name: str, content: bytes) -> MatchPhoto:
    """A picture as it will be kept, not saved."""
    picture = picture_from(name, content, long_side=LONG_SIDE)
    written = jpeg_of(picture)
    width, height = picture.size
    picture.thumbnail((THUMBNAIL_SIDE, THUMBNAIL_SIDE))
    return MatchPhoto(
        match=match,
        sha256=sha256(written).hexdigest(),
        content=written,
        thumbnail=jpeg_of(picture),
        width=width,
        height=height,
        added_by=user,
    )


def _too_many(name: str, *, pages: int, room: int) -> TooManyPhotosRefused:
    if room <= 0:
        message = _("This match already has %(most)s photos. Remove one first.")
    elif room < MOST_PHOTOS:
        message = ngettext(
            "This match has room for %(room)s more photo; %(name)s has %(pages)s pages. Save fewer pages.",
            "This match has room for %(room)s more photos; %(name)s has %(pages)s pages. Save fewer pages.",
            room,
        )
    else:
        message = _("%(name)s has %(pages)s pages; a match can have %(most)s photos. Save fewer pages.")
    said = {"name": name, "pages": pages, "room": room, "most": MOST_PHOTOS}
    return TooManyPhotosRefused(message % said)


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
