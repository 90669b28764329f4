"""Read what a form's page had shown: log lengths, amounts and shares."""

import json

from django.http import HttpRequest

LONGEST_LENGTH = 9  # digits
LONGEST_AMOUNT = 12
UNREADABLE = -1
"""Matches no log length or amount, so invalid input is refused with the current state."""
NEVER = 10**15
"""Matches no net amount, which can be negative."""


def length_seen(request: HttpRequest, name: str = "seen") -> int | None:
    """Length of a log; None if not sent, ``UNREADABLE`` if not a number."""
    return None if name not in request.POST else _number(request.POST[name], LONGEST_LENGTH)


def length_that_must_be_seen(request: HttpRequest, name: str = "seen") -> int:
    """As :func:`length_seen`, but ``UNREADABLE`` if not sent."""
    seen = length_seen(request, name)
    return UNREADABLE if seen is None else seen


def amount_seen(request: HttpRequest, name: str) -> int | None:
    """Amount in minor units; None if not sent, ``UNREADABLE`` if not a number."""
    return None if name not in request.POST else _number(request.POST[name], LONGEST_AMOUNT)


def signed_seen(text: str) -> int:
    """A net amount in minor units, negative or not; ``NEVER`` if it is not a number."""
    sign = -1 if text.startswith("-") else 1
    found = _number(text.removeprefix("-"), LONGEST_AMOUNT)
    return NEVER if found == UNREADABLE else sign * found


def amounts_seen(request: HttpRequest) -> dict[str, int] | None:
    """Amounts by the prize's ref, from the filter ``amounts_seen``; None if not sent."""
    if "seen" not in request.POST:
        return None
    pairs = (each.partition(":") for each in request.POST["seen"].split())
    return {ref: _number(amount, LONGEST_AMOUNT) for ref, _colon, amount in pairs}


def shares_seen(request: HttpRequest) -> dict[str, int] | None:
    """Shares by table, from the filter ``shares_seen``; None if not sent."""
    if "seen" not in request.POST:
        return None
    try:
        found = json.loads(request.POST["seen"])
    # RecursionError: brackets within brackets.
    except (ValueError, RecursionError):
        found = None
    return found if isinstance(found, dict) else {"": UNREADABLE}


def _number(text: str, longest: int) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= longest else UNREADABLE
