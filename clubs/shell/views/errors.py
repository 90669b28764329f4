"""Error pages that Django cannot render in the site's layout."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001 - for developers
    """The ``CSRF_FAILURE_VIEW``."""
    return render(request, "403_csrf.html", status=403)
