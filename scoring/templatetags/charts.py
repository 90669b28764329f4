"""``{% load charts %}``: a chart with its table twin.

The page that shows one puts ``{% include "scoring/drawing/_chart_scripts.html" %}`` in its block ``scripts``.
"""

from itertools import count
from typing import Any

from django import template
from django.template.context import RequestContext
from django.template.defaultfilters import floatformat

from scoring.drawing.charts import Chart

register = template.Library()


@register.inclusion_tag("scoring/drawing/_chart.html", takes_context=True)
def chart(context: RequestContext, shown: Chart, *, table: bool = True) -> dict[str, Any]:
    """The chart, drawn by the browser, and the same values in a table that opens on tap.

    Without ``table`` where the page lists the values below.
    """
    numbers: Any = context.render_context  # what one rendering of a page remembers
    name = f"chart-{next(numbers.setdefault('chart_numbers', count(1)))}"
    rows = [
        {
            "line": line.label,
            "point": point,
            "value": floatformat(point.value, shown.decimals),  # number_format cuts digits off instead
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
        "several": len(shown.lines) > 1,
    }
