"""A chart says the same in its drawing's data and in its table."""

import json
import re
from datetime import UTC, datetime

from django.template import Context, Template

from scoring.drawing.charts import Chart, ChartLine, ChartPoint

CHART = Chart(
    title="Rating",
    value_name="Elo",
    lines=(
        ChartLine(
            "Anna",
            (
                ChartPoint(datetime(2026, 1, 2, 20, tzinfo=UTC), 1500.04, "Anna – Björn 5–3", "/matches/a/"),
                ChartPoint(datetime(2026, 2, 3, 20, tzinfo=UTC), 1512.5, "</script> 3–1", "", 1490.0, 1535.0),
            ),
        ),
    ),
    decimals=1,
)


def render(*charts: Chart) -> str:
    source = "{% load charts %}{% for one in charts %}{% chart one %}{% endfor %}"
    return Template(source).render(Context({"charts": charts}))


def data_of(page: str, name: str) -> object:
    found = re.search(rf'<script id="{name}" type="application/json">(.*?)</script>', page)
    assert found
    return json.loads(found.group(1))


def test_the_script_gets_times_values_and_ends_of_the_band() -> None:
    assert data_of(render(CHART), "chart-1-data") == {
        "decimals": 1,
        "lines": [
            {
                "label": "Anna",
                "points": [
                    [1767384000, 1500.04, None, None, "Anna – Björn 5–3", "/matches/a/"],
                    [1770148800, 1512.5, 1490.0, 1535.0, "</script> 3–1", ""],
                ],
            }
        ],
    }


def test_the_table_has_the_newest_first_with_the_match_behind_it() -> None:
    page = render(CHART)
    body = page[page.index("<tbody>") :]
    assert re.findall(r'<td class="number">([^<]*)</td>', body) == ["1512.5", "1500.0"]
    assert '<a href="/matches/a/">Anna – Björn 5–3</a>' in body
    assert "<td>&lt;/script&gt; 3–1</td>" in body


def test_two_charts_of_one_page_have_data_of_their_own() -> None:
    page = render(CHART, CHART)
    assert data_of(page, "chart-1-data") == data_of(page, "chart-2-data")
    assert page.count('data-chart="chart-2-data"') == 1
