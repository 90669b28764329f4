"""A full page, or the part of it that htmx requests."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers


def page_or_part(
    request: HttpRequest, template: str, context: dict[str, Any], *, part: str, status: int = 200
) -> HttpResponse:
    """Render the page, or only its partial ``part`` when htmx targets that id."""
    asked_for_part = request.headers.get("HX-Target") == part and not request.headers.get("HX-Boosted")
    response = render(request, f"{template}#{part}" if asked_for_part else template, context, status=status)
    patch_vary_headers(response, ["HX-Target"])
    return response
