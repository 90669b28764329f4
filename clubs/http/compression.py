"""Few bytes on the line: pages go out compressed, files with the headers that concern them."""

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.deprecation import MiddlewareMixin


class CompressAnswers(GZipMiddleware):
    """Compress what is whole; what is sent piece by piece goes out as it comes.

    A live stream must not wait for a block to be full, and a backup is compressed already. Django adds a
    random length to each answer, so that its size does not tell what a page keeps secret (BREACH).
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if response.streaming:
            return response
        return super().process_response(request, response)


class FilesWithoutPolicies(MiddlewareMixin):
    """Static files go out without the headers that only documents obey: a scoresheet asks for sixty files."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if request.path.startswith(settings.STATIC_URL):
            for name in ("Referrer-Policy", "Cross-Origin-Opener-Policy"):
                response.headers.pop(name, None)
        return response
