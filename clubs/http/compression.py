"""Pages and answers of the API are sent compressed, wherever no proxy does it."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware


class CompressAnswers(GZipMiddleware):
    """Compress what is whole; what is sent piece by piece goes out as it comes.

    A live stream must not wait for a block to be full, and a backup is compressed already. Django adds a
    random length to each answer, so that its size does not tell what a page keeps secret (BREACH).
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if response.streaming:
            return response
        return super().process_response(request, response)
