"""Versions: ``ETag`` on reads, ``304`` when unchanged, ``If-Match`` on changes.

Tags are weak: they stand for a version of the content, not for its bytes, which a proxy may compress. For
the same reason ``If-Match`` compares them weakly, as OData does; RFC 9110, section 13.1.1, asks for a strong
comparison, which none of our tags would ever pass.
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
    """A key of the templates and static files that pages are made of.

    The time of the newest template (ns), and the hash of the manifest of styles and scripts, empty where
    none was collected. After an upgrade, no browser keeps an old page.
    """
    return TEMPLATES, getattr(staticfiles_storage, "manifest_hash", "")


def version_tag(*parts: object) -> str:
    """A weak tag of versions, and of other values the content depends on.

    >>> version_tag(7, "owner")
    'W/"7.owner"'
    """
    return 'W/"' + ".".join(str(part) for part in parts) + '"'


def content_tag(body: bytes) -> str:
    """A weak tag for content that has no version column."""
    return 'W/"' + hashlib.sha256(body).hexdigest()[:32] + '"'


def require_match(request: Request, tag: str) -> None:
    """Refuse a change of an outdated version, whose row the caller has locked.

    Answers 428 without ``If-Match`` and 412 when it names another version; ``*`` matches any.
    """
    sent = request.headers.get("If-Match")
    if sent is None:
        raise refuse(MATCH_NEEDED)
    if sent.strip() != "*" and _opaque(tag) not in _tags(sent):
        raise refuse(CHANGED, ETag=tag)


def unchanged(request: Request | HttpRequest, tag: str) -> bool:
    """Whether the client already has this version."""
    sent = request.headers.get("If-None-Match", "")
    return request.method in {"GET", "HEAD"} and (sent.strip() == "*" or _opaque(tag) in _tags(sent))


def conditional(request: Request, response: Response) -> Response:
    """Tag the rendered response to a GET; drop its body when the client has it."""
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
