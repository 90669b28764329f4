"""Signed points and amounts of a chouette, with a typographic minus."""

from decimal import Decimal

from django.utils.formats import number_format

from clubs.currency import minor_digits

MINUS = "\N{MINUS SIGN}"


def signed_points(points: int) -> str:
    """Points with their sign.

    >>> signed_points(3), signed_points(-2), signed_points(0)
    ('+3', '−2', '0')
    """
    return f"+{points}" if points > 0 else f"{MINUS}{-points}" if points else "0"


def signed_minor(amount: int, currency: str) -> str:
    """An amount with its sign and currency: ``+3.50 EUR``."""
    return f"{signed_amount(amount, currency)} {currency}"


def signed_amount(amount: int, currency: str) -> str:
    """An amount with its sign, without the currency.

    >>> signed_amount(350, "EUR"), signed_amount(0, "EUR")
    ('+3.50', '0.00')
    """
    digits = minor_digits(currency)
    size = number_format(Decimal(abs(amount)).scaleb(-digits), digits)
    sign = "+" if amount > 0 else MINUS if amount else ""
    return f"{sign}{size}"
