"""Localized numbers, rounded half away from zero, with a true minus sign."""

from decimal import ROUND_HALF_UP, Decimal

from django.utils.formats import number_format

from clubs.formats.dates import pattern

MINUS = "\N{MINUS SIGN}"


def number(value: float | Decimal, places: int = 0) -> str:
    """A number with fixed decimals, never grouped.

    >>> number(1523.45, 1), number(-0.25, 1), number(-0.04, 1), number(7)
    ('1523.5', '−0.3', '0.0', '7')
    """
    shown = rounded(value, places)
    return f"{MINUS if shown < 0 else ''}{_size(shown, places)}"


def signed(value: float | Decimal, places: int = 0) -> str:
    """A gain or a loss with its sign; what rounds to zero has none.

    >>> signed(8.24, 1), signed(-11, 1), signed(0.04, 1), signed(3)
    ('+8.2', '−11.0', '0.0', '+3')
    """
    shown = rounded(value, places)
    sign = "+" if shown > 0 else MINUS if shown < 0 else ""
    return f"{sign}{_size(shown, places)}"


def plain(value: float, most: int = 2) -> str:
    """A number with as many decimals as it needs, up to a maximum.

    >>> plain(2.0), plain(2.5), plain(1600), plain(0.125)
    ('2', '2.5', '1600', '0.13')
    """
    digits = f"{rounded(value, most):f}".rstrip("0") if most else ""
    return number(value, len(digits.partition(".")[2]))


def grouped(value: int) -> str:
    """A count, grouped by thousands.

    >>> grouped(999), grouped(12345)
    ('999', '12,345')
    """
    return number_format(value, 0, force_grouping=True)


def percent(share: float, places: int = 0) -> str:
    """A share between 0 and 1 in percent.

    >>> percent(0.5243, 1), percent(2 / 3)
    ('52.4%', '67%')
    """
    return pattern("PERCENT_FORMAT") % number(Decimal(str(share)) * 100, places)


def rounded(value: float | Decimal, places: int) -> Decimal:
    """Round half away from zero by decimal digits, not by the binary fraction.

    >>> rounded(1.005, 2), rounded(-2.5, 0)
    (Decimal('1.01'), Decimal('-3'))
    """
    return Decimal(str(value)).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)


def _size(shown: Decimal, places: int) -> str:
    return number_format(abs(shown), places, force_grouping=False)
