"""What a chart shows: lines through dated values, each with the match behind it.

The drawing is made in the browser (``scoring/drawing/chart.js``) from these values; its table has them, too.
"""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class ChartPoint:
    """One value at one time.

    ``low`` and ``high`` are the ends of its uncertainty, None where there is none. ``label`` says what is
    behind it ("Anna Berg – Björn Dahl 5–3") and ``url`` opens that.
    """

    at: datetime
    value: float
    label: str = ""
    url: str = ""
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class ChartLine:
    """A line and the name that stands at its end. Points are in order of time."""

    label: str
    points: tuple[ChartPoint, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """One chart: its name, what a value is, and the lines. ``decimals`` of every value shown.

    ``note`` is a few words on how to read it, e.g. "lower is better".
    """

    title: str
    value_name: str
    lines: tuple[ChartLine, ...]
    decimals: int = 0
    note: str = ""

    def plain(self) -> dict[str, object]:
        """The values as the script reads them: times in whole seconds since 1970."""
        return {
            "decimals": self.decimals,
            "lines": [
                {
                    "label": line.label,
                    "points": [
                        [
                            int(point.at.timestamp()),
                            point.value,
                            point.low,
                            point.high,
                            point.label,
                            point.url,
                        ]
                        for point in line.points
                    ],
                }
                for line in self.lines
            ],
        }
