"""How events are written on pages: durations and money."""

import json
from collections.abc import Iterable, Mapping
from datetime import tzinfo

from django import template
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from tournaments.core.timetable.breaks import Break
from tournaments.events.queries.terms import amount_in_words
from tournaments.models import Prize

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
    return amount_in_words(amount, currency)


@register.filter
def amounts_seen(prizes: Iterable[Prize]) -> str:
    """Prizes as a form says which of them its page showed: ``ref:minor units``, with blanks between."""
    return " ".join(f"{prize.ref}:{prize.amount}" for prize in prizes)


@register.filter
def shares_seen(shares: Mapping[str, int]) -> str:
    """Shares of a pool as a form says which of them its page showed."""
    return json.dumps(shares)


@register.filter
def span(pause: Break, zone: tzinfo) -> str:
    """From when to when a break is, on the clock of this zone: the day once where it is the same."""
    begins, ends = (at.astimezone(zone) for at in (pause.starts_at, pause.ends_at))
    first = date_format(begins, "D j M, H:i")
    if begins.date() == ends.date():
        return f"{first}–{date_format(ends, 'H:i')}"
    return f"{first} – {date_format(ends, 'D j M, H:i')}"


_POOLS = {
    "main": gettext_noop("Main pool"),
    "consolation": gettext_noop("Consolation"),
    "last chance": gettext_noop("Last chance"),
}


@register.filter
def pool_name(key: str) -> str:
    """What a prize is for, in the reader's language; side pools and stages keep their own names.

    >>> pool_name("main"), pool_name("jackpot")
    ('Main pool', 'jackpot')
    """
    return _(_POOLS[key]) if key in _POOLS else key
