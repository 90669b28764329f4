"""JSON in and out of the pages' own addresses."""

import json
from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, JsonResponse, RawPostDataException
from django.utils.translation import gettext as _

from scoring.rules.errors import InvalidValue

Body = Mapping[str, Any]


def json_body(request: HttpRequest) -> Body:
    """The object that was sent. Raises InvalidValue for anything else."""
    try:
        body = json.loads(request.body)
    # A form was sent: what checks forms has read it already.
    except (ValueError, RecursionError, RawPostDataException):
        body = None
    if not isinstance(body, dict):
        raise InvalidValue("unreadable", "the request is no JSON object")
    return body


def after_in(body: Body) -> int:
    """The seq that a body follows; 0 where it says none."""
    after = body.get("after")
    return after if isinstance(after, int) else 0


def json_response(data: Any, status: int = 200) -> JsonResponse:
    """Data for one viewer's eyes."""
    response = JsonResponse(data, status=status, json_dumps_params={"ensure_ascii": False})
    response.headers["Cache-Control"] = "private, no-cache"
    return response


def somebody_else() -> JsonResponse:
    """What was entered under one login or claim is not written under another one."""
    said = _("somebody else is signed in on this device than who entered this; it is kept.")
    return json_response({"code": "other_writer", "detail": said, "at": None}, status=403)
