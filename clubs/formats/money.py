"""Money: minor units of a currency as an amount, e.g. 1250 of EUR as "12.50 EUR"."""

from decimal import Decimal

from clubs.currency import minor_digits
from clubs.formats.numbers import number, signed


def money(amount: int, currency: str) -> str:
    """Minor units as an amount with its currency.

    >>> money(1250, "EUR"), money(1250, "JPY"), money(-50, "EUR")
    ('12.50 EUR', '1250 JPY', '−0.50 EUR')
    """
    return f"{bare_money(amount, currency)} {currency}"


def bare_money(amount: int, currency: str) -> str:
    """An amount without its currency, for columns that name it once.

    >>> bare_money(1250, "EUR")
    '12.50'
    """
    digits = minor_digits(currency)
    return number(Decimal(amount).scaleb(-digits), digits)


def signed_money(amount: int, currency: str) -> str:
    """Minor units as a gain or a loss with the currency.

    >>> signed_money(350, "EUR"), signed_money(-350, "EUR")
    ('+3.50 EUR', '−3.50 EUR')
    """
    return f"{bare_signed_money(amount, currency)} {currency}"


def bare_signed_money(amount: int, currency: str) -> str:
    """``signed_money`` without its currency.

    >>> bare_signed_money(350, "EUR"), bare_signed_money(0, "EUR")
    ('+3.50', '0.00')
    """
    digits = minor_digits(currency)
    return signed(Decimal(amount).scaleb(-digits), digits)


def typed_money(amount: int, currency: str) -> str:
    """An amount for form fields and programs, whatever the language.

    >>> typed_money(1250, "EUR"), typed_money(1250, "JPY")
    ('12.50', '1250')
    """
    digits = minor_digits(currency)
    return f"{Decimal(amount).scaleb(-digits):.{digits}f}"
