"""Parse amounts of money into minor units."""

from decimal import Decimal, InvalidOperation

LARGEST = 10**12


def typed_amount(text: str, digits: int) -> int | None:
    """Parse an amount of a currency with ``digits`` decimals (point or comma).

    Returns minor units; None for a negative amount, too many digits, or text that is not a number.

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
