"""Compressed pages, and static files without unneeded headers."""

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.deprecation import MiddlewareMixin


class CompressAnswers(GZipMiddleware):
    """Compresses complete responses; streams pass through unchanged.

    A live stream must not wait for a block to be full, and a backup is compressed already. Django adds a
    random length to each response, so that its size does not reveal secrets in a page (BREACH).
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if response.streaming:
            return response
        return super().process_response(request, response)


class FilesWithoutPolicies(MiddlewareMixin):
    """Sends static files without document headers: a scoresheet loads sixty files."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if request.path.startswith(settings.STATIC_URL):
            for name in ("Referrer-Policy", "Cross-Origin-Opener-Policy"):
                response.headers.pop(name, None)
        return response
