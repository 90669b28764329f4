"""What is kept beside the sheet of a match: photos of its paper, and the link to its video."""

from dataclasses import dataclass
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef
from django.db.models.functions import JSONObject

from scoring.models import Match, MatchPhoto, MatchVideo


@dataclass(frozen=True, slots=True)
class ShownPhoto:
    """A photo as pages show it small, with the size of the whole one."""

    ref: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Beside:
    """The photos that were not removed, oldest first, and the video, if there is one."""

    photos: tuple[ShownPhoto, ...]
    video: MatchVideo | None


def beside(match: Match) -> Beside:
    """What is kept beside the match's sheet (one query)."""
    kept = MatchPhoto.objects.filter(match=OuterRef("pk"), removed_at=None).order_by("at", "pk")
    photos = ArraySubquery(kept.values(shown=JSONObject(ref="ref", width="width", height="height")))
    found = Match.with_boards.filter(pk=match.pk).annotate(shown_photos=photos)
    row: Any = found.values("shown_photos", "video__address", "video__times").get()
    address, times = row["video__address"], row["video__times"]
    video = None if address is None else MatchVideo(match=match, address=address, times=times)
    return Beside(tuple(ShownPhoto(**each) for each in row["shown_photos"]), video)
