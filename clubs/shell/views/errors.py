"""Pages for what went wrong that Django cannot draw inside the site's frame by itself."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001 - for developers
    """What ``CSRF_FAILURE_VIEW`` shows when a form cannot be trusted to come from its page."""
    return render(request, "403_csrf.html", status=403)
