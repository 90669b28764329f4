"""How events are written on pages. Load with ``{% load events %}``."""

import json
from collections.abc import Iterable, Mapping

from django import template

from tournaments.events.places import map_link, poster_link
from tournaments.models import Prize
from tournaments.words.written import pool_name, span

register = template.Library()
register.filter(span)
register.filter(pool_name)
register.filter(map_link)
register.filter(poster_link)


@register.filter
def amounts_seen(prizes: Iterable[Prize]) -> str:
    """Prizes as a hidden form value: ``ref:minor units``, separated by blanks."""
    return " ".join(f"{prize.ref}:{prize.amount}" for prize in prizes)


@register.filter
def shares_seen(shares: Mapping[str, int]) -> str:
    """Shares of a pool as a hidden form value."""
    return json.dumps(shares)
