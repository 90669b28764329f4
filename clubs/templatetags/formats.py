"""Formats of ``clubs.formats`` as filters, built into every template.

Missing values (None or "") are written as "".
"""

from collections.abc import Callable
from datetime import datetime
from functools import wraps
from typing import Any

from django import template
from django.utils.html import format_html, json_script
from django.utils.safestring import SafeString

from clubs.formats import dates, markdown, money, numbers

register = template.Library()


def _filter(write: Callable[..., str]) -> None:
    """Register a function as a filter; the filter's argument is its second one."""

    @wraps(write)
    def written(value: Any, *given: Any) -> str:
        return "" if value is None or value == "" else write(value, *given)

    register.filter(write.__name__, written)


for each in (
    *(dates.day, dates.month_day, dates.year_month, dates.year, dates.weekday_day, dates.weekday_month_day),
    *(dates.time_of_day, dates.weekday_time, dates.weekday_moment, dates.moment),
    *(dates.recent_day, dates.age, dates.duration),
    *(numbers.number, numbers.signed, numbers.plain, numbers.grouped, numbers.percent),
    markdown.markdown,
    *(money.money, money.bare_money, money.signed_money, money.bare_signed_money, money.typed_money),
):
    _filter(each)


@register.simple_tag
def date_tile(at: datetime, zone: dates.Zone = None) -> SafeString:
    """A day as a tile: weekday, day and month on separate lines."""
    parts = dates.day_parts(at, zone)
    words = format_html("<span>{}</span><b>{}</b><span>{}</span>", *parts)
    return format_html('<time class="date-tile" datetime="{}">{}</time>', at.isoformat(), words)


@register.simple_tag
def script_formats(zone: dates.Zone = None) -> SafeString:
    """The data of ``clubs/formats.js`` for this zone."""
    return json_script(dates.for_scripts(zone), "formats")
