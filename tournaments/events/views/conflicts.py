"""Show a page in answer to a refused request, under the page's own address."""

from copy import copy

from django.http import HttpRequest


def shown_at(request: HttpRequest, address: str) -> HttpRequest:
    """The request as if for the page at this address.

    Links of the page to itself must not lead to the address of the form.
    """
    shown = copy(request)
    shown.path = shown.path_info = address
    return shown
