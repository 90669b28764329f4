"""Amounts as people type them, in minor units."""

from decimal import Decimal, InvalidOperation

LARGEST = 10**12


def typed_amount(text: str, digits: int) -> int | None:
    """An amount typed with a point or a comma, in minor units of a currency with so many digits.

    None for what is no amount of that currency: a negative one, one with too many digits, no number at all.

    >>> typed_amount("12,50", 2), typed_amount("7", 0), typed_amount("1.005", 2), typed_amount("x", 2)
    (1250, 7, None, None)
    """
    try:
        amount = Decimal(text.strip().replace(",", ".")).scaleb(digits)
    except InvalidOperation:
        return None
    if not amount.is_finite() or amount < 0 or amount > LARGEST or amount != int(amount):
        return None
    return int(amount)
