"""Ratings, PR, equities and chances in templates: the functions of ``scoring.drawing.figures`` as filters.

Every template has them without a ``load``.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from clubs.formats.numbers import rounded, signed
from scoring.drawing import figures

register = template.Library()


def _filter(write: Callable[[Any], str]) -> None:
    """Register a function under its own name; what a template does not find is written as ""."""

    @wraps(write)
    def written(value: Any) -> str:
        return "" if value == "" else write(value)

    register.filter(write.__name__, written)


for each in (
    *(figures.rating, figures.rating_limit, figures.rating_change, figures.pr),
    *(
        figures.equity,
        figures.error_size,
        figures.margin,
        figures.chance,
        figures.chance_of_100,
        figures.share_won,
    ),
):
    _filter(each)


@register.filter
def complement(chance: float | str) -> float | str:
    """The chance that it does not happen."""
    return chance if isinstance(chance, str) else 1 - chance


@register.filter
def bar_width(chance: float) -> str:
    """A chance as the width of a bar in a drawing 100 wide, with a point in every language."""
    return f"{100 * chance:.1f}"


@register.simple_tag
def gain(value: float, places: int = 1) -> SafeString:
    """A gain or a loss with its sign, in its colour."""
    tone = "minus" if rounded(value, places) < 0 else "plus"
    return format_html('<span class="{}">{}</span>', tone, signed(value, places))
