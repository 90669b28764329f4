"""What no page could make sense of is refused before any page runs."""

from collections.abc import Awaitable, Callable
from urllib.parse import unquote_to_bytes

from asgiref.sync import iscoroutinefunction
from django.core.exceptions import BadRequest
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

Answer = Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]


@sync_and_async_middleware
def refuse_zero_bytes(get_response: Answer) -> Answer:
    """An address with a zero byte, which PostgreSQL takes in no text, is answered with 400."""

    def middleware(request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        _check(request)
        return get_response(request)

    async def middleware_async(request: HttpRequest) -> HttpResponseBase:
        _check(request)
        answer: Awaitable[HttpResponseBase] = get_response(request)  # type: ignore[assignment]
        return await answer

    return middleware_async if iscoroutinefunction(get_response) else middleware


def _check(request: HttpRequest) -> None:
    query = unquote_to_bytes(request.META.get("QUERY_STRING", ""))
    if b"\0" in query or "\0" in request.path:
        raise BadRequest("The address contains a zero byte.")
