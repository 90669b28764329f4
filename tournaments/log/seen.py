"""What a form of the desk says its page showed: how long a log was, which amounts or shares stood there."""

import json

from django.http import HttpRequest

LONGEST_LENGTH = 9  # digits
LONGEST_AMOUNT = 12
UNREADABLE = -1
"""No log has this length and no prize this amount: whoever sends nonsense is told what stands."""


def length_seen(request: HttpRequest, name: str = "seen") -> int | None:
    """How long a log was; None where the form says nothing, ``UNREADABLE`` for what is no number."""
    return None if name not in request.POST else _number(request.POST[name], LONGEST_LENGTH)


def length_that_must_be_seen(request: HttpRequest, name: str = "seen") -> int:
    """As :func:`length_seen`, where a form that says nothing is refused like one that says nonsense."""
    seen = length_seen(request, name)
    return UNREADABLE if seen is None else seen


def amount_seen(request: HttpRequest, name: str) -> int | None:
    """An amount in minor units; None where the form says none, ``UNREADABLE`` for what is no number."""
    return None if name not in request.POST else _number(request.POST[name], LONGEST_AMOUNT)


def amounts_seen(request: HttpRequest) -> dict[str, int] | None:
    """Amounts by the prize's ref, as the filter ``amounts_seen`` writes them; None for none."""
    if "seen" not in request.POST:
        return None
    pairs = (each.partition(":") for each in request.POST["seen"].split())
    return {ref: _number(amount, LONGEST_AMOUNT) for ref, _colon, amount in pairs}


def shares_seen(request: HttpRequest) -> dict[str, int] | None:
    """Shares of the pool by the table's name, as the filter ``shares_seen`` writes them; None for none."""
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
