"""The video of a match, and where its steps are seen."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from clubs.models import Player
from scoring.models import Match, MatchVideo
from scoring.notation.videos import link_at, time_words


@dataclass(frozen=True, slots=True)
class VideoLink:
    """A link into a video; ``time`` is where it opens, "" at its beginning."""

    address: str
    time: str

    @property
    def site(self) -> str:
        """The site that has the video, for people."""
        return (urlsplit(self.address).hostname or "").removeprefix("www.")


def video_of(match: Match) -> MatchVideo | None:
    """The match's video (one query)."""
    return MatchVideo.objects.filter(match=match).first()


def times_of(video: MatchVideo) -> Mapping[int, int]:
    """The noted seconds by entry of the sheet, in the order of the sheet."""
    return dict(sorted((int(seq), seconds) for seq, seconds in video.times.items()))


def link_to(video: MatchVideo, seq: int | None = None) -> VideoLink:
    """The link to an entry of the sheet: its noted time, else the nearest earlier one; None: the last."""
    noted = [seconds for noted, seconds in times_of(video).items() if seq is None or noted <= seq]
    if not noted:
        return VideoLink(video.address, "")
    return VideoLink(link_at(video.address, noted[-1]), time_words(noted[-1]))


def exported_videos(player: Player) -> list[dict[str, Any]]:
    """The links to videos that the player set, for their data export."""
    videos = MatchVideo.objects.filter(set_by__isnull=False, set_by=player.user_id).select_related("match")
    return [
        {"match": each.match.ref, "address": each.address, "times": each.times, "set": each.at.isoformat()}
        for each in videos.order_by("pk")
    ]
