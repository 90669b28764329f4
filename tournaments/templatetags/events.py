"""How events are written on pages. Load with ``{% load events %}``."""

import json
from collections.abc import Iterable, Mapping, Sequence

from django import template
from django.utils.safestring import SafeString, mark_safe

from tournaments.events.places import map_link, poster_link
from tournaments.models import Prize
from tournaments.pages.field_rows import field_rows
from tournaments.pages.queries.field_lines import FieldLine
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


@register.simple_tag(name="field_rows")
def field_rows_tag(lines: Sequence[FieldLine], *, seeded: bool) -> SafeString:
    """The entrants of a division in the list of players."""
    return mark_safe(field_rows(lines, seeded=seeded))  # noqa: S308 - escaped there
