"""The amounts that a form of the desk says its page showed."""

from django.http import HttpRequest

LONGEST_AMOUNT = 12  # digits
UNREADABLE = -1
"""No prize has this amount."""


def amount_seen(request: HttpRequest, name: str) -> int | None:
    """An amount in minor units; None where the form says none, ``UNREADABLE`` for what is no number."""
    if name not in request.POST:
        return None
    return _amount(request.POST[name])


def amounts_seen(request: HttpRequest) -> dict[str, int] | None:
    """Amounts by the prize's ref, as the filter ``amounts_seen`` writes them; None for none."""
    if "seen" not in request.POST:
        return None
    pairs = (each.partition(":") for each in request.POST["seen"].split())
    return {ref: _amount(amount) for ref, _colon, amount in pairs}


def _amount(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= LONGEST_AMOUNT else UNREADABLE
