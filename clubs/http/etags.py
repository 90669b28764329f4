"""Versions: an ``ETag`` on what is read, ``304`` for what has not changed, ``If-Match`` for what is changed.

Tags are weak: they stand for a version of the content, not for its bytes, which a proxy may compress. For
the same reason ``If-Match`` compares them weakly, as OData does; RFC 9110, section 13.1.1, asks for a strong
comparison, by which no tag of ours would ever match.
"""

import hashlib
from collections.abc import Iterable

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.http.problem_kinds import CHANGED, MATCH_NEEDED
from clubs.http.problems import refuse

TEMPLATES = max(path.stat().st_mtime_ns for path in (settings.BASE_DIR / "templates").glob("**/*.html"))


def release() -> tuple[int, str]:
    """What pages are made of: the time of the newest template (ns), and the hash of the manifest of styles
    and scripts, empty where none was collected. A newer Midpoint shows the same in another way, and no
    browser keeps the old page.
    """
    return TEMPLATES, getattr(staticfiles_storage, "manifest_hash", "")


def version_tag(*parts: object) -> str:
    """A weak tag of the versions (and of whatever else the content depends on, such as the viewer's role).

    >>> version_tag(7, "owner")
    'W/"7.owner"'
    """
    return 'W/"' + ".".join(str(part) for part in parts) + '"'


def content_tag(body: bytes) -> str:
    """A weak tag for content that has no version column."""
    return 'W/"' + hashlib.sha256(body).hexdigest()[:32] + '"'


def require_match(request: Request, tag: str) -> None:
    """Refuse a change of anything but the present version, whose row the caller has locked.

    Answers 428 without ``If-Match`` and 412 when it names another version; ``*`` takes any.
    """
    sent = request.headers.get("If-Match")
    if sent is None:
        raise refuse(MATCH_NEEDED)
    if sent.strip() != "*" and _opaque(tag) not in _tags(sent):
        raise refuse(CHANGED, ETag=tag)


def unchanged(request: Request | HttpRequest, tag: str) -> bool:
    """Whether the client has this version already."""
    sent = request.headers.get("If-None-Match", "")
    return request.method in {"GET", "HEAD"} and (sent.strip() == "*" or _opaque(tag) in _tags(sent))


def conditional(request: Request, response: Response) -> Response:
    """The rendered answer to a question, tagged; without its body when the client has it."""
    response.headers.setdefault("ETag", content_tag(response.content))
    if not unchanged(request, response.headers["ETag"]):
        return response
    return not_modified(response.headers.items())


def not_modified(headers: Iterable[tuple[str, str]]) -> Response:
    kept = {"etag", "cache-control", "vary"}
    return Response(status=304, headers={name: value for name, value in headers if name.lower() in kept})


def _tags(header: str) -> set[str]:
    return {_opaque(tag) for tag in header.split(",")}


def _opaque(tag: str) -> str:
    return tag.strip().removeprefix("W/")
