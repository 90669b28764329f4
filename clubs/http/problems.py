"""Every API error is a problem of RFC 9457 with a stable code, field and value.

An app tells which of its exceptions a client may see, in ``AppConfig.ready``::

    register_problem(IllegalPlay, UNPROCESSABLE)                  # .code and .parameters go along
    register_problem(DrawRefused, ProblemType("draw_refused", 409, _("The draw was refused")))

and in a view names the field at fault::

    with about("plays.3", value):
        record_play(...)

Any exception that is neither registered, nor a refusal of Django or DRF, is a bug: it is logged with an ID,
and the client gets only the ID.
"""

import logging
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from json import JSONDecodeError
from typing import Any
from uuid import uuid4

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.core.exceptions import ValidationError as ModelError
from django.core.files.uploadedfile import UploadedFile
from django.core.signals import got_request_exception
from django.http import Http404, UnreadablePostError
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.http.problem_kinds import (
    BAD_TOKEN,
    CONFLICT,
    FAULT,
    FORBIDDEN,
    INVALID,
    KINDS,
    MEDIA,
    METHOD,
    NOT_ACCEPTABLE,
    NOT_FOUND,
    SIGN_IN,
    TOO_LARGE,
    TOO_MANY,
    UNPROCESSABLE,
    UNREADABLE,
    ProblemType,
    Text,
)
from clubs.refusals import Refused, remedy_of

logger = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"
VALUE_SHOWN = 200  # characters of a value repeated to its sender
_SECRET_FIELDS = frozenset({"password", "token"})


@dataclass(frozen=True, slots=True)
class FieldError:
    """An error of one value. ``field`` is a path (``players.0.name``), or empty."""

    field: str
    value: Any
    message: str
    code: str

    def as_data(self) -> dict[str, Any]:
        return {"field": self.field, "value": self.value, "message": self.message, "code": self.code}


@dataclass(frozen=True, slots=True)
class Problem:
    """One occurrence of a problem type."""

    kind: ProblemType
    detail: str
    errors: tuple[FieldError, ...] = ()
    code: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    instance: str = ""
    members: Mapping[str, Any] = field(default_factory=dict)
    """Further members of this problem type, such as the current state."""

    def response(self, request: Request) -> Response:
        """The problem as a response; ``instance`` defaults to the requested path."""
        data: dict[str, Any] = {
            "type": reverse("api:problem", args=[self.kind.code]),
            "title": str(self.kind.title),
            "status": self.kind.status,
            "detail": self.detail,
            "instance": self.instance or request.get_full_path(),
            "code": self.code or self.kind.code,
            "errors": [error.as_data() for error in self.errors],
        }
        if self.parameters:
            data["parameters"] = {name: _plain(value) for name, value in self.parameters.items()}
        data |= self.members
        headers = dict(self.headers)
        return Response(_sendable(data), status=self.kind.status, content_type=MEDIA_TYPE, headers=headers)


class ProblemError(Exception):
    """Raised to answer with a problem."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(problem.detail)


def refuse(kind: ProblemType, detail: Text = "", *errors: FieldError, **headers: str) -> ProblemError:
    """The exception for a problem; ``Retry_After="1"`` becomes a header."""
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return ProblemError(Problem(kind, str(detail or kind.title), errors, headers=names))


_registered: dict[type[Exception], ProblemType] = {Refused: CONFLICT}


def register_problem(error: type[Exception], kind: ProblemType = UNPROCESSABLE) -> None:
    """Show an exception and its subclasses to clients.

    Call it in ``AppConfig.ready``. The text becomes ``detail``, translated through ``template`` where the
    exception has one. ``code`` and ``parameters`` are included where it has them. A new type is listed with
    the others. Raises ValueError for another type under a known code.
    """
    if KINDS.setdefault(kind.code, kind) != kind:
        raise ValueError(f"There is a problem kind {kind.code} already: {KINDS[kind.code]}.")
    _registered[error] = kind


class _AboutError(Exception):
    """A registered exception with the field it is about."""

    def __init__(self, error: Exception, field_name: str, value: Any) -> None:
        self.error, self.field, self.value = error, field_name, value
        super().__init__(str(error))


@contextmanager
def about(field_name: str, value: Any = None) -> Iterator[None]:
    """Name the request field that a registered exception raised inside is about."""
    try:
        yield
    except Exception as error:
        if _kind_of(error) is None:
            raise
        raise _AboutError(error, field_name, value) from error


def answer_problem(error: Exception, context: Mapping[str, Any]) -> Response:
    """DRF's exception handler: every exception becomes a problem."""
    request: Request = context["request"]
    return problem_of(error, request).response(request)


def problem_of(error: Exception, request: Request) -> Problem:
    """The problem shown to a client for an exception."""
    if isinstance(error, ProblemError):
        return error.problem
    if isinstance(error, _AboutError):
        return _registered_problem(error.error, error.field, error.value)
    if _kind_of(error) is not None:
        return _registered_problem(error)
    if isinstance(error, exceptions.ValidationError):
        return _invalid(error, request)
    if isinstance(error, ModelError):
        found = error.message_dict if hasattr(error, "error_dict") else error.messages
        return _invalid(exceptions.ValidationError(found), request)
    return _refusal(error) or _fault(error, request)


def told(
    error: Exception,
    *,
    detail: str = "",
    field_name: str | None = None,
    members: Mapping[str, Any] | None = None,
) -> ProblemError:
    """A registered exception as a problem, with more ``members``."""
    problem = _registered_problem(error, field_name, detail=detail)
    return ProblemError(replace(problem, members={**problem.members, **(members or {})}))


def _kind_of(error: Exception) -> ProblemType | None:
    return next((_registered[base] for base in type(error).__mro__ if base in _registered), None)


def _registered_problem(
    error: Exception, field_name: str | None = None, value: Any = None, detail: str = ""
) -> Problem:
    kind = _kind_of(error) or UNPROCESSABLE
    parameters = dict(getattr(error, "parameters", {}))
    template = getattr(error, "template", "")
    detail = detail or (gettext(template).format(**parameters) if template else str(error))
    code = getattr(error, "code", "") or kind.code
    errors = () if field_name is None else (FieldError(field_name, _shown(value), detail, code),)
    remedy = remedy_of(error)
    members = {} if remedy is None else {"remedy": {"title": remedy.words, "url": remedy.api_address}}
    return Problem(kind, detail, errors, code=code, parameters=parameters, members=members)


def _refusal(error: Exception) -> Problem | None:
    """The problem of a refusal by Django or DRF; None for anything else."""
    match error:
        case Http404() | exceptions.NotFound():
            return Problem(NOT_FOUND, _text_of(error, NOT_FOUND))
        case exceptions.NotAuthenticated():
            return Problem(SIGN_IN, str(SIGN_IN.title), headers=_auth_header(error))
        case exceptions.AuthenticationFailed():
            return Problem(BAD_TOKEN, str(error.detail), headers=_auth_header(error, 'error="invalid_token"'))
        case PermissionDenied() | exceptions.PermissionDenied():
            return Problem(FORBIDDEN, _text_of(error, FORBIDDEN))
        case exceptions.ParseError():
            return _unreadable(error)
        case exceptions.Throttled():
            wait = getattr(error, "wait", None)  # seconds; the stubs do not know it
            again = {} if wait is None else {"Retry-After": str(math.ceil(wait))}
            return Problem(TOO_MANY, str(error.detail), headers=again)
        case exceptions.MethodNotAllowed():
            return Problem(METHOD, str(error.detail))
        case exceptions.NotAcceptable():
            return Problem(NOT_ACCEPTABLE, str(error.detail))
        case exceptions.UnsupportedMediaType():
            return Problem(MEDIA, str(error.detail))
        case RequestDataTooBig():
            return Problem(TOO_LARGE, str(TOO_LARGE.title))
        case SuspiciousOperation() | UnreadablePostError():
            return Problem(UNREADABLE, str(UNREADABLE.title))
        case _:
            return None


def _fault(error: Exception, request: Request) -> Problem:
    instance = uuid4().urn
    logger.error("%s %s: fault %s", request.method, request.path, instance, exc_info=error)
    # Reports the error to error trackers, and fails tests that do not expect it.
    got_request_exception.send(sender=type(error), request=request._request)
    return Problem(FAULT, str(FAULT.help), instance=instance)


def _text_of(error: Exception, kind: ProblemType) -> str:
    """The exception's reason, if it is ours: Django's 404 names URL patterns."""
    if isinstance(error, exceptions.APIException):
        return str(error.detail)
    text = error.args[0] if error.args else ""
    return text if isinstance(text, str) and text else str(kind.title)


def _auth_header(error: exceptions.APIException, more: str = "") -> dict[str, str]:
    header = getattr(error, "auth_header", "")
    return {"WWW-Authenticate": f"{header}, {more}" if more else header} if header else {}


def _unreadable(error: exceptions.ParseError) -> Problem:
    """The problem of a body that is not JSON, with the position if known."""
    match error.__context__:
        case JSONDecodeError() as cause:
            detail = _("%(reason)s, at character %(at)d: line %(line)d, column %(column)d.") % {
                "reason": cause.msg,
                "at": cause.pos,
                "line": cause.lineno,
                "column": cause.colno,
            }
            place = {"at": cause.pos, "line": cause.lineno, "column": cause.colno}
            shown = cause.doc[cause.pos : cause.pos + 20]
            return Problem(
                UNREADABLE,
                detail,
                (FieldError("", shown, detail, "json"),),
                code="json",
                parameters=place,
            )
        case UnicodeDecodeError() as cause:
            detail = _("Byte %(at)d is not UTF-8.") % {"at": cause.start}
            return Problem(UNREADABLE, detail, code="utf8", parameters={"at": cause.start})
        case _:
            return Problem(UNREADABLE, str(error.detail))


def _invalid(error: exceptions.ValidationError, request: Request) -> Problem:
    sent = _sent(request)
    errors = tuple(
        FieldError(path, _value_at(sent, path), str(message), getattr(message, "code", None) or "invalid")
        for path, message in _flat(error.detail)
    )
    first = errors[0]
    more = len(errors) - 1
    detail = f"{first.field}: {first.message}" if first.field else first.message
    if more:
        detail += " " + gettext("(and %(more)d more)") % {"more": more}
    return Problem(INVALID, detail, errors)


def _sent(request: Request) -> Any:
    """What a field error is about: query parameters of a GET, else the body."""
    if request.method in {"GET", "HEAD"}:
        return request.query_params.dict()
    try:
        data = request.data
    except exceptions.APIException:
        return None
    return data.dict() if hasattr(data, "dict") else data


def _flat(detail: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield (path, message) for every message of DRF's nested error detail."""
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            own = "" if name == "non_field_errors" else str(name)
            yield from _flat(inner, ".".join(part for part in (path, own) if part))
    elif isinstance(detail, (list, tuple)):
        for index, inner in enumerate(detail):
            nested = isinstance(inner, (Mapping, list, tuple))
            yield from _flat(inner, f"{path}.{index}".lstrip(".") if nested else path)
    else:
        yield path, detail


def _value_at(sent: Any, path: str) -> Any:
    if path.rpartition(".")[2] in _SECRET_FIELDS:
        return None
    value = sent
    for step in path.split(".") if path else ():
        if isinstance(value, Mapping):
            value = value.get(step)
        elif isinstance(value, list) and step.isdecimal() and int(step) < len(value):
            value = value[int(step)]
        else:
            return None
    return _shown(value) if path else None


def _sendable(value: Any) -> Any:
    """The value with lone surrogates escaped: JSON carries them, UTF-8 does not."""
    match value:
        case str():
            return value.encode("utf-8", "backslashreplace").decode()
        case dict():
            return {_sendable(name): _sendable(inner) for name, inner in value.items()}
        case list():
            return [_sendable(inner) for inner in value]
        case _:
            return value


def _shown(value: Any) -> Any:
    """A value to repeat to its sender: plain and truncated."""
    if isinstance(value, UploadedFile):
        return value.name
    plain = _plain(value)
    return plain[:VALUE_SHOWN] + "…" if isinstance(plain, str) and len(plain) > VALUE_SHOWN else plain


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, Mapping):
        return {str(name): _shown(inner) for name, inner in list(value.items())[:20]}
    if isinstance(value, (list, tuple)):
        return [_shown(inner) for inner in value[:20]]
    return str(value)
