"""Pictures that are drawn on request, kept for a day and tagged by what they show."""

from collections.abc import Callable
from hashlib import sha256

from django.http import HttpRequest, HttpResponse

from clubs.cached import from_cache, to_cache
from clubs.http.etags import unchanged

KEPT_FOR = 24 * 3600  # seconds
VERSION = 1
"""Rises when pictures look different."""


def answer_picture(request: HttpRequest, content: str, kind: str, drawn: Callable[[], bytes]) -> HttpResponse:
    """The picture of this content, drawn once a day; 304 where the reader has it.

    ``kind`` is its media type, ``drawn`` draws it.
    """
    key = sha256(f"{VERSION} {kind} {content}".encode()).hexdigest()[:32]
    tag = f'W/"{key}"'
    if unchanged(request, tag):
        response = HttpResponse(status=304)
    else:
        picture = from_cache(f"picture-{key}")
        if picture is None:
            picture = drawn()
            to_cache(f"picture-{key}", picture, KEPT_FOR)
        response = HttpResponse(picture, content_type=kind)
    response.headers["ETag"] = tag
    response.headers["Cache-Control"] = "private, no-cache"
    return response
