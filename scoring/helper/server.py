"""Requests to a Midpoint server: JSON over HTTPS with a token, no redirects."""

import json
import ssl
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, HTTPSHandler, OpenerDirector, Request, build_opener

from scoring.helper import PROTOCOL

TIMEOUT = 30.0
LONGEST_ANSWER = 8 * 1024 * 1024
"""Bytes that are read of one response."""
_LOCAL = {"localhost", "127.0.0.1", "::1"}
_API = "/api/v1/helper/"
_NO_SERVER = 500
_TOO_MANY = 429
_NOT_FOUND = 404


class WrongAddress(ValueError):
    """An address that no token is sent to."""


class Unreachable(Exception):
    """No answer, or not Midpoint's: try again, not before ``after`` seconds if the server says so."""

    def __init__(self, message: str, *, after: float = 0.0) -> None:
        super().__init__(message)
        self.after = after


class Refusal(Exception):
    """The server refuses; ``code`` is stable, the text says what to do."""

    def __init__(self, status: int, code: str, detail: str) -> None:
        super().__init__(detail)
        self.status, self.code = status, code


def checked_address(text: str) -> str:
    """The server's address without a closing slash.

    Raises WrongAddress for anything but HTTPS, or HTTP on this computer.

    >>> checked_address("https://club.example/")
    'https://club.example'
    """
    parts = urlsplit(text)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise WrongAddress(f"{text!r} is not an address such as https://club.example")
    if parts.scheme == "http" and parts.hostname not in _LOCAL:
        raise WrongAddress(f"{text!r} is not encrypted: use https, or the token can be read on the way")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise WrongAddress(f"{parts.hostname}: give the address alone, without password or parameters")
    return text.rstrip("/")


class _NoRedirects(HTTPRedirectHandler):
    """A redirect would take the token elsewhere."""

    def redirect_request(self, *_arguments: Any, **_named: Any) -> None:
        return None


def _opener() -> OpenerDirector:
    return build_opener(_NoRedirects, HTTPSHandler(context=ssl.create_default_context()))


@dataclass(frozen=True, slots=True)
class Server:
    """One server and this helper's token."""

    address: str
    token: str = field(repr=False)
    opener: OpenerDirector = field(default_factory=_opener, repr=False)

    def get(self, path: str = "") -> dict[str, Any]:
        """As `post`, without a body."""
        return self._ask("GET", path, None)

    def post(self, path: str, body: dict[str, Any], *, timeout: float = TIMEOUT) -> dict[str, Any]:
        """The JSON object that the server answers, empty for none. Raises Unreachable and Refusal."""
        return self._ask("POST", path, json.dumps(body, separators=(",", ":")).encode(), timeout=timeout)

    def _ask(self, method: str, path: str, body: bytes | None, *, timeout: float = TIMEOUT) -> dict[str, Any]:
        headers = {
            "Authorization": f"Bearer {self.token}",
            "Accept": "application/json",
            "User-Agent": f"midpoint-helper/{PROTOCOL}",
        }
        if body is not None:
            headers["Content-Type"] = "application/json"
        asked = Request(self.address + _API + path, data=body, headers=headers, method=method)  # noqa: S310
        try:
            with self.opener.open(asked, timeout=timeout) as response:
                return _read(response.read(LONGEST_ANSWER + 1))
        except HTTPError as error:
            with error:
                raise _refused(error, error.read(LONGEST_ANSWER + 1)) from None
        except (URLError, HTTPException, OSError) as error:
            raise Unreachable(
                f"{self.address} cannot be reached: {getattr(error, 'reason', error)}"
            ) from error


def _read(content: bytes) -> dict[str, Any]:
    if len(content) > LONGEST_ANSWER:
        raise Unreachable(f"the answer has more than {LONGEST_ANSWER} bytes")
    if not content:
        return {}
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Unreachable("the answer is not Midpoint's: a proxy or a sign-in page of the network?")
    return found


def _refused(error: HTTPError, content: bytes) -> Exception:
    if error.code >= _NO_SERVER or error.code == _TOO_MANY:
        after = error.headers.get("Retry-After", "")
        seconds = float(after) if after.isdecimal() else 0.0
        return Unreachable(f"the server answers {error.code}", after=seconds)
    if target := error.headers.get("Location"):
        return Refusal(error.code, "redirected", f"the server is at another address: {target[:200]}")
    try:
        told = _read(content)
    except Unreachable:
        told = {}
    if error.code == _NOT_FOUND and "code" not in told:
        return Refusal(error.code, "no_midpoint", "there is no Midpoint server with helpers at this address")
    detail = str(told.get("detail") or f"the server answers {error.code}")
    return Refusal(error.code, str(told.get("code", "")), detail)
