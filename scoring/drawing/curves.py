"""A curve through dated values as an SVG: drawn with the page, without a script, for the first screen.

It shows where a value went and where it stands; every value with its match is in the chart's table. Colours
are those of ``scoring/matches/lists.css`` (``.curve``); geometry is in attributes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape
from math import ceil, floor

from scoring.drawing.strokes import num

STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000)
# RIGHT is room for the widest last value, such as 1656.3 in 14 px bold, and the gap before it.
LEFT, RIGHT, TOP, BOTTOM = 44, 72, 14, 24
LINES = 4


@dataclass(frozen=True, slots=True)
class Curve:
    """What is drawn: (when, how much) in order of time, words for its two ends, for readers who
    cannot see it, and the last value as it is written."""

    values: Sequence[tuple[datetime, float]]
    first: str
    last: str
    title: str
    now: str

    def svg(self, width: int, height: int, *, kind: str) -> str:
        """The drawing in this size; ``kind`` is a class beside ``curve``."""
        lines = self.grid()
        low, high = lines[0], lines[-1]
        right, bottom = width - RIGHT, height - BOTTOM

        def y(value: float) -> float:
            return bottom - (bottom - TOP) * (value - low) / (high - low)

        places = [
            (LEFT + (right - LEFT) * share, y(value))
            for share, (_at, value) in zip(self.shares(), self.values, strict=True)
        ]
        way = "L".join(f"{num(across)} {num(down)}" for across, down in places)
        last_x, last_y = places[-1]
        grid = "".join(
            f'<path class="grid" d="M{LEFT} {num(y(each))}H{right}"/>'
            f'<text x="{LEFT - 6}" y="{num(y(each) + 4)}" text-anchor="end">{each}</text>'
            for each in lines
        )
        return (
            f'<svg class="curve {kind}" viewBox="0 0 {width} {height}" role="img"'
            f' aria-label="{escape(self.title)}">'
            f"{grid}"
            f'<text x="{LEFT}" y="{height - 6}">{escape(self.first)}</text>'
            f'<text x="{right}" y="{height - 6}" text-anchor="end">{escape(self.last)}</text>'
            f'<path class="way" fill="none" stroke="#000" d="M{way}"/>'
            f'<circle cx="{num(last_x)}" cy="{num(last_y)}" r="4"/>'
            f'<text class="now" x="{num(last_x + 8)}" y="{num(last_y + 5)}">{escape(self.now)}</text>'
            "</svg>"
        )

    def shares(self) -> list[float]:
        """How far along each value stands, 0..1: by its time, or by its number where all have one time."""
        start, end = self.values[0][0].timestamp(), self.values[-1][0].timestamp()
        if end > start:
            return [(at.timestamp() - start) / (end - start) for at, _value in self.values]
        return [number / max(1, len(self.values) - 1) for number in range(len(self.values))]

    def grid(self) -> list[int]:
        """Round values from below the lowest to above the highest."""
        low, high = min(value for _at, value in self.values), max(value for _at, value in self.values)
        step = next((each for each in STEPS if (high - low) / each <= LINES - 1), STEPS[-1])
        first, last = floor(low / step), max(ceil(high / step), floor(low / step) + 1)
        return [number * step for number in range(first, last + 1)]
