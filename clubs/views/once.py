"""Forms that make something new make it once: a double click leads to what the first one made."""

import hashlib
import time
from collections.abc import Callable

from django.http import HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _

from clubs.access import ClubRequest, SignedInRequest
from clubs.services.idempotency import Answer, KeyInUseError, answer_once

FIELD = "once"
LONGEST = 40
_NOT_SAID = {FIELD, "csrfmiddlewaretoken"}
_EVERY, _PATIENCE = 0.1, 20.0  # seconds
_REDIRECT = 302


class _NothingMadeError(Exception):
    def __init__(self, response: HttpResponse) -> None:
        super().__init__(response.status_code)
        self.response = response


def made_once(request: SignedInRequest | ClubRequest, make: Callable[[], HttpResponse]) -> HttpResponse:
    """What ``make`` answers; its redirect to what it made is kept, and given again to the same form.

    A form is the same when it has the key of ``{% once %}`` and says the same: somebody who goes back and
    announces another date means another event. The second of two clicks waits for the first; after 20
    seconds it is told (409) that the first is not done.
    """
    key = request.POST.get(FIELD, "")
    if not 0 < len(key) <= LONGEST:
        return make()

    def work() -> Answer:
        response = make()
        if response.status_code != _REDIRECT:
            # A form with its errors: what was typed is typed again.
            raise _NothingMadeError(response)
        return Answer(_REDIRECT, "", {"Location": response.headers["Location"]})

    said = _said(request)
    waits_until = time.monotonic() + _PATIENCE
    while True:
        try:
            answer, _again = answer_once(
                user=request.user, key=f"form {key} {said}", fingerprint=said, work=work
            )
        except _NothingMadeError as nothing:
            return nothing.response
        except KeyInUseError:
            if time.monotonic() > waits_until:
                busy = _("This form was sent already and is still being worked on: look whether it was done.")
                return HttpResponse(busy, status=409, content_type="text/plain; charset=utf-8")
            time.sleep(_EVERY)
        else:
            return HttpResponseRedirect(answer.headers["Location"])


def _said(request: SignedInRequest | ClubRequest) -> str:
    """SHA-256 of address and fields, hexadecimal."""
    digest = hashlib.sha256(request.get_full_path().encode())
    for name, values in sorted(request.POST.lists()):
        if name not in _NOT_SAID:
            digest.update(repr((name, values)).encode())
    return digest.hexdigest()
