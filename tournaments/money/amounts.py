"""Parse amounts of money into minor units."""

import re
from decimal import Decimal

LARGEST = 10**12
_AMOUNT = re.compile(r"(\d+)[.,]?(\d*)")


def typed_amount(text: str, digits: int) -> int | None:
    """Parse an amount of a currency with ``digits`` decimals (point or comma).

    Returns minor units; None for a negative amount, text that is not a number, and more decimals than the
    currency has, so that "1,000" is not read as 1.

    >>> typed_amount("12,50", 2), typed_amount("7", 0), typed_amount("1,000", 2), typed_amount("1e9", 2)
    (1250, 7, None, None)
    """
    found = _AMOUNT.fullmatch(text.strip())
    if found is None or len(found[2]) > digits:
        return None
    amount = int(Decimal(f"{found[1]}.{found[2] or 0}").scaleb(digits))
    return amount if amount <= LARGEST else None
