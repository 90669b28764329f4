"""Points and money of a chouette in words: with their sign, the minus a real one."""

from decimal import Decimal

from django.utils.formats import number_format

from clubs.currency import minor_digits

MINUS = "\N{MINUS SIGN}"


def signed_points(points: int) -> str:
    """A gain or a loss in points.

    >>> signed_points(3), signed_points(-2), signed_points(0)
    ('+3', '−2', '0')
    """
    return f"+{points}" if points > 0 else f"{MINUS}{-points}" if points else "0"


def signed_minor(amount: int, currency: str) -> str:
    """Minor units as a gain or a loss with the currency: ``+3.50 EUR``."""
    return f"{signed_amount(amount, currency)} {currency}"


def signed_amount(amount: int, currency: str) -> str:
    """The same where the currency stands once for all.

    >>> signed_amount(350, "EUR"), signed_amount(0, "EUR")
    ('+3.50', '0.00')
    """
    digits = minor_digits(currency)
    size = number_format(Decimal(abs(amount)).scaleb(-digits), digits)
    sign = "+" if amount > 0 else MINUS if amount else ""
    return f"{sign}{size}"
