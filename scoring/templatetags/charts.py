"""``{% load charts %}``: a chart with its table twin.

The page that shows one puts ``{% include "scoring/drawing/_chart_scripts.html" %}`` in its block ``scripts``.
"""

from itertools import count
from typing import Any

from django import template
from django.template.context import RequestContext

from clubs.formats.numbers import number
from scoring.drawing.charts import Chart

register = template.Library()


@register.inclusion_tag("scoring/drawing/_chart.html", takes_context=True)
def chart(context: RequestContext, shown: Chart, *, table: bool = True, zone: str = "") -> dict[str, Any]:
    """The chart, drawn by the browser, and the same values in a table that opens on tap.

    Without ``table`` where the page lists the values below. ``zone`` is the clock of its dates, that of the
    scripts too.
    """
    numbers: Any = context.render_context  # what one rendering of a page remembers
    name = f"chart-{next(numbers.setdefault('chart_numbers', count(1)))}"
    rows = [
        {
            "line": line.label,
            "point": point,
            "value": number(point.value, shown.decimals),
        }
        for line in shown.lines
        for point in reversed(line.points)
        if table
    ]
    return {
        "name": name,
        "data_name": f"{name}-data",
        "chart": shown,
        "plain": shown.plain(),
        "rows": rows,
        "zone": zone,
        "several": len(shown.lines) > 1,
    }
