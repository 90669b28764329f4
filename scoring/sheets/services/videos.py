"""Keep the link to a match's video, and the times of its plays there."""

from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import transaction
from django.utils.timezone import now
from django.utils.translation import gettext as _

from clubs.models import Player, User
from clubs.refusals import Refused
from scoring.log.services.sheets import lock_match
from scoring.models import Match, MatchVideo
from scoring.models.video import ADDRESS_LENGTH
from scoring.notation.videos import link_at, time_words
from scoring.rules.errors import InvalidValue

_is_https = URLValidator(schemes=["https"])
SHOWN = 80
"""Characters of a wrong address that a refusal repeats."""


class VideoRefused(Refused):
    """The address of a video cannot be kept; the message says why and what to do."""

    code = "no_video_address"


def set_video(*, match: Match, user: User, address: str) -> MatchVideo:
    """Link the match to a video; the times stay if it is the same video at another time.

    Raises VideoRefused, and ResultRefused for a match that was moved to another computer.
    """
    address = _checked(address.strip())
    with transaction.atomic():
        lock_match(match)
        video = MatchVideo.objects.filter(match=match).first() or MatchVideo(match=match)
        if not video.address or link_at(video.address, 0) != link_at(address, 0):
            video.times = {}
        video.address, video.set_by, video.at = address, user, now()
        video.save()
        return video


def note_time(*, match: Match, seq: int, seconds: int | None) -> None:
    """Note when an entry of the sheet is seen in the match's video; None forgets it.

    Raises InvalidValue for a match without a video, and ResultRefused for one that was moved.
    """
    with transaction.atomic():
        lock_match(match)
        video = MatchVideo.objects.filter(match=match).first()
        if video is None:
            raise InvalidValue(
                "no_video",
                "this match has no video: add its link first, or leave out the time {time}",
                time=time_words(seconds or 0),
            )
        if seconds is None:
            video.times.pop(str(seq), None)
        else:
            video.times[str(seq)] = seconds
        video.save(update_fields=["times"])


def remove_video(*, match: Match) -> None:
    """Forget the match's video and its times; nothing changes without one."""
    MatchVideo.objects.filter(match=match).delete()


def move_video(*, twin: Match, to: Match) -> None:
    """Give the video of ``twin`` to a match without one; its times were of another sheet."""
    if not MatchVideo.objects.filter(match=to).exists():
        MatchVideo.objects.filter(match=twin).update(match=to, times={})


def forget_videos(player: Player) -> None:
    """Forget the videos of an erased player's matches: they show the player."""
    MatchVideo.objects.filter(match__seats__player=player).delete()


def _checked(address: str) -> str:
    shown = f"{address[:SHOWN]}…" if len(address) > SHOWN else address
    if len(address) > ADDRESS_LENGTH:
        message = _("“%(address)s” has %(length)s characters; %(most)s are allowed. Copy a shorter link.")
        raise VideoRefused(message % {"address": shown, "length": len(address), "most": ADDRESS_LENGTH})
    if not address.isprintable():
        message = _("“%(address)s” has a character that cannot be seen. Copy the link again.")
        raise VideoRefused(message % {"address": "".join(filter(str.isprintable, shown))})
    try:
        _is_https(address)
    except ValidationError as error:
        message = _("“%(address)s” is not a link to a video. Copy one that begins with https://.")
        raise VideoRefused(message % {"address": shown}) from error
    if "@" in urlsplit(address).netloc:
        message = _("“%(address)s” has a user name before @. Copy a link that anyone can open.")
        raise VideoRefused(message % {"address": shown})
    return address
