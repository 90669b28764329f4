"""How events are written on pages: durations and money."""

import json
from collections.abc import Iterable, Mapping

from django import template
from django.utils.translation import gettext as _

from tournaments.events.queries.terms import amount_in_words, bare_amount
from tournaments.models import Prize
from tournaments.words.written import pool_name, span

register = template.Library()
register.filter(span)
register.filter(pool_name)


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
    return amount_in_words(amount, currency)


@register.filter
def bare_money(amount: int, currency: str) -> str:
    """Minor units as an amount where the currency stands once for all, e.g. ``12.50``."""
    return bare_amount(amount, currency)


@register.filter
def amounts_seen(prizes: Iterable[Prize]) -> str:
    """Prizes as a form says which of them its page showed: ``ref:minor units``, with blanks between."""
    return " ".join(f"{prize.ref}:{prize.amount}" for prize in prizes)


@register.filter
def shares_seen(shares: Mapping[str, int]) -> str:
    """Shares of a pool as a form says which of them its page showed."""
    return json.dumps(shares)
