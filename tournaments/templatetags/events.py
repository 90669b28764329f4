"""How events are written on pages: durations and money."""

from decimal import Decimal

from django import template
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from clubs.currency import minor_digits

register = template.Library()


@register.filter
def hours(minutes: int) -> str:
    """Minutes as hours and minutes.

    >>> hours(190)
    '3 h 10 min'
    """
    whole, rest = divmod(minutes, 60)
    if not whole:
        return _("%(minutes)s min") % {"minutes": rest}
    return _("%(hours)s h %(minutes)02d min") % {"hours": whole, "minutes": rest}


@register.filter
def money(amount: int, currency: str) -> str:
    """Minor units as an amount with its currency, e.g. ``12.50 EUR``."""
    digits = minor_digits(currency)
    return f"{number_format(Decimal(amount).scaleb(-digits), digits)} {currency}"
