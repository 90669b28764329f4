"""Whole numbers in addresses, headers and forms from untrusted clients."""

import re

MOST_DIGITS = 18
"""Any number with this many digits fits a database column."""

ENDLESS = 200
_NUMBER = re.compile(r"[+-]?\d[\d.,_]*")


def whole_number(text: str) -> int | None:
    """A number of 1 to 18 ASCII digits; None for everything else."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS else None


def is_endless(text: str) -> bool:
    """Whether a text is a single number with too many digits.

    Python reads at most 4,300.
    """
    return len(text) > ENDLESS and _NUMBER.fullmatch(text.strip()) is not None
