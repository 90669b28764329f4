"""A form sent twice is saved once: the repeat gets the first redirect.

One mechanism for every form of every page. Each page has a CSRF token of its own in its forms: the same
token with the same address and fields is the same form, sent by a double click, a reload or an impatient
second try. The first does its work, and its response is stored in the same transaction; the others wait for
it. A user who goes back and fills in something else sends another form.

Only redirects are stored: a form shown with errors is processed again. Not covered are views marked
``each_time``, whose page stays and can mean the same again; visitors, whose responses are not stored (their
forms carry a secret of their own or open something once); the sign-in pages of allauth (an address has one
account); and the API, which has ``Idempotency-Key``.
"""

import hashlib
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from inspect import iscoroutinefunction
from typing import Any, TypeVar

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.utils.crypto import salted_hmac
from django.utils.deprecation import MiddlewareMixin
from django.utils.timezone import now
from django.utils.translation import gettext as _

from clubs.http.idempotency import KeptAnswer, KeyInUseError, answer_once
from clubs.models import User

TOKEN = "csrfmiddlewaretoken"  # noqa: S105 - the field's name
MASKED = 64  # characters of a token made for one page; the shorter one of the cookie stays the same for weeks
NOT_OURS = ("allauth.", "django.")
LATE = timedelta(minutes=1)  # later than a double click: the user is told
_EVERY, _PATIENCE = 0.1, 20.0  # seconds
_REDIRECT = 302

View = Callable[..., HttpResponseBase]
V = TypeVar("V", bound=View)


def each_time(view: V) -> V:
    """Mark a view that only sets a value: sent again, it sets it again."""
    view.each_time = True  # type: ignore[attr-defined]
    return view


class AnswerFormsOnce(MiddlewareMixin):
    """The last middleware: refused requests never reach it."""

    def process_view(
        self, request: HttpRequest, view: View, arguments: tuple[Any, ...], named: dict[str, Any]
    ) -> HttpResponseBase | None:
        user = getattr(request, "user", None)
        if not isinstance(user, User) or not is_covered(request, view):
            return None
        return answered_once(request, user, lambda: view(request, *arguments, **named))


def is_covered(request: HttpRequest, view: View) -> bool:
    """Whether the request is a form of one of our pages."""
    if request.method != "POST" or iscoroutinefunction(view) or view.__module__.startswith(NOT_OURS):
        return False
    if getattr(view, "each_time", False):
        return False
    return len(request.POST.get(TOKEN, "")) == MASKED


def answered_once(request: HttpRequest, user: User, work: Callable[[], HttpResponseBase]) -> HttpResponseBase:
    """The response of ``work``, or the stored redirect; 409 after 20 seconds."""
    fresh: list[HttpResponseBase] = []

    def kept() -> KeptAnswer | None:
        response = work()
        fresh.append(response)
        if response.status_code != _REDIRECT:
            return None
        return KeptAnswer(
            _REDIRECT, "", {"Location": response.headers["Location"], "Date": now().isoformat()}
        )

    name = fingerprint(request)
    waits_until = time.monotonic() + _PATIENCE
    while True:
        try:
            answer, again = answer_once(user=user, key=f"form {name}", fingerprint=name, work=kept)
        except KeyInUseError:
            if time.monotonic() > waits_until:
                busy = _("This form was already sent and is still in progress. Check whether it was saved.")
                return HttpResponse(busy, status=409, content_type="text/plain; charset=utf-8")
            time.sleep(_EVERY)
            continue
        if answer is None or not again:
            return fresh[0]
        if datetime.fromisoformat(answer.headers["Date"]) < now() - LATE:
            messages.info(request, _("You already sent this form. Reload the page to send it again."))
        return HttpResponseRedirect(answer.headers["Location"])


def fingerprint(request: HttpRequest) -> str:
    """What identifies a form: token, address, fields and files; 64 hex digits.

    Keyed with the site's secret: fields can be passwords, and it is stored.
    """
    digest = hashlib.sha256(request.get_full_path().encode())
    for name, values in sorted(request.POST.lists()):
        digest.update(repr((name, values)).encode())
    for name, files in sorted(request.FILES.lists()):
        for file in files:
            digest.update(repr((name, file.name, file.size, content_digest(file))).encode())
    return salted_hmac("clubs.http.sent_once", digest.digest(), algorithm="sha256").hexdigest()


def content_digest(file: "UploadedFile[bytes]") -> str:
    digest = hashlib.sha256()
    for piece in file.chunks():
        digest.update(piece)
    file.seek(0)
    return digest.hexdigest()
