"""``Idempotency-Key`` on every POST: a repeated request is done once."""

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.http.idempotency import DoNotKeepError, KeptAnswer, KeyInUseError, KeyReusedError, answer_once
from clubs.http.problem_kinds import BUSY, INVALID, KEY_REUSED
from clubs.http.problems import FieldError, refuse
from clubs.models import User

HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
KEY_LENGTH = 200
KEY_PATTERN = rf"[!-~]{{1,{KEY_LENGTH}}}"
# Headers that belong to the answer rather than to its transport.
_REPEATED = ("Content-Type", "Location", "ETag", "WWW-Authenticate")
_FAULT = 500


def key_of(request: Request) -> str | None:
    """The request's key, or None. Raises a problem for an invalid key."""
    key = request.headers.get(HEADER)
    if key is None:
        return None
    if not re.fullmatch(KEY_PATTERN, key):
        message = _("A key has 1 to %(most)d visible ASCII characters.") % {"most": KEY_LENGTH}
        raise refuse(INVALID, message, FieldError(HEADER, key[:KEY_LENGTH], message, "invalid"))
    return key


def once(request: Request, user: User, key: str, respond: Callable[[], Response]) -> HttpResponse:
    """The rendered response of ``respond``, or the stored one of a repeated request."""

    def work() -> KeptAnswer:
        response = respond().render()
        kept = {name: response.headers[name] for name in _REPEATED if name in response.headers}
        answer = KeptAnswer(response.status_code, response.content.decode(), kept)
        if answer.status >= _FAULT:
            raise DoNotKeepError(answer)
        return answer

    try:
        answer, repeated = answer_once(user=user, key=key, fingerprint=fingerprint(request), work=work)
    except DoNotKeepError as fault:
        answer, repeated = fault.answer, False
    except KeyReusedError as reused:
        message = _("The key %(key)s was used for another request.") % {"key": key}
        raise refuse(KEY_REUSED, message, FieldError(HEADER, key, message, KEY_REUSED.code)) from reused
    except KeyInUseError as busy:
        raise refuse(BUSY, Retry_After="1") from busy
    headers = answer.headers | ({REPLAYED: "true"} if repeated else {})
    return HttpResponse(answer.body, status=answer.status, headers=headers)


def fingerprint(request: Request) -> str:
    """SHA-256 of method, address and body, hexadecimal.

    A form is identified by its fields and files: its bytes contain a boundary that clients choose at random.
    """
    digest = hashlib.sha256(f"{request.method} {request.get_full_path()}\n".encode())
    body = request._request.body if _is_json(request) else b"".join(_form_parts(request.data))
    digest.update(body)
    return digest.hexdigest()


def _is_json(request: Request) -> bool:
    return not str(request.content_type).startswith("multipart/")


def _form_parts(data: Any) -> Iterator[bytes]:
    for name in sorted(data):
        for value in data.getlist(name):
            part = [name, value.name, _digest(value)] if isinstance(value, UploadedFile) else [name, value]
            yield json.dumps(part).encode()


def _digest(file: "UploadedFile[Any]") -> str:
    digest = hashlib.sha256()
    for chunk in file.chunks():
        digest.update(chunk)
    file.seek(0)
    return digest.hexdigest()
