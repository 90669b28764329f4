"""How numbers of scoring are written on pages. Load with ``{% load figures %}``."""

from django import template
from django.template.defaultfilters import floatformat
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.filter
def signed(value: float, places: int = 1) -> str:
    """A gain or a loss with its sign; the minus is a real one: +8.2, −11.0, ±0.0."""
    size = floatformat(abs(value), places)
    if float(f"{value:.{places}f}") == 0:
        return f"±{size}"
    return f"{'+' if value > 0 else '−'}{size}"


@register.filter
def percent(chance: float) -> str:
    """A chance between 0 and 1 in percent, to a tenth: 52.4%."""
    return f"{floatformat(100 * chance, 1)}%"


@register.filter
def rate(value: float | None) -> str:
    """A PR to a hundredth; a dash where no decision counted."""
    return "–" if value is None else floatformat(value, 2)


@register.filter
def complement(chance: float) -> float:
    """The chance that it does not happen."""
    return 1 - chance


@register.simple_tag
def gain(value: float, places: int = 1) -> SafeString:
    """The same in the colours of gain and loss."""
    return format_html('<span class="{}">{}</span>', "minus" if value < 0 else "plus", signed(value, places))
