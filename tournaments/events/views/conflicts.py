"""A page that answers a request which was refused: the present state, under the page's own address."""

from copy import copy

from django.http import HttpRequest


def shown_at(request: HttpRequest, address: str) -> HttpRequest:
    """The request as if it had asked for the page at this address: what a page refers to as itself (to fetch
    itself anew, to come back to) must not be the address to which the form was sent.
    """
    shown = copy(request)
    shown.path = shown.path_info = address
    return shown
