"""How numbers of scoring are written on pages. Load with ``{% load figures %}``."""

from django import template
from django.template.defaultfilters import floatformat
from django.utils.html import format_html
from django.utils.safestring import SafeString

from scoring.drawing.figures import signed

register = template.Library()
register.filter(signed)


@register.filter
def percent(chance: float) -> str:
    """A chance between 0 and 1 in percent, to a tenth: 52.4%."""
    return f"{floatformat(100 * chance, 1)}%"


@register.filter
def points_of_100(chance: float | str, plain: bool = False) -> str:  # noqa: FBT001, FBT002 - a filter's argument
    """A chance between 0 and 1 as a number up to 100, without the sign; "" where there is none.

    ``plain`` as a program reads it, whatever the language.
    """
    if isinstance(chance, str):
        return ""
    return f"{100 * chance:.1f}" if plain else floatformat(100 * chance, 1)


@register.filter
def rate(value: float | None) -> str:
    """A PR to a tenth; a dash where no decision counted."""
    return "–" if value is None else floatformat(value, 1)


@register.filter
def complement(chance: float) -> float:
    """The chance that it does not happen."""
    return 1 - chance


@register.simple_tag
def gain(value: float, places: int = 1) -> SafeString:
    """The same in the colours of gain and loss."""
    return format_html('<span class="{}">{}</span>', "minus" if value < 0 else "plus", signed(value, places))
