"""Refuses unusable values before any view runs."""

from collections.abc import Awaitable, Callable, Iterable
from urllib.parse import parse_qsl, unquote_to_bytes

from asgiref.sync import iscoroutinefunction, sync_to_async
from django.core.exceptions import BadRequest
from django.http import HttpRequest, UnreadablePostError
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware
from django.utils.translation import gettext as _

from clubs.http.numbers import is_endless

API = "/api/"
"""The API checks its values itself, and answers with a problem."""

Answer = Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]


NUMBERED = ("Last-Event-ID",)
"""Headers from which pages read a number."""


@sync_and_async_middleware
def refuse_unusable_values(get_response: Answer) -> Answer:
    """Answer 400 to null bytes and to numbers of hundreds of digits.

    In an address, a form or a header. PostgreSQL stores no null bytes in text; Python raises an error for a
    number of more than 4,300 digits. No form accepts either, so one check replaces one in each form.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        _check_address(request)
        _check_form(request)
        return get_response(request)

    async def middleware_async(request: HttpRequest) -> HttpResponseBase:
        _check_address(request)
        if request.method == "POST":  # reading a form may read files: not in the event loop
            await sync_to_async(_check_form)(request)
        answer: Awaitable[HttpResponseBase] = get_response(request)  # type: ignore[assignment]
        return await answer

    return middleware_async if iscoroutinefunction(get_response) else middleware


def _check_address(request: HttpRequest) -> None:
    query = unquote_to_bytes(request.META.get("QUERY_STRING", ""))
    if not _of_the_api(request) and (b"\0" in query or "\0" in request.path):
        raise BadRequest(_("The address contains a null byte."))
    if _of_the_api(request):
        return
    told = [(name, request.headers.get(name, "")) for name in NUMBERED]
    if b"=" in query:
        told += parse_qsl(request.META["QUERY_STRING"], max_num_fields=None)
    _check_numbers(told)


def _check_form(request: HttpRequest) -> None:
    """Check the fields of a submitted form; other bodies (JSON) have none."""
    if request.method != "POST" or _of_the_api(request):
        return
    try:
        fields = list(request.POST.lists())
    except UnreadablePostError:  # the client has disconnected
        return
    _check_numbers((name, text) for name, values in fields for text in values)
    for name, values in fields:
        if any("\0" in text for text in (name, *values)):
            raise BadRequest(
                _("The field “%(name)s” contains a null byte.") % {"name": name.replace("\0", "")}
            )


def _check_numbers(told: Iterable[tuple[str, str]]) -> None:
    for name, text in told:
        if is_endless(text):
            raise BadRequest(
                _("“%(name)s” is a number with %(count)d digits, which is too long.")
                % {"name": name, "count": len(text)}
            )


def _of_the_api(request: HttpRequest) -> bool:
    return request.path.startswith(API)
